package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.pgft.Degradation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people are told when agents come and go, and what becomes of what was under way with them. */
class AgentEventsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    private static List<String> told(SimulatedFabric site, Kind kind) {
        return site.notes(kind).stream()
                .map(note -> note.severity() + " [" + note.name() + "] " + note.text())
                .toList();
    }

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private AgentJoined another(long guid, int incarnation, HeldTable held) {
        return new AgentJoined(
                fabric.now,
                999,
                guid,
                fabric.metal.name(guid),
                fabric.metal.portCount(guid),
                incarnation,
                held,
                new RingAddress("", 0));
    }

    @Test
    void shouldTellWhoComesAndGoes() {
        assertThat(told(fabric, Kind.AGENT_JOINED))
                .hasSize(6)
                .contains("INFO [leaf0] leaf0: agent connected, incarnation 1");

        fabric.leave(leaf);
        fabric.work();
        assertThat(told(fabric, Kind.AGENT_LEFT))
                .containsExactly("WARNING [leaf0] leaf0: agent gone, connection closed");

        fabric.join(leaf);
        fabric.work();
        assertThat(told(fabric, Kind.AGENT_JOINED))
                .last()
                .isEqualTo("INFO [leaf0] leaf0: agent connected, incarnation 2");
        assertThat(told(fabric, Kind.SWITCH_BACK)).containsExactly("INFO [leaf0] leaf0: back");
    }

    @Test
    void shouldTellThatASecondAgentWasRefused() {
        fabric.send(another(leaf, 1, new HeldTable(1, 1, 0, 0)));
        fabric.work();

        assertThat(told(fabric, Kind.AGENT_REFUSED))
                .containsExactly("WARNING [leaf0] leaf0: a second agent with incarnation 1 was refused");

        for (int i = 0; i < 1_000; i++) {
            fabric.send(another(leaf, 1, new HeldTable(1, 1, 0, 0)));
        }
        fabric.work();

        assertThat(told(fabric, Kind.AGENT_REFUSED)).hasSize(AgentEventLimit.AT_ONCE_MAX);
    }

    /** What it has the fabric do is bounded by other means. */
    @Test
    void shouldNotLetAnAgentThatComesAndGoesFillTheEventLog() {
        List<Kind> kinds =
                List.of(Kind.AGENT_JOINED, Kind.AGENT_LEFT, Kind.SWITCH_BACK, Kind.SWITCH_HEADLESS, Kind.SWITCH_DEAD);
        for (int i = 0; i < 150; i++) {
            fabric.leave(leaf);
            fabric.work();
            fabric.join(leaf);
            fabric.work();
        }

        List<LoggedEvent> ofLeaf = kinds.stream()
                .flatMap(kind -> fabric.notes(kind).stream())
                .filter(note -> note.guid() == leaf)
                .toList();
        assertThat(ofLeaf).hasSize(AgentEventLimit.AT_ONCE_MAX);

        fabric.pass(3 * AgentEventLimit.EACH_NANOS);
        fabric.leave(leaf);
        fabric.work();
        assertThat(told(fabric, Kind.AGENT_LEFT))
                .last()
                .asString()
                .matches(
                        "WARNING \\[leaf0] leaf0: agent gone, connection closed; \\d+ events like this were left out before it");
    }

    @Test
    void shouldTellWhenPushesAreHeldAndWhenTheyGoOn() {
        List<Long> guids = List.copyOf(fabric.state.switches.keySet());
        guids.subList(0, 4).forEach(fabric::leave);
        fabric.calm();
        fabric.join(guids.get(0));
        fabric.calm();

        assertThat(told(fabric, Kind.PUSHES_HELD))
                .containsExactly(
                        "ALARM [] nothing is pushed: fewer than 50 % of the switches that forward have an agent here",
                        "INFO [] enough agents are here again: tables are pushed");
    }

    @Test
    void shouldSayWhoseComingTheFirstEpochAnswers() {
        String first =
                fabric.metal.name(fabric.state.switches.keySet().iterator().next());

        assertThat(fabric.state.epochs().iterator().next().cause()).startsWith(first + " joined and ");
    }

    /** The manager starts again: who was there and is there did not come back. */
    @Test
    void shouldTellOnlyOfThoseThatComeBackLateAfterARestart() {
        SimulatedFabric next = fabric.restarted();
        next.state.switches.keySet().stream().filter(guid -> guid != spine).forEach(next::join);
        next.calm();
        assertThat(next.notes(Kind.SWITCH_BACK)).isEmpty();

        next.join(spine);
        next.calm();
        assertThat(told(next, Kind.SWITCH_BACK)).containsExactly("INFO [l2s0] l2s0: back");
    }

    /** Its agent was started again while the old session hung: what was on its way in that one is sent in the new one. */
    @Test
    void shouldSendANewerAgentAtOnceWhatTheOldOneDidNotAcknowledge() {
        fabric.deaf.add(leaf);
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();
        assertThat(record(leaf).pushInFlight()).isTrue();
        SwitchRecord record = record(leaf);
        List<Effect> effects = new ArrayList<>();

        fabric.step.accept(
                another(leaf, 2, new HeldTable(1, record.ackedEpoch(), record.heldEntries(), record.ackedDigest())),
                effects);

        assertThat(effects)
                .filteredOn(Effect.Push.class::isInstance)
                .singleElement()
                .satisfies(
                        effect -> assertThat(((Effect.Push) effect).session()).isEqualTo(999));
    }

    /** Several neighbours accuse it, and one of them is late: its agent has come in anew by then, which is an answer. */
    @Test
    void shouldNotActOnALateAccusationOfAnAgentThatCameInMeanwhile() {
        fabric.mute.add(spine);
        fabric.ringSays(true, spine);
        fabric.work();
        FabricEvent accusation = new FabricEvent.RingReported(fabric.now, 1, true, spine, 1, leaf, 1_000 * MILLI, 1);

        List<Effect> effects = new ArrayList<>();
        fabric.step.accept(another(spine, 1, new HeldTable(1, 1, 0, 0)), effects);
        fabric.step.accept(accusation, effects);

        assertThat(effects).contains(new Effect.Accept(999, 1)).noneMatch(Effect.QueryPorts.class::isInstance);
        assertThat(record(spine).agentSilent()).isFalse();
    }

    /** It obeys a higher leader epoch, waits for that of this manager to rise, and hangs up. */
    @Test
    void shouldGreetNobodyWhoHungUpWhileWaiting() {
        fabric.leave(leaf);
        fabric.calm();
        fabric.obeyed.put(leaf, 7L);
        fabric.diskTakes = false;
        long session = fabric.join(leaf);
        fabric.work();
        fabric.leave(leaf);
        fabric.work();

        fabric.diskTakes = true;
        fabric.send(new FabricEvent.Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();

        assertThat(fabric.state.leaderEpoch()).isEqualTo(8);
        assertThat(fabric.log)
                .noneMatch(effect -> effect instanceof Effect.Accept accept && accept.session() == session);
        assertThat(record(leaf).agentConnected()).isFalse();
    }

    /** Discovery lasts until two seconds after the last one told its ports for the first time. */
    @Test
    void shouldCountQuietFromTheFirstReportOfEachAgent() {
        SimulatedFabric next = fabric.restarted();
        long begun = next.now;
        List<Long> guids = List.copyOf(next.state.switches.keySet());
        next.mute.add(guids.get(0));
        guids.subList(0, 4).forEach(next::join);
        next.pass(1_500 * MILLI);

        next.mute.clear();
        tellsAllPorts(next, guids.get(0));
        next.pass(1_000 * MILLI);
        tellsAllPorts(next, guids.get(1));
        next.pass(999 * MILLI);
        assertThat(next.state.discovering()).isTrue();
        next.pass(MILLI);

        assertThat(next.state.discovering())
                .as("the second report of an agent is no news")
                .isFalse();
        assertThat(next.now - begun).isEqualTo(3_500 * MILLI);
    }

    private static void tellsAllPorts(SimulatedFabric site, long guid) {
        List<PortSeen> ports = new ArrayList<>();
        for (int port = 1; port <= site.metal.portCount(guid); port++) {
            ports.add(new PortSeen(guid, port, site.metal.saysUp(guid, port), site.metal.claim(guid, port)));
        }
        site.send(new PortsReported(site.now, site.session(guid), guid, true, ports));
    }

    @Test
    void shouldNameTheSeverityOfWhatNeedsPeople() {
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();

        assertThat(fabric.notes(Kind.SWITCH_DEAD)).singleElement().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Severity.ALARM);
            assertThat(note.text()).isEqualTo("l2s0: dead, no agent and all its links are down");
        });
    }
}

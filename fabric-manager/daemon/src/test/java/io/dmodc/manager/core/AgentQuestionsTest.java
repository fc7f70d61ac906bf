package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who speaks for a switch, and what is asked when nobody does. */
class AgentQuestionsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private List<Effect> since(int from) {
        return fabric.log.subList(from, fabric.log.size());
    }

    @ParameterizedTest
    @CsvSource({"1, false", "0, false", "2, true", "-1, true"})
    void shouldLetAHigherIncarnationTakeOver(int incarnation, boolean accepted) {
        long before = fabric.session(leaf);
        List<Effect> effects = new ArrayList<>();
        AgentJoined joined = new AgentJoined(
                fabric.now, 999, leaf, "newer", 4, incarnation, new HeldTable(1, 1, 0, 0), new RingAddress("", 0));

        fabric.step.accept(joined, effects);

        assertThat(effects)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .containsExactly(
                        accepted
                                ? new Effect.Dismiss(before, DismissReason.SILENT, "a newer agent took over")
                                : new Effect.Dismiss(
                                        999,
                                        DismissReason.DUPLICATE_GUID,
                                        "another agent speaks for switch 0x" + String.format("%016x", leaf)
                                                + " with incarnation 1"));
        assertThat(effects.contains(new Effect.Accept(999, 1))).isEqualTo(accepted);
        assertThat(record(leaf).incarnation()).isEqualTo(accepted ? incarnation : 1);
        assertThat(record(leaf).name()).isEqualTo(accepted ? "newer" : "leaf0");
    }

    /** Its old session has not ended yet, and the ring holds it dead: the restarted agent need not wait for that. */
    @Test
    void shouldTakeTheSameIncarnationForASilentAgent() {
        fabric.mute.add(leaf);
        fabric.ringSays(true, leaf);
        fabric.work();
        assertThat(record(leaf).agentSilent()).isTrue();
        List<Effect> effects = new ArrayList<>();

        fabric.step.accept(
                new AgentJoined(
                        fabric.now, 999, leaf, "leaf0", 4, 1, new HeldTable(1, 1, 0, 0), new RingAddress("", 0)),
                effects);

        assertThat(effects).contains(new Effect.Accept(999, 1));
        assertThat(record(leaf).agentSilent()).isFalse();
    }

    @Test
    void shouldAskEachNeighbourAboutTheLinkToASwitchThatLeft() {
        int before = fabric.log.size();
        fabric.leave(spine);
        fabric.work();

        assertThat(since(before).stream()
                        .filter(Effect.QueryPorts.class::isInstance)
                        .map(Effect.QueryPorts.class::cast)
                        .map(query -> query.ports().size())
                        .toList())
                .as("one port of each of four leaves")
                .containsExactly(1, 1, 1, 1);
        assertThat(record(spine).condition()).isEqualTo(Condition.HEADLESS);
    }

    /** A neighbour that does not answer is waited for as long as for a push. */
    @Test
    void shouldDecideAfterASecondWithoutAnAnswer() {
        fabric.mute.add(leaf);
        fabric.leave(spine);
        fabric.work();
        assertThat(record(spine).condition()).isEqualTo(Condition.CONNECTED);
        assertThat(fabric.step.nextDeadline()).isEqualTo(fabric.now + 1_000 * MILLI);

        fabric.pass(999 * MILLI);
        assertThat(fabric.notes(Kind.SWITCH_HEADLESS)).isEmpty();
        fabric.pass(MILLI);

        assertThat(fabric.notes(Kind.SWITCH_HEADLESS))
                .extracting(LoggedEvent::text)
                .containsExactly("l2s0: headless, no agent but links are up; it keeps its table");
        assertThat(record(spine).condition()).isEqualTo(Condition.HEADLESS);
    }

    @Test
    void shouldTellWhoIsSilentAndWhoSaidSo() {
        fabric.mute.add(leaf);
        int before = fabric.log.size();
        fabric.send(new RingReported(fabric.now, 1, true, leaf, 1, spine, 1_250 * MILLI, 2));
        fabric.work();

        assertThat(fabric.notes(Kind.AGENT_SILENT))
                .extracting(LoggedEvent::text)
                .containsExactly(
                        "leaf0: silent for 1250 ms, seen by its ring observer l2s0; asking its neighbours about"
                                + " its links");
        assertThat(since(before)).as("it may answer").contains(new Effect.QueryPorts(fabric.session(leaf), List.of(1)));

        fabric.send(new RingReported(fabric.now, 1, false, leaf, 5, spine, 0, 2));
        fabric.work();
        assertThat(fabric.notes(Kind.AGENT_ALIVE)).hasSize(1);
        assertThat(record(leaf).incarnation()).isEqualTo(5);
        fabric.send(new RingReported(fabric.now, 1, true, leaf, 4, spine, 0, 2));
        fabric.work();
        assertThat(fabric.notes(Kind.AGENT_SILENT))
                .as("of an earlier incarnation")
                .hasSize(1);
        assertThat(record(leaf).agentSilent()).isFalse();
    }

    /** What a whole report leaves out is down and leads nowhere. */
    @Test
    void shouldTakePortsThatAWholeReportLeavesOutForDown() {
        FabricView whole = fabric.whole();
        int links = whole.linkCount();
        PortSeen first = new PortSeen(leaf, 1, true, fabric.metal.claim(leaf, 1));

        fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, true, List.of(first)));
        fabric.calm();

        assertThat(fabric.state.snapshot().linkTotals()).isEqualTo(new Totals(links, links - 2, 2, 0));
        assertThat(fabric.state.snapshot().hostTotals()).isEqualTo(new Totals(8, 7, 1, 0));
        assertThat(fabric.state.cabling().neighbour(leaf, 2)).isNull();
    }

    @Test
    void shouldKeepAnAgentWithoutADetectorOutOfTheRing() {
        int members = fabric.state.membership().members().size();
        long epoch = fabric.state.membership().epoch();
        fabric.ringAddresses.put(leaf, new RingAddress("", 0));
        fabric.leave(leaf);
        fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.state.membership().members()).hasSize(members - 1);
        assertThat(fabric.state.membership().epoch()).isEqualTo(epoch + 1);
        int before = fabric.log.size();

        fabric.leave(leaf);
        fabric.join(leaf);
        fabric.calm();

        assertThat(since(before)).noneMatch(Effect.SendMembership.class::isInstance);
    }

    @Test
    void shouldIgnoreWordsOfSessionsThatSpeakForNobody() {
        int before = fabric.log.size();
        long epoch = fabric.state.epoch();
        fabric.send(new FabricEvent.AgentLeft(fabric.now, 4_000, leaf, "late"));
        fabric.send(new PortsReported(fabric.now, 4_000, leaf, true, List.of()));
        fabric.send(new FabricEvent.TableAcked(fabric.now, 4_000, leaf, epoch, 1));
        fabric.calm();

        assertThat(since(before)).isEmpty();
        assertThat(record(leaf).agentConnected()).isTrue();
    }
}

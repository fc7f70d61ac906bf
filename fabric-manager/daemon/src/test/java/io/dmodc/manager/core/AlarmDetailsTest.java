package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What an alarm says: since when, of what, under which other one, in which words. */
class AlarmDetailsTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);
    private final Host host = ((ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1))).host();

    private Alarm only(Kind kind) {
        List<Alarm> found = fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == kind)
                .toList();
        assertThat(found).as("%s among %s", kind, fabric.state.alarms()).hasSize(1);
        return found.get(0);
    }

    private void kill(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    @Test
    void shouldPutCablesUnderTheDeadSwitchAtEitherEnd() {
        kill(spine);
        Alarm dead = only(Kind.SWITCH_DEAD);
        assertThat(dead.text()).isEqualTo("l2s0: dead, no agent and all its links are down");
        assertThat(fabric.state.snapshot().parentOf(dead)).isNull();
        assertThat(fabric.state.alarms())
                .filteredOn(alarm -> alarm.kind() == Kind.LINK_DOWN)
                .hasSize(4)
                .allSatisfy(alarm ->
                        assertThat(fabric.state.snapshot().parentOf(alarm)).isEqualTo(dead));

        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        assertThat(fabric.state.snapshot().parentOf(only(Kind.HOST_DOWN)))
                .as("its leaf is well")
                .isNull();
    }

    /** A management host on each of two spines in place of a cable: nothing is above them. */
    @Test
    void shouldNameHostsOnTwoSpinesInOneLineUntilTheyAreGone() {
        FabricViewBuilder metal = PgftGenerator.generate(PgftShape.parse("2;3,4;1,3;1,1"));
        fabric = new SimulatedFabric(metal);
        for (int i = 0; i < 2; i++) {
            Cable cable = fabric.cable(fabric.guid("leaf" + i), fabric.guid("l2s" + i));
            Degradation.cut(metal, cable);
            metal.apply(new PortSeen(
                    cable.farGuid(), cable.farPort(), true, new ToHost(new Host(0x700 + i, 0x700 + i, 1, "sm" + i))));
        }
        fabric.start();
        fabric.calm();

        Alarm apart = only(Kind.NO_LEGAL_PATH);
        assertThat(apart.text())
                .isEqualTo("switches with hosts above the leaves without a legal path:"
                        + " l2s0 – leaf0, l2s0 – l2s1, l2s1 – leaf1");
        assertThat(fabric.state.snapshot().parentOf(apart)).isNull();
        assertThat(fabric.state.snapshot().withoutPath()).isEqualTo("l2s0 – leaf0, l2s0 – l2s1, l2s1 – leaf1");
        assertThat(fabric.state.cutOff()).isEmpty();
        assertThat(fabric.state.alarmCount(Kind.LEAF_CUT_OFF)).isZero();
        assertThat(fabric.notes(LoggedEvent.Kind.NO_LEGAL_PATH)).hasSize(1);
        assertThat(fabric.notes(LoggedEvent.Kind.LEAVES_CUT_OFF)).isEmpty();

        Cable other = fabric.cable(fabric.guid("leaf2"), fabric.guid("l2s2"));
        fabric.setCable(other, false, true);
        fabric.calm();
        fabric.setCable(other, true, true);
        fabric.calm();
        assertThat(only(Kind.NO_LEGAL_PATH)).isEqualTo(apart);
        assertThat(fabric.notes(LoggedEvent.Kind.NO_LEGAL_PATH)).as("told once").hasSize(1);

        kill(fabric.guid("l2s1"));
        assertThat(only(Kind.NO_LEGAL_PATH).text()).endsWith("legal path: l2s0 – leaf0");
        assertThat(only(Kind.NO_LEGAL_PATH).id()).isEqualTo(apart.id());
        kill(fabric.guid("l2s0"));
        assertThat(fabric.state.alarmCount(Kind.NO_LEGAL_PATH)).isZero();
        assertThat(fabric.state.snapshot().withoutPath()).isEmpty();
    }

    /** The leaf cannot be told to send over its other spine, and nobody else sees its packets but that spine, which has no way down. */
    @Test
    void shouldNamePairsThatAreLostByWhatAHeadlessLeafHolds() {
        fabric = new SimulatedFabric("2;2,2;1,2;1,1").start();
        fabric.calm();
        long leaf = fabric.guid("leaf0");
        Cable cable = fabric.cable(fabric.guid("leaf1"), fabric.guid("l2s0"));
        fabric.mute.add(leaf);
        fabric.leave(leaf);
        fabric.calm();
        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isZero();

        fabric.setCable(cable, false, true);
        fabric.calm();
        Alarm lost = only(Kind.PAIRS_LOST);
        assertThat(lost.text())
                .isEqualTo(
                        "1 pair of a leaf and a host has no way, or may have none, by the tables of leaf0, which cannot be told"
                                + " others: leaf0 to node2");
        assertThat(fabric.state.snapshot().parentOf(lost)).isNull();
        assertThat(fabric.notes(LoggedEvent.Kind.PAIRS_LOST))
                .extracting(LoggedEvent::text)
                .containsExactly(lost.text());

        fabric.mute.remove(leaf);
        fabric.join(leaf);
        fabric.calm();
        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isZero();
        assertThat(fabric.notes(LoggedEvent.Kind.PAIRS_LOST))
                .extracting(LoggedEvent::text)
                .containsExactly(lost.text(), "all pairs of a leaf and a host have a way again");
    }

    /** Two nodes at each leaf, and a spine that leaf0 uses for one of them. */
    @Test
    void shouldCallAgainWhenMorePairsAreLostThanWereAcknowledged() {
        fabric = new SimulatedFabric("2;2,3;1,2;1,1").start();
        fabric.calm();
        long leaf = fabric.guid("leaf0");
        fabric.mute.add(leaf);
        fabric.leave(leaf);
        fabric.calm();
        Cable first = fabric.cable(fabric.guid("leaf1"), fabric.guid("l2s0"));
        fabric.setCable(first, false, true);
        fabric.calm();
        assertThat(only(Kind.PAIRS_LOST).text()).startsWith("1 pair ").endsWith(": leaf0 to node2");
        acknowledgeLost();

        fabric.setCable(fabric.cable(fabric.guid("leaf2"), fabric.guid("l2s1")), false, true);
        fabric.calm();
        assertThat(only(Kind.PAIRS_LOST).text()).startsWith("2 pairs ");
        assertThat(only(Kind.PAIRS_LOST).acknowledgement()).isNull();
        assertThat(fabric.disk.all(Acknowledgement.class)).isEmpty();
        acknowledgeLost();

        fabric.setCable(first, true, true);
        fabric.pass(700_000 * MILLI);
        fabric.calm();
        assertThat(only(Kind.PAIRS_LOST).text()).startsWith("1 pair ");
        assertThat(only(Kind.PAIRS_LOST).acknowledgement()).as("fewer").isNotNull();
    }

    private void acknowledgeLost() {
        fabric.send(new FabricEvent.AcknowledgeAsked(
                fabric.now, only(Kind.PAIRS_LOST).id(), "ann", "power works"));
        fabric.calm();
        assertThat(only(Kind.PAIRS_LOST).acknowledgement()).isNotNull();
    }

    /** Another engine was chosen meanwhile, and leaf0 sends as it did. */
    @Test
    void shouldNotEndLostPairsOfWhichNobodyHasLooked() {
        fabric = new SimulatedFabric("2;2,3;1,2;1,1").start();
        fabric.calm();
        Cable cable = fabric.cable(fabric.guid("leaf1"), fabric.guid("l2s0"));
        fabric.mute.add(fabric.guid("leaf0"));
        fabric.leave(fabric.guid("leaf0"));
        fabric.setCable(cable, false, true);
        fabric.calm();
        Alarm lost = only(Kind.PAIRS_LOST);

        fabric.followsHeldTables = false;
        long epoch = fabric.state.epoch();
        fabric.setCable(fabric.cable(fabric.guid("leaf2"), fabric.guid("l2s0")), false, true);
        fabric.calm();
        assertThat(fabric.state.epoch()).isGreaterThan(epoch);

        assertThat(only(Kind.PAIRS_LOST)).isEqualTo(lost);
        assertThat(fabric.notes(LoggedEvent.Kind.PAIRS_LOST)).hasSize(1);
    }

    /** By its old table node2 is lost, and it is not known whether leaf0 has taken the new one. */
    private Effect.Push cutWhileATableIsOnItsWay() {
        fabric = new SimulatedFabric("2;2,2;1,2;1,1").start();
        fabric.calm();
        long leaf = fabric.guid("leaf0");
        fabric.mute.add(leaf);
        fabric.setCable(fabric.cable(fabric.guid("leaf1"), fabric.guid("l2s0")), false, true);
        fabric.pass(20 * MILLI);
        return fabric.log.stream()
                .filter(Effect.Push.class::isInstance)
                .map(Effect.Push.class::cast)
                .filter(push -> push.update().guid() == leaf)
                .reduce((before, last) -> last)
                .orElseThrow();
    }

    @Test
    void shouldEndLostPairsWhenTheAgentIsBackWithTheTableThatWasOnItsWay() {
        Effect.Push push = cutWhileATableIsOnItsWay();
        long leaf = push.update().guid();
        fabric.leave(leaf);
        fabric.pass(20 * MILLI);
        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isEqualTo(1);

        fabric.held.put(leaf, push.update().row().toBytes());
        fabric.mute.remove(leaf);
        fabric.join(leaf);
        fabric.calm();
        assertThat(fabric.state.alarms()).extracting(Alarm::kind).containsExactly(Kind.LINK_DOWN);
    }

    @Test
    void shouldEndLostPairsWhenASilentAgentAnswersAgain() {
        Effect.Push push = cutWhileATableIsOnItsWay();
        long leaf = push.update().guid();
        fabric.ringSays(true, leaf);
        fabric.pass(20 * MILLI);
        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isEqualTo(1);

        fabric.mute.remove(leaf);
        fabric.take(push);
        fabric.work();
        fabric.ringSays(false, leaf);
        fabric.calm();
        assertThat(fabric.state.alarms()).extracting(Alarm::kind).containsExactly(Kind.LINK_DOWN);
    }

    /** A drained switch goes on forwarding. */
    @Test
    void shouldNotTakeForLostWhatAHeadlessLeafSendsOverADrainedSpine() {
        fabric = new SimulatedFabric("2;2,2;1,2;1,1").start();
        fabric.calm();
        long leaf = fabric.guid("leaf0");
        fabric.mute.add(leaf);
        fabric.leave(leaf);
        fabric.calm();

        Act drain = new Act(Act.Verb.DRAIN, List.of(new PortPlace(fabric.guid("l2s0"), 0)), "");
        fabric.send(new FabricEvent.ActAsked(fabric.now, drain, 0, "ada", ""));
        fabric.calm();

        assertThat(fabric.state.snapshot().intent().drained()).hasSize(1);
        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isZero();
    }

    /** It is not taken for a second fabric because no live cable joins it to the rest. */
    @Test
    void shouldAlarmWhenAPodLosesAllItsCablesToTheCores() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
        fabric.calm();
        FabricView whole = fabric.whole();
        for (Cable cable : Degradation.cables(whole)) {
            boolean ofPod = whole.switchName(whole.switchOf(cable.guid())).matches("l2s[01]");
            if (ofPod && whole.switchName(whole.switchOf(cable.farGuid())).startsWith("l3s")) {
                fabric.setCable(cable, false, true);
            }
        }
        fabric.calm();

        assertThat(fabric.state.snapshot().view()).isNotNull();
        assertThat(Objects.requireNonNull(fabric.state.snapshot().view()).partCount())
                .isEqualTo(1);
        assertThat(fabric.state.cutOff()).containsExactly("leaf0", "leaf1");
        assertThat(fabric.state.alarmCount(Kind.LEAF_CUT_OFF)).isEqualTo(2);
    }

    @Test
    void shouldPutCablesAndHostsUnderTheLeafThatIsCutOff() {
        fabric.setPort(leaf, 1, false, true);
        fabric.setLinks(leaf, false, true);
        fabric.calm();

        Alarm cutOff = only(Kind.LEAF_CUT_OFF);
        assertThat(cutOff.guid()).isEqualTo(leaf);
        assertThat(cutOff.text()).isEqualTo("leaf0: cut off, some other leaf has no path to it");
        assertThat(fabric.state.snapshot().parentOf(cutOff)).isNull();
        assertThat(fabric.state.alarms())
                .filteredOn(alarm -> alarm.id() != cutOff.id())
                .hasSize(3)
                .allSatisfy(alarm ->
                        assertThat(fabric.state.snapshot().parentOf(alarm)).isEqualTo(cutOff));

        fabric.setCable(uplink, true, true);
        fabric.calm();
        assertThat(fabric.state.alarmCount(Kind.LEAF_CUT_OFF)).isZero();
    }

    @Test
    void shouldSaySinceWhenAndWhichEpochAnswersIt() {
        fabric.pass(7_000 * MILLI);
        long epoch = fabric.state.epoch();
        long since = fabric.now / MILLI;

        fabric.setPort(leaf, 1, false, true);
        fabric.work();
        assertThat(only(Kind.HOST_DOWN).causeEpoch()).as("needs no new tables").isEqualTo(epoch);
        assertThat(only(Kind.HOST_DOWN).sinceMillis()).isEqualTo(since);
        assertThat(only(Kind.HOST_DOWN).peerGuid()).isEqualTo(host.portGuid());
        assertThat(only(Kind.HOST_DOWN).peerPort()).isZero();

        fabric.pass(1_000 * MILLI);
        fabric.holdComputations = true;
        fabric.setCable(uplink, false, true);
        fabric.work();
        fabric.setCable(new Cable(leaf, uplink.port() + 1, fabric.guid("l2s1"), uplink.farPort()), false, true);
        fabric.work();

        assertThat(fabric.state.alarms())
                .filteredOn(alarm -> alarm.kind() == Kind.LINK_DOWN)
                .extracting(Alarm::causeEpoch)
                .as("computed now, and to be computed next")
                .containsExactly(epoch + 1, epoch + 2);
    }

    @Test
    void shouldDropWhatAnotherVersionCalledAnAlarm() {
        OpenAlarm unknown = new OpenAlarm("gremlin", leaf, 1, 41, 0, 0);
        fabric.disk.apply(unknown);

        fabric = fabric.restarted().start();

        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.disk.all(OpenAlarm.class)).isEmpty();
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();
        assertThat(only(Kind.HOST_DOWN).id()).as("numbers are never used again").isEqualTo(42);
    }

    @Test
    void shouldSayWhatAFullDiskKeepsWaiting() {
        fabric.send(new StoreReported(fabric.now, "no space"));
        fabric.calm();
        String text = "no space; until it is kept again, new hosts and switches wait";
        assertThat(only(Kind.STATE_STORE).text()).isEqualTo(text);
        long number = only(Kind.STATE_STORE).id();

        fabric.diskTakes = false;
        PortSeen newcomer = new PortSeen(leaf, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer")));
        fabric.metal.apply(newcomer);
        fabric.setPort(leaf, 1, true, true);
        fabric.pass(1_000 * MILLI);
        assertThat(only(Kind.STATE_STORE).text()).isEqualTo(text);
        assertThat(only(Kind.STATE_STORE).id()).isEqualTo(number);
        assertThat(fabric.state.alarmCount(Kind.STATE_STORE)).isEqualTo(1);

        fabric.send(new StoreReported(fabric.now, "still no space"));
        fabric.work();
        assertThat(fabric.notes(LoggedEvent.Kind.STATE_STORE)).as("told once").hasSize(1);
        fabric.send(new StoreReported(fabric.now, ""));
        fabric.work();
        assertThat(fabric.notes(LoggedEvent.Kind.STATE_STORE))
                .extracting(note -> note.severity() + " " + note.text())
                .containsExactly("ALARM no space", "INFO state is kept again");
    }

    @Test
    void shouldSayWhoLeadsInItsPlace() {
        fabric.send(new RevokeHeard(fabric.now, 9, 0));
        fabric.calm();

        assertThat(only(Kind.LEADER_CONFLICT).text())
                .isEqualTo(
                        "stepped down: another manager leads with leader epoch 9, this one has 1 and pushes nothing");
        assertThat(only(Kind.LEADER_CONFLICT).guid()).isZero();
        assertThat(fabric.state.snapshot().parentOf(only(Kind.LEADER_CONFLICT))).isNull();
    }

    @Test
    void shouldTellOfAHostBesideItsCable() {
        fabric.setPort(leaf, 1, false, true);
        fabric.work();
        fabric.setPort(leaf, 1, true, true);
        fabric.work();
        assertThat(only(Kind.HOST_HELD).text())
                .isEqualTo("host " + host.name() + " at leaf0 port 1 held down, it flapped");
        fabric.calm();

        LoggedEvent.Cable cable = new LoggedEvent.Cable(1, host.portGuid(), host.name(), 0);
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_DOWN)).singleElement().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Severity.WARNING);
            assertThat(note.cable()).isEqualTo(cable);
            assertThat(note.name()).isEqualTo("leaf0");
            assertThat(note.text()).isEqualTo("host " + host.name() + " at leaf0 port 1 down");
        });
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_UP)).singleElement().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Severity.INFO);
            assertThat(note.cable()).isEqualTo(cable);
            assertThat(note.text()).isEqualTo("host " + host.name() + " at leaf0 port 1 up");
        });
    }

    @Test
    void shouldSayInWordsHowASwitchWithoutAnAgentIs() {
        fabric.leave(spine);
        fabric.calm();
        assertThat(only(Kind.SWITCH_HEADLESS).text()).isEqualTo("l2s0: headless, no agent but it keeps its table");
        assertThat(only(Kind.SWITCH_HEADLESS).causeEpoch()).isEqualTo(fabric.state.epoch());

        fabric = fabric.restarted();
        for (String name : List.of("leaf0", "leaf1", "leaf2", "leaf3", "l2s1")) {
            fabric.join(fabric.guid(name));
        }
        fabric.calm();
        assertThat(only(Kind.SWITCH_MISSING).text())
                .isEqualTo("l2s0: no agent has come in for it since the manager started");

        fabric.join(spine);
        fabric.calm();
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.state.alarmCount(Kind.SWITCH_MISSING)).isZero();
    }
}

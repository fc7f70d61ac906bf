package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Switches without an agent of which nobody knows what they hold, or that may hold nothing: what people are told, and when such a switch is given a table. */
class UnknownTableTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    private static Alarm only(SimulatedFabric of, Kind kind) {
        return of.state.alarms().stream()
                .filter(alarm -> alarm.kind() == kind)
                .findFirst()
                .orElseThrow(() -> new AssertionError(kind + " is not among " + of.state.alarms()));
    }

    private static SwitchRecord record(SimulatedFabric of, long guid) {
        return Objects.requireNonNull(of.state.findSwitch(guid));
    }

    private void losePower(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.held.remove(guid);
        fabric.work();
    }

    /** All others are in; this one loses power and is back without its agent before the manager goes on. */
    private SimulatedFabric rebootsWhileItIsWaitedFor(long guid) {
        SimulatedFabric next = fabric.restarted();
        FabricView view = next.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchGuid(s) != guid) {
                next.join(view.switchGuid(s));
            }
        }
        next.work();
        next.setLinks(guid, false, true);
        next.held.remove(guid);
        next.work();
        next.setLinks(guid, true, true);
        next.work();
        assertThat(next.state.discovering()).isTrue();
        next.pass(SimulatedFabric.RULES.discoveryTimeoutNanos());
        next.calm();
        return next;
    }

    @Test
    void shouldTellOfPairsThatALeafMayLoseOfWhichNobodyKnowsWhatItHolds() {
        SimulatedFabric next = rebootsWhileItIsWaitedFor(leaf);

        assertThat(record(next, leaf).possibleRows()).isEmpty();
        assertThat(next.state.cabling().alive(leaf)).as("packets are led to it").isTrue();
        assertThat(only(next, Kind.PAIRS_LOST).text())
                .contains("have no way, or may have none, by the tables of leaf0, which cannot be told others");
        assertThat(only(next, Kind.SWITCH_MISSING).text())
                .isEqualTo("leaf0: no agent has come in for it since the manager started, and nobody knows what it"
                        + " holds");
        assertThat(next.notes(LoggedEvent.Kind.SWITCH_HEADLESS))
                .singleElement()
                .satisfies(note -> assertThat(note.text())
                        .isEqualTo("leaf0: no agent has come in since the manager started; nobody knows what it"
                                + " holds"));

        next.join(leaf);
        next.calm();

        assertThat(next.state.alarms()).isEmpty();
        assertThat(next.tablesHeld()).usingRecursiveComparison().isEqualTo(fabric.tablesHeld());
    }

    private void ask(Act act) {
        fabric.send(new FabricEvent.ActAsked(fabric.now, act, 0, "ada", ""));
        fabric.work();
    }

    /** Its agent says that it has so many of its entries, with a digest that nobody knows, and leaves. */
    private void comesAndSaysOnlyHowMany(int entries) {
        fabric.leave(leaf);
        byte[] unknown = Arrays.copyOf(Objects.requireNonNull(fabric.held.get(leaf)), entries);
        unknown[0] = 42;
        fabric.held.put(leaf, unknown);
        fabric.join(leaf);
    }

    @Test
    void shouldTellOfPairsBehindTheLastEntryOfALeafOfWhichNobodyKnowsWhichTableItHolds() {
        ask(Act.pause(0, false)); // nothing is sent to it
        comesAndSaysOnlyHowMany(12);
        fabric.work();
        fabric.leave(leaf);
        fabric.calm();
        assertThat(record(fabric, leaf).possibleRows()).isEmpty();
        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isZero();

        long other = fabric.guid("leaf1");
        fabric.metal.apply(new PortSeen(other, 1, true, new ToHost(new Host(0x77, 0x77, 1, "newcomer"))));
        fabric.setPort(other, 1, true, true);
        fabric.calm();

        assertThat(only(fabric, Kind.PAIRS_LOST).text())
                .isEqualTo("1 pair of a leaf and a host has no way, or may have none, by the tables of leaf0, which"
                        + " cannot be told others: leaf0 to newcomer");

        ask(new Act(Act.Verb.RESUME, List.of(), ""));
        fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.state.alarmCount(Kind.PAIRS_LOST)).isZero();
    }

    /** Nobody knows whether it has taken what it was sent over that. */
    @Test
    void shouldTellOfPairsThatALeafLosesIfItDidNotTakeALongerTable() {
        comesAndSaysOnlyHowMany(11);
        fabric.deaf.add(leaf);
        fabric.work();
        fabric.leave(leaf);
        fabric.calm();

        assertThat(record(fabric, leaf).possibleRows())
                .singleElement()
                .satisfies(row -> assertThat(row.entryCount()).isEqualTo(12));
        FabricView view = Objects.requireNonNull(fabric.state.view());
        assertThat(only(fabric, Kind.PAIRS_LOST).text()).endsWith("leaf0 to " + EntryRefusals.name(view, 11));
    }

    /** On record is that its table has 8 entries, and a digest that none of the last tables has; its agent does not come. */
    @Test
    void shouldLeadAroundASwitchBehindTheLastEntryOfItsUnknownTable() {
        List<Integer> before = ledThrough(fabric, spine);
        fabric.disk.apply(new HeldTable(spine, fabric.state.leaderEpoch(), 1, 8, 42, false, List.of()));
        SimulatedFabric next = fabric.restarted();
        next.state.switches.keySet().stream().filter(guid -> guid != spine).forEach(next::join);
        next.calm();

        assertThat(record(next, spine).heldRow()).isNull();
        assertThat(before).anyMatch(d -> d < 8).anyMatch(d -> d >= 8);
        assertThat(ledThrough(next, spine))
                .containsExactlyElementsOf(before.stream().filter(d -> d < 8).toList());
        assertThat(record(next, spine).bypassed()).isTrue();
        assertThat(next.state.alarmCount(Kind.PAIRS_LOST)).isZero();
    }

    /** Destinations for which the table of some other switch leads to this one. */
    private static List<Integer> ledThrough(SimulatedFabric of, long guid) {
        FabricView view = Objects.requireNonNull(of.state.view());
        return IntStream.range(0, view.nodeCount())
                .filter(d -> of.tablesHeld().entrySet().stream()
                        .filter(held -> held.getKey() != guid)
                        .anyMatch(held -> {
                            int s = view.switchOf(held.getKey());
                            int port = Byte.toUnsignedInt(held.getValue()[d]);
                            return port <= view.portCount(s) && view.peerSwitch(s, port) == view.switchOf(guid);
                        }))
                .boxed()
                .toList();
    }

    /** What nobody knows of a leaf changes no table: all ways to its hosts end there. */
    @Test
    void shouldChangeNoTableForALeafOfWhichNobodyKnowsWhatItHolds() {
        SimulatedFabric next = rebootsWhileItIsWaitedFor(leaf);

        assertThat(next.state.epochs())
                .last()
                .satisfies(epoch -> assertThat(epoch.cutOffLeaves()).isEmpty());
        fabric.tablesHeld().forEach((guid, row) -> {
            if (guid != leaf) {
                assertThat(next.tablesHeld().get(guid))
                        .as(fabric.metal.name(guid))
                        .isEqualTo(row);
            }
        });
    }

    /** Power is back on a whole site, and the agents of leaves come later than the manager waits: how long tables take is bounded. */
    @Test
    void shouldReckonWithABoundedNumberOfLeavesThatMayHoldNothing() {
        SimulatedFabric next =
                new SimulatedFabric("3;8,16,16;1,2,2;1,1,1").start().restarted();
        FabricView view = next.whole();
        List<Long> leaves = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.isLeaf(s)) {
                leaves.add(view.switchGuid(s));
            } else {
                next.join(view.switchGuid(s));
            }
        }
        next.work();
        for (boolean up : new boolean[] {false, true}) {
            for (long each : leaves) {
                next.setLinks(each, up, true);
                next.held.remove(each);
            }
            next.work();
        }
        next.pass(SimulatedFabric.RULES.discoveryTimeoutNanos());
        next.calm();

        assertThat(leaves).hasSize(256);
        assertThat(next.log)
                .filteredOn(Effect.Compute.class::isInstance)
                .last()
                .satisfies(effect ->
                        assertThat(((Effect.Compute) effect).heldCounts()).hasSize((1 << 18) / view.nodeCount()));
        assertThat(next.state.alarms())
                .filteredOn(alarm -> alarm.text().contains("nobody knows what it holds"))
                .hasSize(256);
    }

    /** What such a leaf costs is what it misses. */
    @Test
    void shouldReckonWithAllLeavesThatMissFewEntries() {
        SimulatedFabric many = new SimulatedFabric("3;8,16,16;1,2,2;1,1,1").start();
        FabricView view = many.whole();
        many.send(new FabricEvent.ActAsked(many.now, Act.pause(0, false), 0, "ada", ""));
        many.work();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.isLeaf(s) && s % 4 > 0) {
                long each = view.switchGuid(s);
                many.leave(each);
                many.held.put(each, new byte[view.nodeCount() - 2]);
                many.join(each);
                many.leave(each);
            }
        }
        many.calm();

        assertThat(many.log)
                .filteredOn(Effect.Compute.class::isInstance)
                .last()
                .satisfies(effect ->
                        assertThat(((Effect.Compute) effect).heldCounts()).hasSize(192));
    }

    /** Another one has a table that does not fit: of the leaf there is nothing to lead around. */
    @Test
    void shouldNotSayOfALeafThatPacketsAreLedAroundIt() {
        SimulatedFabric next = rebootsWhileItIsWaitedFor(leaf);
        long middle = next.guid("l2s2");
        next.leave(middle);
        next.setCable(next.cableAt(middle), false, true);

        next.calm();

        assertThat(next.notes(LoggedEvent.Kind.SWITCH_BYPASSED))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).startsWith("l2s2: headless, and its table does not fit"));
        assertThat(record(next, leaf).bypassed()).isFalse();
    }

    @Test
    void shouldNotSayOfASwitchThatLostPowerThatItKeepsItsTable() {
        losePower(spine);
        fabric.calm();
        assertThat(record(fabric, spine).condition()).isEqualTo(Condition.DEAD);

        fabric.setLinks(spine, true, true);
        fabric.calm();

        assertThat(only(fabric, Kind.SWITCH_HEADLESS).text())
                .isEqualTo("l2s0: headless, no agent, and nobody knows what it holds; not used before its agent is"
                        + " back");
    }

    /** All neighbours but one that says nothing see its links down, and it was headless already. */
    @Test
    void shouldSayOnceItMayHaveLostPowerThatNobodyKnowsWhatAHeadlessLeafHolds() {
        SimulatedFabric three = new SimulatedFabric("2;2,4;1,3;1,1").start();
        long silent = three.guid("leaf0");
        three.mute.add(silent);
        three.ringSays(true, silent);
        three.calm();
        assertThat(only(three, Kind.SWITCH_HEADLESS).text()).endsWith("no agent but it keeps its table");
        three.mute.add(three.guid("l2s0"));
        three.setLinks(silent, false, true);
        three.leave(silent);
        three.work();
        three.setLinks(silent, true, true);

        three.calm();

        assertThat(only(three, Kind.SWITCH_HEADLESS).text())
                .isEqualTo("leaf0: headless, no agent, and nobody knows what it holds");
    }

    @Test
    void shouldSayThatASwitchMayHoldNoTable() {
        fabric.leave(leaf);
        fabric.held.remove(leaf);
        fabric.join(leaf);
        fabric.holdPushes = true;
        fabric.work();
        fabric.leave(leaf);
        fabric.calm();

        assertThat(only(fabric, Kind.SWITCH_HEADLESS).text())
                .isEqualTo("leaf0: headless, no agent, and it may hold no table");
        assertThat(fabric.notes(LoggedEvent.Kind.SWITCH_HEADLESS))
                .last()
                .satisfies(note -> assertThat(note.text())
                        .isEqualTo("leaf0: headless, no agent but links are up; it may hold no table"));
    }

    @Test
    void shouldSayThatNobodyKnowsWhichTableASwitchHolds() {
        fabric.leave(leaf);
        Objects.requireNonNull(fabric.held.get(leaf))[0] = 42;
        fabric.deaf.add(leaf);
        fabric.join(leaf);
        fabric.work();
        fabric.leave(leaf);
        fabric.calm();

        assertThat(only(fabric, Kind.SWITCH_HEADLESS).text())
                .isEqualTo("leaf0: headless, no agent, and nobody knows which table it holds");
    }

    /** The epoch under way takes from others what leads to it: by its table of before, packets would arrive, and be lost then. */
    @Test
    void shouldGiveASwitchThatCameBackNoTableBeforeAPlanSeesItBack() {
        byte[] before = Objects.requireNonNull(fabric.tablesHeld().get(leaf));
        fabric.holdComputations = true;
        losePower(leaf);
        fabric.pass(10 * MILLI);
        assertThat(fabric.state.computing()).as("a view without the leaf").isTrue();
        fabric.setLinks(leaf, true, true);
        fabric.join(leaf);
        fabric.pass(10 * MILLI);
        assertThat(fabric.held).doesNotContainKey(leaf);

        fabric.finishComputation(true);
        fabric.work();
        assertThat(fabric.held).as("nor before the next one is planned").doesNotContainKey(leaf);
        fabric.finishComputation(false);
        fabric.calm();

        assertThat(fabric.held.get(leaf)).isEqualTo(before);
        assertThat(fabric.state.calm()).isTrue();

        fabric.holdComputations = true;
        fabric.held.remove(leaf);
        fabric.join(leaf);
        fabric.work();
        assertThat(fabric.held.get(leaf))
                .as("planned with, and lost without a word")
                .isEqualTo(before);
    }

    /** Its view was drawn before the leaf died, and its tables are accepted all the same, as too many before were thrown away. */
    @Test
    void shouldGiveASwitchNoTableByAViewThatWasDrawnBeforeItDied() {
        fabric.holdComputations = true;
        fabric.state.news.add(fabric.now, "something");
        fabric.work();
        for (int i = 0; i < FabricRules.SUPERSEDED_MAX; i++) {
            fabric.state.news.add(fabric.now, "something else");
            fabric.finishComputation(true);
        }
        losePower(leaf);
        fabric.pass(10 * MILLI);
        long accepted = fabric.state.epoch();
        fabric.finishComputation(true);
        assertThat(Objects.requireNonNull(fabric.state.tables()).epoch()).isEqualTo(accepted);
        assertThat(fabric.state.epoch()).as("a view without the leaf").isGreaterThan(accepted);

        fabric.setLinks(leaf, true, true);
        fabric.join(leaf);
        fabric.pass(10 * MILLI);

        assertThat(fabric.held).doesNotContainKey(leaf);
        fabric.finishComputation(false);
        fabric.calm();
        assertThat(fabric.held).containsKey(leaf);
    }

    /** What was on record of it is recognised by the tables of the first epoch alone. */
    @Test
    void shouldNotSayOfAMissingSwitchThatNobodyKnowsWhatTheFirstEpochTells() {
        fabric.disk.apply(new StateRecord.Removed(new StateRecord.Key(StateRecord.Kind.FABRIC_EPOCH, 0, 0, "")));
        SimulatedFabric next = fabric.restarted();
        fabric.state.switches().stream()
                .map(SwitchRecord::guid)
                .filter(guid -> guid != leaf)
                .forEach(next::join);
        next.pass(60_000 * MILLI);

        assertThat(record(next, leaf).keepsTable()).isTrue();
        assertThat(next.state.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Alarm.Kind.SWITCH_MISSING);
            assertThat(alarm.text()).endsWith("no agent has come in for it since the manager started");
        });
    }

    /** A table was on its way to it when it died, and is not what it is to have: that plan knew it by a table that it lost. */
    @Test
    void shouldNotGoOnWithThePlanOfBeforeWhereASwitchCameBack() {
        fabric.holdPushes = true;
        fabric.setCable(fabric.cableAt(leaf), false, true);
        fabric.work();
        assertThat(record(fabric, leaf).due).isNotEmpty();
        fabric.heldPushes.clear();
        fabric.holdPushes = false;
        fabric.holdComputations = true;
        losePower(leaf);
        fabric.pass(10 * MILLI);
        fabric.join(leaf);
        fabric.work();
        fabric.setLinks(leaf, true, true);

        fabric.pass(10 * MILLI);

        assertThat(fabric.state.computing()).isTrue();
        assertThat(fabric.held).doesNotContainKey(leaf);
    }

    /** There may be no other plan for long. */
    @Test
    void shouldGiveASwitchThatCameBackItsTableWhereTheNextEpochIsRefused() {
        byte[] before = Objects.requireNonNull(fabric.tablesHeld().get(leaf));
        for (Effect.Method method : Effect.Method.values()) {
            fabric.engines.put(method, new BrokenEngine());
        }
        losePower(leaf);
        fabric.setLinks(leaf, true, true);
        fabric.join(leaf);

        fabric.calm();

        assertThat(fabric.state.alarmCount(Kind.EPOCH_REFUSED)).isOne();
        assertThat(fabric.held.get(leaf)).isEqualTo(before);
    }
}

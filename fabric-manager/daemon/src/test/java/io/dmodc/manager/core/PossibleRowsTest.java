package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a manager knows, after a start, of tables that nobody can ask for. */
class PossibleRowsTest {
    private static final long MILLI = SimulatedFabric.MILLI;
    private static final Act RESUME = new Act(Act.Verb.RESUME, List.of(), "");

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
    private final long spine = fabric.guid("l2s0");
    private final byte[] before = Objects.requireNonNull(fabric.tablesHeld().get(spine));

    private static List<byte[]> possible(SimulatedFabric fabric, long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid)).possibleRows().stream()
                .map(LftRow::toBytes)
                .toList();
    }

    private byte[] wanted(SimulatedFabric fabric) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(fabric.state.findSwitch(spine)).desiredRow())
                .toBytes();
    }

    private HeldTable kept() {
        return fabric.disk.all(HeldTable.class).stream()
                .filter(held -> held.guid() == spine)
                .findFirst()
                .orElseThrow();
    }

    private void cutACableOfTheSpine() {
        Cable cable = fabric.cableAt(spine);
        fabric.setCable(cable, false, true);
    }

    private SimulatedFabric restartedWithoutTheSpine() {
        SimulatedFabric next = fabric.restarted();
        FabricView view = next.whole();
        IntStream.range(0, view.switchCount())
                .mapToLong(view::switchGuid)
                .filter(guid -> guid != spine)
                .forEach(next::join);
        next.calm();
        return next;
    }

    @Test
    void shouldKnowTheOldAndTheNewRowAfterItEndedBetweenAPushAndItsAnswer() {
        fabric.deaf.add(spine);
        cutACableOfTheSpine();
        fabric.work();

        SimulatedFabric next = restartedWithoutTheSpine();

        assertThat(wanted(next)).isNotEqualTo(before);
        assertThat(possible(next, spine)).containsExactlyInAnyOrder(before, wanted(next));
    }

    @Test
    void shouldKeepOnlyWhatDiffersOfASwitchThatCanBeTold() {
        fabric.deaf.add(spine);
        cutACableOfTheSpine();
        fabric.work();

        assertThat(kept().rows()).singleElement().satisfies(row -> {
            assertThat(row.whole()).isFalse();
            assertThat(row.base())
                    .isEqualTo(Objects.requireNonNull(fabric.state.findSwitch(spine))
                            .desiredDigest());
        });
        fabric.deaf.clear();
        fabric.calm();
        assertThat(kept().rows()).isEmpty();
    }

    @Test
    void shouldKnowTheRowOfASwitchThatWasAwayWhenTheFabricChanged() {
        fabric.leave(spine);
        fabric.calm();
        cutACableOfTheSpine();
        fabric.calm();

        assertThat(kept().rows()).singleElement().matches(KeptRow::whole);
        SimulatedFabric next = restartedWithoutTheSpine();

        assertThat(possible(next, spine)).anySatisfy(row -> assertThat(row).isEqualTo(before));
    }

    /** What it was sent may have come there or not, and there is a way around it. */
    @Test
    void shouldNotRelyOnTheTableOfASwitchThatSaidItHasNoneAndWasSentOne() {
        fabric.leave(spine);
        fabric.held.remove(spine);
        fabric.deaf.add(spine);
        fabric.join(spine);
        fabric.work();
        assertThat(kept().entryCount()).isZero();

        SimulatedFabric next = restartedWithoutTheSpine();

        assertThat(possible(next, spine)).containsExactlyInAnyOrder(new byte[0], wanted(next));
        assertThat(next.state.findSwitch(spine)).matches(record -> record.bypassed());
    }

    /** Tables that are not accepted go to nobody: what switches hold is computed again from the view before. */
    @Test
    void shouldKeepTheViewOfTheLastAcceptedTablesWhileOthersAreComputed() {
        List<KnownSwitch> switches = fabric.disk.all(KnownSwitch.class);
        List<FabricEpoch> epoch = fabric.disk.all(FabricEpoch.class);
        fabric.holdComputations = true;
        cutACableOfTheSpine();
        fabric.pass(100 * MILLI);

        assertThat(fabric.state.computing()).isTrue();
        assertThat(fabric.disk.all(KnownSwitch.class)).isEqualTo(switches);
        assertThat(fabric.disk.all(FabricEpoch.class)).isEqualTo(epoch);

        fabric.finishComputation(false);
        fabric.calm();
        assertThat(fabric.disk.all(KnownSwitch.class)).isNotEqualTo(switches);
        assertThat(fabric.disk.all(FabricEpoch.class))
                .containsExactly(new FabricEpoch(
                        fabric.state.epoch(), List.of(), List.of(), "", fabric.state.basis(""), 0, false));
    }

    private void ask(Act act) {
        fabric.send(new ActAsked(fabric.now, act, 0, "ada", "planned work"));
        fabric.work();
    }

    /** Nobody was sent them: to lead around a switch for a table that it cannot have would cost routes for nothing. */
    @Test
    void shouldNotCountTablesThatAPauseKeptBack() {
        ask(Act.pause(0, false));
        cutACableOfTheSpine();
        fabric.calm();

        SimulatedFabric next = restartedWithoutTheSpine();

        assertThat(wanted(next)).isNotEqualTo(before);
        assertThat(possible(next, spine)).containsExactly(before);
        SimulatedFabric later = next.restarted();
        later.work();
        assertThat(possible(later, spine)).containsExactly(before);
    }

    @Test
    void shouldCountATableThatWasSentBeforeThePauseAndIsWantedInIt() {
        fabric.deaf.add(spine);
        cutACableOfTheSpine();
        fabric.work();
        ask(Act.pause(0, false));
        fabric.state.news.add(fabric.now, "looked at again");
        fabric.work();

        SimulatedFabric next = restartedWithoutTheSpine();

        assertThat(possible(next, spine)).containsExactlyInAnyOrder(before, wanted(next));
    }

    @Test
    void shouldCountTablesThatAPauseKeptBackOnceItIsOver() {
        ask(Act.pause(0, false));
        cutACableOfTheSpine();
        fabric.calm();
        fabric.deaf.add(spine);
        fabric.diskTakes = false;
        fabric.send(new ActAsked(fabric.now, RESUME, 0, "ada", ""));
        fabric.join(spine);
        fabric.work();
        fabric.keepWhatWaits();
        assertThat(fabric.notes(LoggedEvent.Kind.PUSHES_RESUMED)).hasSize(1);
        assertThat(record(fabric).pushInFlight()).as("not on record yet").isFalse();
        fabric.diskTakes = true;
        fabric.keepWhatWaits();
        assertThat(record(fabric).pushInFlight()).isTrue();

        SimulatedFabric next = restartedWithoutTheSpine();

        assertThat(possible(next, spine)).containsExactlyInAnyOrder(before, wanted(next));
    }

    /** What it is given in the first round cannot be computed again. */
    @Test
    void shouldCountATableOfTheFirstRoundOnceAPauseIsOver() {
        long old = fabric.guid("leaf0");
        long home = fabric.guid("leaf5");
        ask(Act.pause(0, false));
        fabric.metal.apply(new PortSeen(home, 1, true, Objects.requireNonNull(fabric.metal.claim(old, 1))));
        fabric.setPort(old, 1, false, true);
        fabric.setPort(home, 1, true, true);
        fabric.calm();
        fabric.holdPushes = true;
        ask(RESUME);
        byte[] first = fabric.heldPushes.stream()
                .map(Effect.Push::update)
                .filter(update -> update.guid() == old)
                .map(update -> update.row().toBytes())
                .findFirst()
                .orElseThrow();

        SimulatedFabric next = fabric.restarted();
        next.work();

        assertThat(possible(next, old)).contains(first);
    }

    private SwitchRecord record(SimulatedFabric of) {
        return Objects.requireNonNull(of.state.findSwitch(spine));
    }

    /** It lost power and came back while its manager still waited for agents: it may forward nothing. */
    @Test
    void shouldNotTrustTheTableOfASwitchThatRebootedWhileItsAgentWasWaitedFor() {
        SimulatedFabric next = fabric.restarted();
        FabricView view = next.whole();
        List<Long> here = IntStream.range(0, view.switchCount())
                .mapToObj(view::switchGuid)
                .filter(guid -> guid != spine)
                .toList();
        here.forEach(next::join);
        next.work();
        next.setLinks(spine, false, true);
        next.work();
        next.setLinks(spine, true, true);
        next.work();
        assertThat(next.state.discovering()).isTrue();

        next.pass(SimulatedFabric.RULES.discoveryTimeoutNanos());
        next.calm();

        assertThat(next.state.discovering()).isFalse();
        assertThat(possible(next, spine)).allMatch(row -> row.length == 0);
        assertThat(next.state.cabling().alive(spine)).isFalse();
    }

    /** Its agent was away when tables that lead around it were asked for, and is back when they come. */
    @Test
    void shouldNotLeadAroundASwitchThatCameBackMeanwhile() {
        SimulatedFabric undisturbed = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
        Cable cable = fabric.cableAt(spine);
        undisturbed.setCable(cable, false, true);
        undisturbed.calm();
        fabric.leave(spine);
        fabric.calm();
        fabric.holdComputations = true;
        fabric.setCable(cable, false, true);
        fabric.pass(100 * MILLI);
        fabric.join(spine);
        fabric.work();

        fabric.finishComputation(false);
        fabric.calm();

        assertThat(fabric.notes(LoggedEvent.Kind.SWITCH_BYPASSED)).isEmpty();
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(undisturbed.tablesHeld());
    }

    @Test
    void shouldKeepNoMoreRowsThanThereIsRoomFor() {
        FabricState state = fabric.state;
        SwitchRecord record = Objects.requireNonNull(state.findSwitch(spine));
        record.mayHold(LftRow.of(new byte[before.length]), 42);
        StoredState disk = new StoredState();
        for (int room : new int[] {before.length, before.length - 1}) {
            HeldTableRecords records = new HeldTableRecords(state, room);
            records.changed(record);
            records.write();
            List<Effect> effects = new ArrayList<>();
            state.records.flush(effects);
            effects.forEach(effect -> ((Effect.Persist) effect).records().forEach(disk::apply));

            assertThat(disk.all(HeldTable.class)).singleElement().satisfies(held -> {
                assertThat(held.digest()).isEqualTo(record.ackedDigest());
                assertThat(held.rows()).hasSize(room == before.length ? 1 : 0);
            });
        }
    }

    @Test
    void shouldRatherKeepWhatASwitchMayHoldThanWhatItWillBeGiven() {
        FabricState state = fabric.state;
        SwitchRecord record = Objects.requireNonNull(state.findSwitch(spine));
        byte[] given = new byte[before.length];
        Arrays.fill(given, (byte) 1);
        record.mayHold(LftRow.of(new byte[before.length]), 42);
        record.due = List.of(new PlannedTable(1, LftRow.of(given), 43));
        StoredState disk = new StoredState();
        for (int room : new int[] {2 * before.length, 2 * before.length - 1}) {
            HeldTableRecords records = new HeldTableRecords(state, room);
            records.changed(record);
            records.write();
            List<Effect> effects = new ArrayList<>();
            state.records.flush(effects);
            effects.forEach(effect -> ((Effect.Persist) effect).records().forEach(disk::apply));

            assertThat(disk.all(HeldTable.class))
                    .singleElement()
                    .satisfies(held -> assertThat(
                                    held.rows().stream().map(KeptRow::digest).toList())
                            .isEqualTo(room == 2 * before.length ? List.of(42L, 43L) : List.of(42L)));
        }
    }
}

package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tables that wait for others leave in the end, whatever becomes of those; and none of a later round leaves before. */
class WaitingTablesTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;4,4,4;1,4,4;1,1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long other = neighbours(leaf).get(0);
    private final long returning = neighbours(leaf).get(1);

    private List<Long> neighbours(long guid) {
        return IntStream.rangeClosed(1, fabric.metal.portCount(guid))
                .filter(port -> fabric.metal.neighbour(guid, port) instanceof ToSwitch)
                .mapToObj(port -> ((ToSwitch) Objects.requireNonNull(fabric.metal.neighbour(guid, port))).guid())
                .toList();
    }

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private void lose() {
        fabric.leave(returning);
        fabric.setLinks(returning, false, true);
        fabric.calm();
    }

    /** Without a table, and its links are used after the hold-down. */
    private void comeBack() {
        fabric.held.remove(returning);
        fabric.setLinks(returning, true, true);
        fabric.join(returning);
    }

    private List<String> withoutTheirTables() {
        return fabric.state.switches().stream()
                .filter(record -> !record.upToDate())
                .map(SwitchRecord::name)
                .toList();
    }

    /** Its links are back, and the tables of round 1 are on their way. */
    private void hold() {
        lose();
        fabric.holdPushes = true;
        comeBack();
        fabric.pass(1100 * MILLI);
    }

    /** Its own second table waits for the first one. */
    @Test
    void shouldNameWhoHasATableUnderWayAndAnotherToCome() {
        hold();

        assertThat(fabric.state.snapshot().awaited())
                .contains(firstOfTwo().update().guid(), returning)
                .hasSizeLessThan(fabric.whole().switchCount());
    }

    private Effect.Push firstOfTwo() {
        return fabric.heldPushes.stream()
                .filter(push -> record(push.update().guid()).due.size() > 1)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldGoOnWhenItTurnsOutThatAnUnknownTableIsTheWantedOne() {
        lose();
        comeBack();
        fabric.pass(900 * MILLI);
        // A neighbour that does not answer keeps people guessing whether it is headless.
        fabric.mute.add(leaf);
        fabric.send(new TableAcked(fabric.now, fabric.session(other), other, 1, 4711));
        fabric.pass(200 * MILLI);
        fabric.mute.remove(leaf);
        assertThat(withoutTheirTables()).contains("leaf1", "leaf2");

        fabric.held.put(other, Objects.requireNonNull(record(other).desiredRow).toBytes());
        fabric.join(other);
        fabric.calm();

        assertThat(withoutTheirTables()).isEmpty();
    }

    @Test
    void shouldNotWaitForAnAgentThatCameAndWentWithoutAWord() {
        long spine = neighbours(other).get(neighbours(other).size() - 1);
        fabric.leave(other);
        fabric.setCable(
                Degradation.cables(fabric.whole()).stream()
                        .filter(cable -> cable.farGuid() == spine && cable.guid() != other)
                        .findFirst()
                        .orElseThrow(),
                false,
                true);
        lose();
        assertThat(record(other).condition).isEqualTo(Condition.HEADLESS);

        fabric.mute.add(other);
        fabric.join(other);
        comeBack();
        fabric.calm();

        assertThat(record(other).flagged()).isTrue();
        assertThat(withoutTheirTables()).containsExactly(fabric.metal.name(other));
        assertThat(fabric.state.epochs()).last().matches(epoch -> epoch.stage() == EpochRecord.Stage.COMPLETE);
    }

    /** All was written, and something failed nevertheless. */
    @Test
    void shouldKnowATableOfTheFirstRoundThatWasRefusedOnceItWasTaken() {
        hold();
        Effect.Push first = firstOfTwo();
        long guid = first.update().guid();
        HeldTable held = new HeldTable(
                1,
                first.update().fabricEpoch(),
                first.update().row().entryCount(),
                first.update().resultDigest());
        long epoch = fabric.state.epoch();
        fabric.heldPushes.remove(first);

        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(guid),
                guid,
                first.update().fabricEpoch(),
                RefusalReason.OTHER,
                "not sure",
                held));
        fabric.pass(1100 * MILLI);

        assertThat(record(guid).heldRow()).isEqualTo(first.update().row());
        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        assertThat(fabric.heldPushes)
                .noneMatch(push -> push.update().guid() == guid
                        && push.update().resultDigest() != first.update().resultDigest());
    }

    /** Its cable is back before it is sent the table again that it refused: it holds what is wanted. */
    @Test
    void shouldNotWaitForARefusedTableThatNobodyWantsAnyMore() {
        Degradation.Cable cable = fabric.cableAt(leaf);
        fabric.setCable(cable, false, true);
        fabric.holdPushes = true;
        fabric.pass(10 * MILLI);
        fabric.setCable(cable, true, true);
        fabric.pass(500 * MILLI);
        Effect.Push refused = fabric.heldPushes.stream()
                .filter(push -> push.update().guid() == leaf)
                .findFirst()
                .orElseThrow();
        List.copyOf(fabric.heldPushes).stream()
                .filter(push -> !push.equals(refused))
                .forEach(fabric::take);
        SwitchRecord record = record(leaf);
        HeldTable held =
                new HeldTable(1, 1, Objects.requireNonNull(record.heldRow()).entryCount(), record.ackedDigest());
        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(leaf),
                leaf,
                refused.update().fabricEpoch(),
                RefusalReason.OTHER,
                "no",
                held));
        fabric.holdPushes = false;

        fabric.pass(700 * MILLI);

        assertThat(record.pushInFlight()).as("it is not asked again yet").isTrue();
        assertThat(withoutTheirTables()).isEmpty();
        assertThat(fabric.state.epochs())
                .last()
                .matches(epoch -> epoch.epoch() > refused.update().fabricEpoch())
                .matches(epoch -> epoch.stage() == EpochRecord.Stage.COMPLETE);
    }

    /** The manager ends before it has written down that a table of the first round was taken. */
    @Test
    void shouldKnowTablesOfTheFirstRoundAfterARestart() {
        hold();
        Effect.Push first = firstOfTwo();
        long guid = first.update().guid();
        fabric.take(first);
        SimulatedFabric next = fabric.restarted();
        List<Integer> unknown = new ArrayList<>();
        next.computing = compute -> {
            FabricView view = compute.view();
            if (compute.inForce() != null
                    && compute.inForce().rows().get(view.switchOf(guid)).isEmpty()) {
                unknown.add(view.switchOf(guid));
            }
        };

        FabricView view = next.whole();
        IntStream.range(0, view.switchCount()).mapToLong(view::switchGuid).forEach(next::join);
        next.calm();

        assertThat(unknown).isEmpty();
    }
}

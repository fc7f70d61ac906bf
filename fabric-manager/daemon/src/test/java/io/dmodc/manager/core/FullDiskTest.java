package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that takes nothing costs new switches their place until it does, and nobody else a table. */
class FullDiskTest {
    private static final String FULL = "No space left on device";

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,4;1,2,2;1,2,1");
    private final long late = fabric.guid("l3s0");

    private void joinAllBut(long absent) {
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchGuid(s) != absent) {
                fabric.join(view.switchGuid(s));
            }
        }
        fabric.pass(20_000 * MILLI);
        fabric.calm();
    }

    private int rank(long guid) {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        return view.rank(view.switchOf(guid));
    }

    private boolean isLinked(long guid) {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        int s = view.switchOf(guid);
        return s >= 0 && view.groupStart(s) < view.groupEnd(s);
    }

    private boolean keeps(long guid) {
        return fabric.disk.all(SwitchLevel.class).stream().anyMatch(level -> level.guid() == guid);
    }

    /** A cable dies: the others are healed, by tables that are pushed, and nothing waits. */
    private void assertHeals() {
        int before = fabric.log.size();
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.pass(5_000 * MILLI);
        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(Effect.Push.class::isInstance);
        assertThat(fabric.state.outstanding()).isZero();
    }

    private void assertTakenInOnceTheDiskTakes() {
        assertThat(rank(late)).isEqualTo(FabricView.UNRANKED);
        assertThat(keeps(late)).isFalse();
        assertThat(fabric.state.alarms())
                .filteredOn(alarm -> alarm.kind() == Alarm.Kind.STATE_STORE)
                .singleElement()
                .extracting(Alarm::text)
                .isEqualTo(FULL + "; until it is kept again, new hosts and switches wait");

        fabric.diskTakes = true;
        fabric.send(new StoreReported(fabric.now, ""));
        fabric.send(new Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.pass(5_000 * MILLI);
        assertThat(rank(late)).isEqualTo(2);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** Nobody knows that the disk is full before the new switch is to be kept, while its first tables are computed. */
    @Test
    void shouldThrowTheLevelAwayThatWasDrawnWhenTheDiskBecameFull() {
        joinAllBut(late);
        fabric.diskTakes = false;
        fabric.holdComputations = true;
        fabric.join(late);
        fabric.work();
        while (!isLinked(late)) {
            fabric.pass(5 * MILLI);
            if (!isLinked(late)) {
                fabric.finishComputation(true);
            }
        }
        fabric.send(new StoreReported(fabric.now, FULL));
        fabric.work();
        fabric.finishComputation(false);
        assertThat(fabric.state.identity.levels().levels().get(late)).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.EPOCH_SUPERSEDED))
                .last()
                .extracting(LoggedEvent::text)
                .asString()
                .endsWith(": its new levels cannot be kept");
        fabric.pass(5_000 * MILLI);

        assertThat(fabric.state.epochs())
                .last()
                .extracting(EpochRecord::cause)
                .isEqualTo("new switches are left out while state is not kept");
        assertHeals();
        assertTakenInOnceTheDiskTakes();
    }

    /** The level was dealt and waits for the disk, which turns out to be full. */
    @Test
    void shouldLeaveOutASwitchWhoseLevelIsNotKept() {
        joinAllBut(late);
        fabric.diskTakes = false;
        fabric.join(late);
        fabric.pass(5_000 * MILLI);
        assertThat(fabric.state.identity.levels().levels().getOrDefault(late, -1))
                .isEqualTo(2);
        assertThat(rank(late)).isEqualTo(2);
        fabric.send(new StoreReported(fabric.now, FULL));
        fabric.pass(5_000 * MILLI);

        assertHeals();
        assertTakenInOnceTheDiskTakes();
    }

    /** Another top switch is dead, and a person wants the new one to take its place. */
    @Test
    void shouldReplaceNoSwitchWhileTheDiskIsFull() {
        joinAllBut(late);
        long dead = fabric.guid("l3s1");
        fabric.leave(dead);
        fabric.setLinks(dead, false, true);
        fabric.calm();
        fabric.diskTakes = false;
        fabric.send(new StoreReported(fabric.now, FULL));
        fabric.work();
        fabric.join(late);
        fabric.calm();
        fabric.send(new ActAsked(fabric.now, Act.replace(dead, late), 0, "ada", ""));
        fabric.pass(5_000 * MILLI);

        assertThat(fabric.log.stream().filter(Effect.Declined.class::isInstance))
                .singleElement()
                .isEqualTo(new Effect.Declined(
                        new ActAsked(fabric.now - 5_000 * MILLI, Act.replace(dead, late), 0, "ada", ""),
                        "it would be forgotten with the next start: " + FULL));
        assertThat(fabric.state.inventory().hasSwitch(dead)).isTrue();
        assertHeals();

        fabric.diskTakes = true;
        fabric.send(new StoreReported(fabric.now, ""));
        fabric.send(new Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.pass(5_000 * MILLI);
        fabric.send(new ActAsked(fabric.now, Act.replace(dead, late), 0, "ada", ""));
        fabric.pass(5_000 * MILLI);
        assertThat(fabric.state.inventory().hasSwitch(dead)).isFalse();
        assertThat(rank(late)).isEqualTo(2);
    }

    /** Nobody knows that the disk is full before the act is to be kept: it is not in force meanwhile, and taken back. */
    @ParameterizedTest
    @ValueSource(strings = {"drain", "pause", "engine", "forget", "replace"})
    void shouldPerformNoActThatTheDiskDoesNotTake(String verb) {
        joinAllBut(late);
        long gone = fabric.guid("l3s1");
        fabric.leave(gone);
        fabric.setLinks(gone, false, true);
        fabric.join(late);
        fabric.calm();
        Act act = switch (verb) {
            case "drain" -> new Act(Act.Verb.DRAIN, List.of(new PortPlace(late, 0)), "");
            case "pause" -> Act.pause(0, false);
            case "engine" -> Act.engine("minhop", false);
            case "forget" -> Act.forget(List.of(new SwitchGuid(gone)));
            default -> Act.replace(gone, late);
        };
        IntentSnapshot intent = fabric.state.snapshot().intent();
        long epoch = fabric.state.epoch();
        int before = fabric.log.size();
        fabric.diskTakes = false;
        fabric.send(new ActAsked(fabric.now, act, 0, "ada", ""));
        fabric.pass(1_000 * MILLI);
        assertThat(fabric.state.snapshot().intent()).isEqualTo(intent);
        assertThat(fabric.state.inventory().hasSwitch(gone)).isTrue();
        assertThat(fabric.log).noneMatch(Effect.Done.class::isInstance);

        fabric.send(new StoreReported(fabric.now, FULL));
        fabric.pass(1_000 * MILLI);

        assertThat(fabric.log.stream().filter(Effect.Declined.class::isInstance))
                .singleElement()
                .extracting(effect -> ((Effect.Declined) effect).reason())
                .isEqualTo("the disk does not take it, so it is not in force: " + FULL);
        assertThat(fabric.state.snapshot().intent()).isEqualTo(intent);
        assertThat(fabric.state.inventory().hasSwitch(gone)).isTrue();
        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        assertHeals();
        fabric.log.stream()
                .skip(before)
                .filter(Effect.Persist.class::isInstance)
                .flatMap(effect -> ((Effect.Persist) effect).records().stream())
                .forEach(fabric.disk::apply);
        assertThat(fabric.disk.all(Intent.class)).as("once there is space").isEmpty();
    }

    /** Of a fabric that was never seen, no level is kept: its first tables wait, and then they go out. */
    @Test
    void shouldWaitWithTheFirstTablesOfAll() {
        fabric.diskTakes = false;
        fabric.send(new StoreReported(fabric.now, FULL));
        joinAllBut(0);
        assertThat(fabric.count(Effect.Push.class)).isZero();
        assertThat(fabric.state.alarms())
                .extracting(Alarm::text)
                .containsExactly(FULL + "; until it is kept again, the first levels wait, and all tables with them");

        fabric.diskTakes = true;
        fabric.send(new StoreReported(fabric.now, ""));
        fabric.send(new Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.pass(5_000 * MILLI);
        assertThat(fabric.count(Effect.Push.class)).isPositive();
        assertThat(fabric.state.outstanding()).isZero();
    }
}

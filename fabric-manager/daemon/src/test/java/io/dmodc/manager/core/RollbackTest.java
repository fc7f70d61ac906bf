package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.manager.loop.DeclinedException;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tables of an earlier epoch come back entry by entry, or it is said why they cannot. */
class RollbackTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    private final ActPlanning planning = new ActPlanning(new EngineChoice("dmodc", null, null, "roots"), true, 1);
    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

    @AfterEach
    void close() {
        planning.close();
    }

    private void act(Act act) {
        fabric.send(new ActAsked(fabric.now, act, fabric.state.epoch(), "ada", "back"));
        fabric.calm();
        fabric.pass(2_000 * MILLI);
    }

    private void rollback(long epoch) {
        Act act = ActPlanning.rollback(fabric.state.snapshot(), epoch);
        Planned planned = planning.plan(fabric.state.snapshot(), new Wanted(act, act.objects(), false));
        assertThat(planned.problem()).isEmpty();
        act(act);
    }

    /** Cuts a cable, or plugs it in again. */
    private void setCable(Cable cable, boolean up) {
        fabric.setCable(cable, up, true);
        fabric.calm();
        fabric.pass(120_000 * MILLI);
    }

    @Test
    void shouldBringBackTheTablesFromBeforeADrain() {
        Map<Long, byte[]> before = fabric.tablesHeld();
        long epoch = fabric.state.epoch();
        act(new Act(Verb.DRAIN, List.of(new PortPlace(fabric.guid("l2s1"), 0)), ""));
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isNotEqualTo(before);

        rollback(epoch);

        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        assertThat(fabric.state.snapshot().intent().drains()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.ROLLED_BACK))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).isEqualTo("rollback to epoch " + epoch + " (ada: back)"));
    }

    @Test
    void shouldDrainWhatHasComeBackSinceAndStaySoOverARestart() {
        Cable cable = fabric.cableAt(fabric.guid("l2s0"));
        setCable(cable, false);
        Map<Long, byte[]> without = fabric.tablesHeld();
        long epoch = fabric.state.epoch();
        setCable(cable, true);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isNotEqualTo(without);

        rollback(epoch);

        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(without);
        fabric = fabric.restarted().start();
        fabric.pass(2_000 * MILLI);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(without);
        assertThat(fabric.state.snapshot().intent().drains()).hasSize(1);
    }

    @Test
    void shouldNameThePortThatIsDead() {
        long epoch = fabric.state.epoch();
        Cable cable = fabric.cableAt(fabric.guid("l2s0"));
        setCable(cable, false);

        assertThatThrownBy(() -> rollback(epoch))
                .isInstanceOf(DeclinedException.class)
                .hasMessageStartingWith("its tables use what is not there now: ")
                .hasMessageContaining(fabric.metal.name(cable.guid()) + " port " + cable.port());
    }

    @Test
    void shouldSayThatAnEpochIsNotKeptOrInForce() {
        assertThatThrownBy(() -> rollback(999)).hasMessage("tables of epoch 999 are not kept");
        long epoch = fabric.state.epoch();
        assertThatThrownBy(() -> rollback(epoch)).hasMessage("the tables of epoch " + epoch + " are in force");
    }

    @Test
    void shouldBringBackAnyKeptEpochOrSayWhyNot() {
        int broughtBack = 0;
        int declined = 0;
        for (int seed = 0; seed < 30; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
            Map<Long, Map<Long, byte[]>> tables = new HashMap<>();
            List<Cable> cut = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                tables.put(fabric.state.epoch(), fabric.tablesHeld());
                happen(random, cut);
            }
            List<KeptEpoch> kept = fabric.state.snapshot().kept().epochs();
            long epoch = kept.get(random.nextInt(kept.size())).epoch();
            try {
                rollback(epoch);
            } catch (DeclinedException e) {
                assertThat(e.getMessage()).containsAnyOf("not there now", "are in force");
                declined++;
                continue;
            }
            broughtBack++;
            Map<Long, byte[]> then = Objects.requireNonNull(tables.get(epoch));
            Map<Long, byte[]> now = fabric.tablesHeld();
            // A drained switch keeps what it held when it was drained, then as now.
            fabric.state.snapshot().intent().drained().stream()
                    .filter(place -> place.port() == 0)
                    .forEach(place -> then.put(place.guid(), now.get(place.guid())));
            assertThat(now)
                    .as("seed %d, epoch %d", seed, epoch)
                    .usingRecursiveComparison()
                    .isEqualTo(then);
        }
        assertThat(broughtBack).isGreaterThanOrEqualTo(3);
        assertThat(declined).isGreaterThanOrEqualTo(1);
    }

    private void happen(SplittableRandom random, List<Cable> cut) {
        int kind = random.nextInt(4);
        if (kind == 0) {
            Cable cable = fabric.cableAt(someSwitch(random));
            cut.add(cable);
            setCable(cable, false);
        } else if (kind == 1 && !cut.isEmpty()) {
            setCable(cut.remove(random.nextInt(cut.size())), true);
        } else {
            List<PortPlace> drained =
                    List.copyOf(fabric.state.snapshot().intent().drained());
            act(
                    drained.isEmpty() || random.nextBoolean()
                            ? new Act(Verb.DRAIN, List.of(new PortPlace(someSwitch(random), 0)), "")
                            : new Act(Verb.UNDRAIN, List.of(drained.get(random.nextInt(drained.size()))), ""));
        }
    }

    private long someSwitch(SplittableRandom random) {
        FabricView view = fabric.whole();
        return view.switchGuid(random.nextInt(view.switchCount()));
    }
}

package io.dmodc.routing.vtftr;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.pgft.Degradation;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What comes of one change after the other, beside a full computation of each state. */
class VtftrRerouterTest {
    private static final String[] SHAPES = {
        "4x4;hosts=1;roots=2,2", "5x3;hosts=2;roots=2,1", "3x6;hosts=1;roots=1,3", "8x8;hosts=1;roots=2,2"
    };

    @Test
    void shouldEqualAFullComputationAfterEachLeafFaultAndRepair() {
        for (int seed = 0; seed < 1_500; seed++) {
            BitSet dead = new BitSet();
            goThrough(seed, 6, (fabric, random) -> {
                int leaf = random.nextInt(fabric.grid().rows() * fabric.grid().columns());
                dead.set(leaf, !dead.get(leaf) || random.nextInt(3) > 0);
                fabric.set(leaf, !dead.get(leaf));
            });
        }
    }

    @Test
    void shouldEqualAFullComputationAfterEachLostRootAndCable() {
        for (int seed = 0; seed < 1_000; seed++) {
            goThrough(seed, 5, GridFabric::loseRootOrCable);
        }
    }

    private static void goThrough(int seed, int steps, BiConsumer<GridFabric, SplittableRandom> change) {
        SplittableRandom random = new SplittableRandom(seed);
        SpareMode mode = seed % 2 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE;
        GridFabric fabric = GridFabric.grid(SHAPES[seed / 2 % SHAPES.length]);
        GridState state = fabric.state();
        VtftrRerouter rerouter = new VtftrRerouter(state, mode);
        for (int step = 0; step < steps; step++) {
            change.accept(fabric, random);
            state = GridState.of(fabric.view(), state);
            TurnTables before = rerouter.tables();

            TurnTables after = rerouter.reroute(state);

            assertSame("seed " + seed + ", step " + step, after, Vtftr.compute(fabric.state(), mode));
            assertOnlyWhatDiffersIsNew(
                    before, after, fabric.grid().rows() * fabric.grid().columns());
        }
    }

    @Test
    void shouldLeaveEverythingAloneWhenACableDiesAndItsLineStaysWhole() {
        GridFabric fabric = GridFabric.square(8);
        GridState state = fabric.state();
        VtftrRerouter rerouter = new VtftrRerouter(state, SpareMode.PAIRWISE);
        TurnTables before = rerouter.tables();
        fabric.cut(Degradation.cables(fabric.view()).get(17));

        TurnTables after = rerouter.reroute(GridState.of(fabric.view(), state));

        assertThat(after.leavesChangedSince(before).isEmpty()).isTrue();
        for (int leaf = 0; leaf < 64; leaf++) {
            assertThat(after.sharesLeaf(leaf, before)).isTrue();
        }
    }

    private static void assertSame(String when, TurnTables tables, TurnTables expected) {
        GridState state = expected.state();
        int leaves = state.rows() * state.columns();
        assertThat(tables.leavesChangedSince(expected).isEmpty()).as(when).isTrue();
        boolean same = true;
        for (int destination = 0; destination < leaves; destination++) {
            for (int r = 0; r < state.rows(); r++) {
                same &= tables.rowPrimary(r, destination) == expected.rowPrimary(r, destination);
                same &= tables.rowSpares(r, destination).equals(expected.rowSpares(r, destination));
            }
            for (int c = 0; c < state.columns(); c++) {
                same &= tables.columnPrimary(c, destination) == expected.columnPrimary(c, destination);
                same &= tables.columnSpares(c, destination).equals(expected.columnSpares(c, destination));
            }
        }
        assertThat(same).as(when).isTrue();
    }

    private static void assertOnlyWhatDiffersIsNew(TurnTables before, TurnTables after, int leaves) {
        BitSet renewed = new BitSet();
        for (int leaf = 0; leaf < leaves; leaf++) {
            renewed.set(leaf, !after.sharesLeaf(leaf, before));
        }
        assertThat(renewed).isEqualTo(after.leavesChangedSince(before));
    }
}

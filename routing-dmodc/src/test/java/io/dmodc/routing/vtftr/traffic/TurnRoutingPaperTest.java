package io.dmodc.routing.vtftr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.routing.cycles.RunResult;
import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnTables;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets through grids: latency without load, unknown faults, and deadlock (VTFTR paper, sections 2.2, 2.3 and 3). */
class TurnRoutingPaperTest {
    private static final VcClasses TWO_AND_TWO = VcClasses.halves(4);

    /** Cycles of r routings: 2 r + 1 switches of 4 each, and 2. */
    private static int cycles(int routings) {
        return 4 * (2 * routings + 1) + 2;
    }

    /**
     * 4x4 leaves of which 02 and 20 are dead: each of 14 hosts sends to 13 others. 72 pairs are in a line; of the 110
     * others two have lost both corners. Traffic so thin that nobody meets.
     */
    @Test
    void shouldTakeFourCyclesASwitchAndTwoOnWaysOfOneTwoAndThreeRoutings() {
        GridTraffic traffic =
                GridTraffic.of(GridFabric.square(4).without("02", "20"), SpareMode.PAPER, DetourChoice.RANDOM);

        RunResult thin = traffic.packets("uniform", TWO_AND_TWO, 0.001, 0, 400_000, 1);

        double expected = (72.0 * cycles(1) + 108 * cycles(2) + 2 * cycles(3)) / 182;
        assertThat(thin.meanLatency()).isCloseTo(expected, within(0.15));
        assertThat(thin.medianLatency()).isEqualTo(cycles(2));
        assertThat(thin.dropped()).isZero();
    }

    /** Any one leaf that dies without the tables' knowledge, beside one that they know: no packet between others is lost. */
    @ParameterizedTest
    @EnumSource(SpareMode.class)
    void shouldLoseNothingToOneUnknownFaultBesideKnownOnes(SpareMode mode) {
        for (int leaf = 0; leaf < 16; leaf++) {
            GridFabric grid = GridFabric.square(4).without("02");
            TurnTables before = grid.tables(mode);

            RunResult found =
                    GridTraffic.burst(grid.kill(leaf), before).packets("uniform", TWO_AND_TWO, 0.2, 0, 2000, leaf);

            assertThat(found.dropped()).as("leaf %d", leaf).isZero();
            assertThat(found.accepted()).as("leaf %d", leaf).isCloseTo(0.2, within(0.02));
        }
    }

    /** A root that dies is passed over by its leaves at once: they see their own cables. */
    @Test
    void shouldLoseNothingToARootThatDiedUnannounced() {
        GridFabric grid = GridFabric.grid("4x4;hosts=2;roots=2,2");
        TurnTables before = grid.tables(SpareMode.PAPER);

        RunResult found = GridTraffic.burst(grid.setSwitch(grid.grid().rowRoot(1, 0), false), before)
                .packets("uniform", TWO_AND_TWO, 0.2, 0, 2000, 1);

        assertThat(found.dropped()).isZero();
        assertThat(found.accepted()).isCloseTo(0.2, within(0.02));
    }

    /** With one packet to a buffer and every node sending at full rate, whatever died; with and without unknown faults. */
    @Test
    void shouldNeverStandStillWithTwoClasses() {
        for (int seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GridFabric grid = GridFabric.grid("4x4;hosts=2;roots=1,1").killRandom(random.nextInt(7), random);
            TurnTables before = grid.tables(seed % 2 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE);
            GridTraffic traffic = GridTraffic.burst(grid.killRandom(random.nextInt(3), random), before);

            RunResult found = traffic.packets("uniform", new VcClasses(2, 1), 1, 1, 0, 4_000, seed);

            assertThat(found.deadlock()).as("seed %d", seed).isNull();
            assertThat(found.accepted()).as("seed %d", seed).isPositive();
        }
    }

    /** The same without the change of class: paths row, column, row close a ring of channels (section 2.3). */
    @Test
    void shouldStandStillWhenClassesShareTheirChannels() {
        int stuck = 0;
        for (int seed = 0; seed < 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GridFabric grid = GridFabric.grid("4x4;hosts=2;roots=1,1").killRandom(4, random);

            RunResult found = GridTraffic.of(grid, SpareMode.PAIRWISE, DetourChoice.RANDOM)
                    .packets("uniform", new VcClasses(1, 0), 1, 1, 0, 4_000, seed);

            stuck += found.deadlock() == null ? 0 : 1;
        }
        assertThat(stuck).isGreaterThan(5);
    }

    /** Slow: 100,000 cycles of full load with ten faults (seven at 8x8) on the diagonal. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"8x8;hosts=8;roots=8,8|7", "16x16;hosts=16;roots=16,16|10"})
    @EnabledIfSystemProperty(named = "trials", matches = ".*")
    void shouldNeverStandStillAtFullLoadWithManyFaults(String shape, int diagonal) {
        GridFabric grid = GridFabric.grid(shape);
        for (int i = 0; i < diagonal; i++) {
            grid.kill(i * (grid.grid().columns() + 1));
        }

        RunResult found = GridTraffic.of(grid, SpareMode.PAPER, DetourChoice.RANDOM)
                .packets("uniform", TWO_AND_TWO, 1, 1000, 99_000, 1);

        assertThat(found.deadlock()).isNull();
        assertThat(found.cycles()).isEqualTo(100_000);
    }
}

package io.dmodc.ctl.study;

import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.topology.grid.GridShape;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How much is simulated.
 *
 * @param grids what figures are drawn of, the paper's two: 8x8 leaves, then 4,096 nodes
 * @param loads offered in figures, ascending; the last one is saturation
 * @param seedCount runs of each load
 * @param reference cycles of runs that are compared with BookSim2's
 * @param trees of so many k-ary n-trees, the smaller ones first
 * @param deadlockGrid where packets are watched for a standstill
 * @param deadlockCycles for how long
 */
record StudyEffort(
        List<Sized> grids,
        double[] loads,
        int seedCount,
        SimulationSettings reference,
        int trees,
        GridShape deadlockGrid,
        int deadlockCycles) {
    /** A grid and how long it is simulated. */
    record Sized(GridShape shape, SimulationSettings settings) {}

    /** What the specification asks for. */
    static final int DEADLOCK_CYCLES = 100_000;

    private static final String SMALL = "8x8;hosts=8;roots=8,8";
    private static final String LARGE = "16x16;hosts=16;roots=16,16";

    static StudyEffort full(int seedCount) {
        return new StudyEffort(
                List.of(sized(SMALL, 500, 1000), sized(LARGE, 400, 500)),
                new double[] {0.2, 0.4, 0.5, 0.6, 0.9},
                seedCount,
                settings(1000, 2000),
                3,
                GridShape.parse("16x16;hosts=2;roots=2,2"),
                DEADLOCK_CYCLES);
    }

    /** Smaller grids of the same form, fewer loads, shorter runs. */
    static StudyEffort quick(int seedCount) {
        return new StudyEffort(
                List.of(sized("8x8;hosts=2;roots=2,2", 300, 500), sized("16x16;hosts=1;roots=1,1", 300, 500)),
                new double[] {0.1, 0.4, 0.9},
                seedCount,
                settings(1000, 1000),
                2,
                GridShape.parse("16x16;hosts=1;roots=1,1"),
                DEADLOCK_CYCLES / 20);
    }

    private static Sized sized(String shape, int warmUp, int measured) {
        return new Sized(GridShape.parse(shape), settings(warmUp, measured));
    }

    private static SimulationSettings settings(int warmUp, int measured) {
        return new SimulationSettings(GridScenario.VCS, 16, warmUp, measured);
    }

    long[] seeds() {
        return LongStream.rangeClosed(1, seedCount).toArray();
    }
}

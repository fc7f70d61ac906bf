package io.dmodc.routing.vtftr;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.check.TurnTableCheck;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/**
 * What tables of a grid cost, on one thread, beside their bounds: 10 ms for all of them, 1 ms for one more fault, both from
 * the view on; and with all that the manager waits for: the grid recognised, rows of ports for letters, on as many workers as there are
 * processors, for a leaf, a root and a cable that are lost and come back. Run by {@code -Dvtftr}, see CONTRIBUTING.md: {@code VtftrBenchmark SHAPE RUNS}.
 */
final class VtftrBenchmark {
    private static final double FULL_BOUND_MILLIS = 10;
    private static final double FAULT_BOUND_MILLIS = 1;

    private final GridFabric fabric;
    private final int runs;
    private final int leaves;
    private final SplittableRandom random = new SplittableRandom(1);

    private VtftrBenchmark(String shape, int runs) {
        fabric = GridFabric.grid(shape);
        leaves = fabric.grid().rows() * fabric.grid().columns();
        this.runs = runs;
    }

    public static void main(String[] args) {
        String shape = args.length > 0 ? args[0] : "16x16;hosts=16;roots=16,16";
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : 400;
        System.out.println(shape + ", " + Runtime.getRuntime().availableProcessors()
                + " processors; wall clock in ms, median, 90th and 99th percentile of the last " + runs + " of "
                + 2 * runs);
        VtftrBenchmark benchmark = new VtftrBenchmark(shape, runs);
        for (SpareMode mode : SpareMode.values()) {
            benchmark.full(mode);
            benchmark.faults(mode);
            benchmark.rows(mode);
        }
    }

    private void full(SpareMode mode) {
        FabricView view = fabric.view();
        double[] millis = new double[2 * runs];
        for (int i = 0; i < millis.length; i++) {
            long start = System.nanoTime();
            Vtftr.compute(GridState.of(fabric.grid(), view), mode);
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        print(mode + ", all tables", millis, FULL_BOUND_MILLIS);
    }

    /** A leaf dies or comes back, so that there are between 0 and 20 dead ones. */
    private void faults(SpareMode mode) {
        boolean[] dead = new boolean[leaves];
        int deadCount = 0;
        GridState state = fabric.state();
        VtftrRerouter rerouter = new VtftrRerouter(state, mode);
        double[] millis = new double[2 * runs];
        for (int i = 0; i < millis.length; i++) {
            int leaf = random.nextInt(leaves);
            while (deadCount == 20 && !dead[leaf]) {
                leaf = random.nextInt(leaves);
            }
            dead[leaf] = !dead[leaf];
            deadCount += dead[leaf] ? 1 : -1;
            fabric.set(leaf, !dead[leaf]);
            FabricView view = fabric.view();
            long start = System.nanoTime();
            state = GridState.of(view, state);
            rerouter.reroute(state);
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        for (int leaf = 0; leaf < leaves; leaf++) {
            fabric.set(leaf, true);
        }
        print(mode + ", one fault or repair", millis, FAULT_BOUND_MILLIS);
    }

    /** As the manager has it: an engine, from view to rows of ports; and the check of the last of them. */
    private void rows(SpareMode mode) {
        ForkJoinPool pool = new ForkJoinPool(Runtime.getRuntime().availableProcessors());
        Parallel parallel = Parallel.on(pool);
        FabricView view = fabric.view();
        double[] full = new double[2 * runs];
        for (int i = 0; i < full.length; i++) {
            long start = System.nanoTime();
            new VtftrEngine(mode).route(view, parallel);
            full[i] = (System.nanoTime() - start) / 1e6;
        }
        print(mode + ", grid, tables, all rows", full, FULL_BOUND_MILLIS);
        List<Cable> cables = Degradation.cables(view);
        int[] roots = IntStream.range(0, view.switchCount())
                .filter(s -> !view.isLeaf(s))
                .toArray();
        rowsAfter(mode, "leaf", parallel, (i, alive) -> fabric.set(i % leaves, alive));
        rowsAfter(mode, "root", parallel, (i, alive) -> fabric.setSwitch(roots[i % roots.length], alive));
        rowsAfter(mode, "cable", parallel, (i, alive) -> fabric.set(cables.get(i * 31 % cables.size()), alive));
        TurnTableSet tables = (TurnTableSet) Objects.requireNonNull(
                new VtftrEngine(mode).route(view, parallel).made());
        double[] check = new double[runs / 2];
        for (int i = 0; i < check.length; i++) {
            long start = System.nanoTime();
            TurnTableCheck.check(view, tables, parallel);
            check[i] = (System.nanoTime() - start) / 1e6;
        }
        System.out.printf(Locale.ROOT, "%-32s %8.3f%n", mode + ", check of all rows", median(check));
        pool.shutdown();
    }

    /** What is lost and comes back, by its number. */
    @FunctionalInterface
    private interface Fault {
        void set(int number, boolean alive);
    }

    private void rowsAfter(SpareMode mode, String what, Parallel parallel, Fault fault) {
        Rerouter rerouter = new VtftrEngine(mode).rerouter();
        rerouter.route(fabric.view(), parallel);
        double[] lost = new double[2 * runs];
        double[] back = new double[2 * runs];
        for (int i = 0; i < lost.length; i++) {
            fault.set(i, false);
            lost[i] = reroute(rerouter, fabric.view(), parallel);
            fault.set(i, true);
            back[i] = reroute(rerouter, fabric.view(), parallel);
        }
        print(mode + ", rows, " + what + " lost", lost, FAULT_BOUND_MILLIS);
        print(mode + ", rows, " + what + " back", back, FAULT_BOUND_MILLIS);
    }

    private static double reroute(Rerouter rerouter, FabricView view, Parallel parallel) {
        long start = System.nanoTime();
        rerouter.route(view, parallel);
        return (System.nanoTime() - start) / 1e6;
    }

    private static void print(String what, double[] millis, double bound) {
        double[] sorted = laterHalf(millis);
        double median = median(millis);
        System.out.printf(
                Locale.ROOT,
                "%-32s %8.3f %8.3f %8.3f   bound %2.0f, median %5.1f %% of it%n",
                what,
                median,
                sorted[sorted.length * 9 / 10],
                sorted[sorted.length * 99 / 100],
                bound,
                100 * median / bound);
    }

    private static double median(double[] millis) {
        double[] sorted = laterHalf(millis);
        return sorted[sorted.length / 2];
    }

    /** Sorted; the first half is for the compiler. */
    private static double[] laterHalf(double[] millis) {
        double[] sorted = Arrays.copyOfRange(millis, millis.length / 2, millis.length);
        Arrays.sort(sorted);
        return sorted;
    }
}

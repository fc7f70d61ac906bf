package io.dmodc.routing.vtftr;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.check.TurnTableCheck;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;

/**
 * What tables of a grid cost, on one thread, beside their bounds: 10 ms for all of them, 1 ms for one more fault, both from
 * the view on; and with all that the manager waits for: the grid recognised, ports for letters, on two threads. Run by {@code -Dvtftr}, see CONTRIBUTING.md: {@code VtftrBenchmark SHAPE RUNS}.
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
                + " processors; wall clock in ms, median and 99th percentile of the last " + runs + " of " + 2 * runs);
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
        Parallel parallel = Parallel.on(ForkJoinPool.commonPool());
        FabricView view = fabric.view();
        double[] full = new double[runs];
        for (int i = 0; i < full.length; i++) {
            long start = System.nanoTime();
            new VtftrEngine(mode).route(view, parallel);
            full[i] = (System.nanoTime() - start) / 1e6;
        }
        print(mode + ", grid, tables, all rows", full, FULL_BOUND_MILLIS);
        Rerouter rerouter = new VtftrEngine(mode).rerouter();
        rerouter.route(view, parallel);
        double[] fault = new double[runs];
        double[] check = new double[runs];
        for (int i = 0; i < fault.length; i++) {
            fabric.set(i / 2 % leaves, i % 2 == 1);
            FabricView next = fabric.view();
            long start = System.nanoTime();
            RoutingResult result = rerouter.route(next, parallel);
            fault[i] = (System.nanoTime() - start) / 1e6;
            start = System.nanoTime();
            TurnTableCheck.check(next, (TurnTableSet) Objects.requireNonNull(result.made()), parallel);
            check[i] = (System.nanoTime() - start) / 1e6;
        }
        print(mode + ", the same, one fault", fault, FAULT_BOUND_MILLIS);
        print(mode + ", check of all rows", check, FULL_BOUND_MILLIS);
    }

    private static void print(String what, double[] millis, double bound) {
        double[] sorted = Arrays.copyOfRange(millis, millis.length / 2, millis.length);
        Arrays.sort(sorted);
        double median = sorted[sorted.length / 2];
        System.out.printf(
                Locale.ROOT,
                "%-30s %8.3f %8.3f   bound %2.0f, median %5.1f %% of it%n",
                what,
                median,
                sorted[sorted.length * 99 / 100],
                bound,
                100 * median / bound);
    }
}

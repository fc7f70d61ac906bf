package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;

/**
 * How long the check takes, beside the time to read every entry of the tables once. Run by hand: {@code
 * TableCheckBenchmark SHAPE THREADS RUNS SWITCHES LINKS}, the last two being what the degraded fabric lost. With one
 * thread it counts processor time, which other work on the machine disturbs less.
 */
final class TableCheckBenchmark {
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final Rerouter engine = Dmodc.standard().rerouter();
    private final TableWatch watch = new TableWatch();
    private final Parallel parallel;
    private final boolean cpu;
    private final int runs;
    private long epoch;
    private long floor;

    private TableCheckBenchmark(PgftShape shape, Parallel parallel, boolean cpu, int runs) {
        fabric = PgftGenerator.generate(shape);
        this.parallel = parallel;
        this.cpu = cpu;
        this.runs = runs;
        FabricView whole = view();
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
    }

    public static void main(String[] args) {
        String shape = args.length > 0 ? args[0] : "3;32,32,64;1,32,32;1,1,1";
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int runs = args.length > 2 ? Integer.parseInt(args[2]) : 30;
        int switches = args.length > 3 ? Integer.parseInt(args[3]) : 300;
        int links = args.length > 4 ? Integer.parseInt(args[4]) : 2_000;
        ForkJoinPool pool = new ForkJoinPool(threads);
        Parallel parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
        TableCheckBenchmark benchmark = new TableCheckBenchmark(PgftShape.parse(shape), parallel, threads == 1, runs);
        System.out.println(
                System.getProperty("os.arch") + ", Java " + Runtime.version() + ", " + threads + " threads, " + shape);
        benchmark.measure("whole");
        Degradation.apply(benchmark.fabric, switches, links, new SplittableRandom(1));
        benchmark.measure(switches + " switches, " + links + " links lost");
        pool.shutdown();
    }

    private FabricView view() {
        return fabric.build(++epoch, nodes, levels);
    }

    private LftSet tables(FabricView view) {
        return Objects.requireNonNull(engine.route(view, parallel).tables());
    }

    private void measure(String kind) {
        FabricView view = view();
        LftSet tables = tables(view);
        byte[][] entries = new byte[view.switchCount()][];
        Arrays.setAll(entries, s -> tables.row(s).toBytes());
        System.out.println(kind + ": " + view.nodeCount() + " nodes, " + view.switchCount() + " switches");
        floor = 0;
        floor = time("read all entries, 1 thread", runs, () -> {}, () -> read(entries));
        time("full check", runs, () -> {}, () -> require(TableCheck.check(view, tables, parallel)));
        LftSet written = NaiveTables.set(view, entries);
        time(
                "full check, rows entry by entry",
                runs / 4,
                () -> {},
                () -> require(TableCheck.check(view, written, parallel)));
        measureFaults(view, tables);
        LftSet spoilt = RunTables.spoilt(view, tables, 1_000, new SplittableRandom(2));
        time(
                "full check, 1,000 runs spoilt",
                runs / 4,
                () -> {},
                () -> TableCheck.check(view, spoilt, parallel).pairs());
    }

    private record Epoch(FabricView view, LftSet tables) {}

    /** One cable after the other is lost and comes back; only the check is timed. */
    private void measureFaults(FabricView first, LftSet tables) {
        require(watch.check(first, tables, SurplusEntryRule.FORBIDDEN, parallel));
        Cable[] cables = Degradation.cables(first).toArray(Cable[]::new);
        for (int rank = 0; rank < first.rankMax(); rank++) {
            int lower = rank;
            Cable[] some = Arrays.stream(cables)
                    .filter(cable -> rank(first, cable) == lower)
                    .toArray(Cable[]::new);
            Epoch[] now = new Epoch[1];
            Cable[] cut = new Cable[1];
            int[] next = {0};
            time(
                    "next check, cable above rank " + rank + " lost or back",
                    4 * runs,
                    () -> {
                        if (cut[0] == null) {
                            cut[0] = some[next[0]++ * 997 % some.length];
                            Degradation.cut(fabric, cut[0]);
                        } else {
                            Fabrics.connect(fabric, cut[0].guid(), cut[0].port(), cut[0].farGuid(), cut[0].farPort());
                            cut[0] = null;
                        }
                        FabricView view = view();
                        now[0] = new Epoch(view, tables(view));
                    },
                    () -> require(watch.check(now[0].view, now[0].tables, SurplusEntryRule.FORBIDDEN, parallel)));
        }
    }

    private static int rank(FabricView view, Cable cable) {
        return Math.min(view.rank(view.switchOf(cable.guid())), view.rank(view.switchOf(cable.farGuid())));
    }

    private interface Work {
        long run();
    }

    private long time(String what, int count, Runnable before, Work work) {
        long[] nanos = new long[Math.max(2, count)];
        long result = 0;
        for (int i = 0; i < nanos.length; i++) {
            before.run();
            long start = now();
            result += work.run();
            nanos[i] = now() - start;
        }
        Arrays.sort(nanos);
        long median = nanos[nanos.length / 2];
        System.out.printf(
                "  %-48s median %8.2f ms, best %8.2f ms, %6.3f x reading (%d)%n",
                what, median / 1e6, nanos[0] / 1e6, floor == 0 ? 1 : (double) median / floor, result);
        return median;
    }

    private long now() {
        return cpu ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : System.nanoTime();
    }

    private static long read(byte[][] rows) {
        int sum = 0;
        for (byte[] row : rows) {
            for (byte entry : row) {
                sum += entry;
            }
        }
        return sum;
    }

    private static long require(CheckReport report) {
        if (!report.valid()) {
            throw new AssertionError(report.toString());
        }
        return report.pairs();
    }
}

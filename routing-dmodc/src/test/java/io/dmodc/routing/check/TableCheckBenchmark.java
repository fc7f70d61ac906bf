package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult.Complete;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;

/**
 * How long the check takes, beside the time to read the same bytes once. Run by hand: {@code TableCheckBenchmark SHAPE
 * THREADS RUNS}. With one thread it counts processor time, which other work on the machine disturbs less.
 */
final class TableCheckBenchmark {
    private TableCheckBenchmark() {}

    public static void main(String[] args) {
        String shape = args.length > 0 ? args[0] : "3;24,12,30;1,12,24;1,2,1";
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int runs = args.length > 2 ? Integer.parseInt(args[2]) : 30;
        FabricView view = Fabrics.pgft(shape);
        byte[][] rows = rows(view);
        LftSet tables = NaiveTables.set(view, rows);
        ForkJoinPool pool = new ForkJoinPool(threads);
        Parallel parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
        BitSet few = new BitSet();
        few.set(0, Math.min(1000, view.nodeCount()));

        System.out.println(System.getProperty("os.arch") + ", Java " + Runtime.version() + ", " + threads + " threads, "
                + shape + ": " + view.nodeCount() + " nodes, " + view.switchCount() + " switches");
        long floor = time(threads == 1, "read all bytes, 1 thread", runs, 0, () -> read(rows));
        time(threads == 1, "check", runs, floor, () -> require(TableCheck.check(view, tables, parallel)));
        time(
                threads == 1,
                "check 1000 nodes",
                runs,
                floor,
                () -> require(TableCheck.checkDestinations(view, tables, few, parallel)));
        NaiveTables.spoil(view, rows, 100 * view.nodeCount(), new SplittableRandom(2));
        time(
                threads == 1,
                "check, each column spoilt 100 times",
                3,
                floor,
                () -> TableCheck.check(view, tables, parallel).failures().size());
        pool.shutdown();
    }

    /** Copies of the rows: they are spoilt later. */
    private static byte[][] rows(FabricView view) {
        Complete routed = (Complete) Dmodc.strict().route(view, Parallel.sequential());
        byte[][] rows = new byte[view.switchCount()][];
        Arrays.setAll(rows, s -> routed.tables().row(s).toBytes());
        return rows;
    }

    private interface Work {
        long run();
    }

    private static long time(boolean cpu, String what, int runs, long floor, Work work) {
        long[] nanos = new long[runs];
        long result = 0;
        for (int i = 0; i < runs; i++) {
            long start = now(cpu);
            result += work.run();
            nanos[i] = now(cpu) - start;
        }
        Arrays.sort(nanos);
        long median = nanos[runs / 2];
        System.out.printf(
                "%-40s median %8.2f ms, best %8.2f ms, %5.1f x reading (%d)%n",
                what, median / 1e6, nanos[0] / 1e6, floor == 0 ? 1 : (double) median / floor, result);
        return median;
    }

    private static long now(boolean cpu) {
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

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.Compute;
import io.dmodc.manager.core.Effect.TablesInForce;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What headless switches cost an epoch: a cable is lost, and tables are computed, checked, made to fit what these hold, and planned. Two computations have the same
 * epochs in turns; for one of them every switch can be told, which is the floor. Processor time of one thread. Run by hand:
 * {@code HeldRowFitBenchmark RUNS SHAPE}.
 */
final class HeldRowFitBenchmark {
    /** Milliseconds an epoch may take whose headless switches are leaves. */
    private static final double BOUND = 300;

    /** Computes one epoch after the other; in between all switches that can be told take what they are given. */
    private static final class Computation {
        private final TableComputation computation =
                new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, Parallel.sequential());
        private LftSet tables;
        private long nanos;

        Computation(FabricView whole) {
            tables = tables(computation.compute(new Compute(whole, Map.of()), () -> 1));
        }

        private static LftSet tables(Routed routed) {
            return Objects.requireNonNull(routed.result().tables());
        }

        Routed compute(FabricView view, Map<Integer, LftRow> held) {
            Map<Integer, List<LftRow>> frozen = new TreeMap<>();
            held.forEach((s, row) -> frozen.put(s, List.of(row)));
            List<List<LftRow>> rows = new ArrayList<>();
            BitSet untold = new BitSet();
            for (int s = 0; s < tables.switchCount(); s++) {
                rows.add(frozen.getOrDefault(s, List.of(tables.row(s))));
                untold.set(s, frozen.containsKey(s));
            }
            TablesInForce inForce = new TablesInForce(rows, untold, new BitSet());
            long start = processorNanos();
            Routed routed = computation.compute(new Compute(view, frozen, inForce, Effect.Method.INCREMENTAL), () -> 1);
            nanos = processorNanos() - start;
            tables = tables(routed);
            return routed;
        }
    }

    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final FabricView whole;
    private final Computation fitting;
    private final Computation floor;
    private final LftSet former;
    private final int runs;
    private long epoch;

    private HeldRowFitBenchmark(PgftShape shape, int runs) {
        this.runs = runs;
        fabric = PgftGenerator.generate(shape);
        whole = view();
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        fitting = new Computation(whole);
        floor = new Computation(whole);
        former = fitting.tables;
        fitting.compute(view(), Map.of());
        floor.compute(view(), Map.of());
    }

    private FabricView view() {
        return fabric.build(++epoch, nodes, levels);
    }

    public static void main(String[] args) {
        int runs = args.length > 0 ? Integer.parseInt(args[0]) : 9;
        String shape = args.length > 1 ? args[1] : "3;32,32,64;1,32,32;1,1,1";
        System.out.println(System.getProperty("os.arch") + ", Java " + Runtime.version() + ", " + runs
                + " epochs of each kind, " + shape + "; processor time of one thread in ms, median (least)");
        HeldRowFitBenchmark benchmark = new HeldRowFitBenchmark(PgftShape.parse(shape), runs);
        benchmark.measureAll();
    }

    private void measureAll() {
        LftRow empty = LftRow.noRoutes(0);
        int leaf = ofRank(0, 0);
        int other = ofRank(0, 1);
        int middle = ofRank(1, 2);
        int top = ofRank(2, 3);
        measure("leaf, its uplink is lost", leaf, Map.of(leaf, former.row(leaf)), true);
        measure("leaf with an empty table", other, Map.of(leaf, empty), true);
        measure("two leaves with empty tables", middle, Map.of(leaf, empty, other, empty), true);
        measure("middle switch, its uplink is lost", middle, Map.of(middle, former.row(middle)), false);
        measure("middle switch with an empty table", leaf, Map.of(middle, empty), false);
        measure("top switch with an empty table", leaf, Map.of(top, empty), false);
        Map<Integer, LftRow> several = Map.of(leaf, empty, other, former.row(other), middle, former.row(middle));
        measure("leaf with an empty table; leaf and middle switch, its uplink is lost", middle, several, false);
        measure(
                "leaf, middle and top switch with empty tables",
                other,
                Map.of(leaf, empty, middle, empty, top, empty),
                false);
    }

    /** One in a part of the fabric of its own, as far as it has as many. */
    private int ofRank(int rank, int part) {
        int[] all = IntStream.range(0, whole.switchCount())
                .filter(s -> whole.rank(s) == rank)
                .toArray();
        return all[(int) ((2L * part + 1) * all.length / 8)];
    }

    /** @param cut switch whose first uplink is lost, and comes back */
    private void measure(String what, int cut, Map<Integer, LftRow> held, boolean bound) {
        int port = IntStream.rangeClosed(1, whole.portCount(cut))
                .filter(p -> whole.peerSwitch(cut, p) >= 0 && whole.isUp(cut, whole.peerSwitch(cut, p)))
                .findFirst()
                .orElseThrow();
        long[] with = new long[runs];
        long[] without = new long[runs];
        Routed routed = null;
        for (int run = 0; run < runs; run++) {
            setCable(cut, port, false);
            FabricView view = view();
            for (int turn = 0; turn < 2; turn++) {
                if ((turn + run) % 2 == 0) {
                    routed = fitting.compute(view, held);
                } else {
                    floor.compute(view, Map.of());
                }
            }
            with[run] = fitting.nanos;
            without[run] = floor.nanos;
            setCable(cut, port, true);
            FabricView repaired = view();
            fitting.compute(repaired, Map.of());
            floor.compute(repaired, Map.of());
        }
        print(what, with, without, bound, Objects.requireNonNull(routed));
    }

    private void setCable(int s, int port, boolean up) {
        long guid = whole.switchGuid(s);
        fabric.apply(new PortSeen(guid, port, up, Objects.requireNonNull(fabric.neighbour(guid, port))));
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void print(String what, long[] with, long[] without, boolean bound, Routed routed) {
        LostPairs lost = routed.detours().lost();
        Arrays.sort(with);
        Arrays.sort(without);
        double median = with[with.length / 2] / 1e6;
        double floor = without[without.length / 2] / 1e6;
        System.out.printf(
                Locale.ROOT,
                "%-70s %9.1f (%.1f), all told %6.1f (%.1f): %.1f x%s; %d pairs lost, %d destinations led around%n",
                what,
                median,
                with[0] / 1e6,
                floor,
                without[0] / 1e6,
                median / floor,
                bound ? String.format(Locale.ROOT, ", bound %.0f: %s", BOUND, median <= BOUND ? "met" : "missed") : "",
                lost.count(),
                routed.detours().destinations());
    }
}

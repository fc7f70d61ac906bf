package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * How long a plan takes, on one thread, beside the tables it is for. Run by hand: {@code ChangeBenchmark SHAPE RUNS}.
 */
final class ChangeBenchmark {
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final Rerouter engine = Dmodc.strict().rerouter();
    private final ChangeWatch watch;
    private final SplittableRandom random = new SplittableRandom(1);
    private FabricView view;
    private LftSet tables;
    private long epoch;

    private ChangeBenchmark(PgftShape shape) {
        fabric = PgftGenerator.generate(shape);
        FabricView whole = Fabrics.view(fabric);
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        view = fabric.build(++epoch, nodes, levels);
        tables =
                Objects.requireNonNull(engine.route(view, Parallel.sequential()).tables());
        watch = new ChangeWatch(view, tables, new BitSet());
    }

    public static void main(String[] args) {
        String shape = args.length > 0 ? args[0] : "3;24,12,30;1,12,24;1,2,1";
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : 60;
        ChangeBenchmark benchmark = new ChangeBenchmark(PgftShape.parse(shape));
        System.out.println(shape + ", " + benchmark.view.nodeCount() + " nodes, " + benchmark.view.switchCount()
                + " switches; medians in ms");
        for (int i = 0; i < 2; i++) {
            benchmark.links(runs);
            benchmark.switches(runs);
        }
    }

    private void links(int runs) {
        for (int rank = 0; rank < view.rankMax(); rank++) {
            int lower = rank;
            List<Cable> cables = Degradation.cables(view).stream()
                    .filter(cable -> Math.min(rank(cable.guid()), rank(cable.farGuid())) == lower)
                    .toList();
            Times lost = new Times("link above rank " + rank + " lost");
            Times back = new Times("link above rank " + rank + " back");
            for (int i = 0; i < runs; i++) {
                Cable cable = cables.get(random.nextInt(cables.size()));
                Degradation.cut(fabric, cable);
                plan(lost);
                Fabrics.connect(fabric, cable.guid(), cable.port(), cable.farGuid(), cable.farPort());
                plan(back);
            }
            lost.print();
            back.print();
        }
    }

    private int rank(long guid) {
        return view.rank(view.switchOf(guid));
    }

    private void switches(int runs) {
        for (int rank = 1; rank <= view.rankMax(); rank++) {
            int level = rank;
            int[] some = IntStream.range(0, view.switchCount())
                    .filter(s -> view.rank(s) == level)
                    .toArray();
            Times lost = new Times("switch of rank " + rank + " lost");
            Times back = new Times("switch of rank " + rank + " back");
            for (int i = 0; i < runs; i++) {
                long guid = view.switchGuid(some[random.nextInt(some.length)]);
                fabric.apply(new SwitchState(guid, false));
                plan(lost);
                fabric.apply(new SwitchState(guid, true));
                plan(back);
            }
            lost.print();
            back.print();
        }
    }

    private void plan(Times times) {
        List<List<LftRow>> held = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            held.add(List.of(tables.row(s)));
        }
        FabricView next = fabric.build(++epoch, nodes, levels);
        LftSet nextTables =
                Objects.requireNonNull(engine.route(next, Parallel.sequential()).tables());
        RowsInForce inForce = RowsInForce.of(nextTables.entryCount(), held);
        long start = System.nanoTime();
        ChangePlan plan = watch.plan(next, inForce, nextTables, new BitSet());
        times.add(System.nanoTime() - start, plan);
        view = next;
        tables = nextTables;
    }

    /** Of one kind of event. */
    private static final class Times {
        private final String kind;
        private final List<Long> nanos = new ArrayList<>();
        private long changed;
        private long waiting;
        private int rounds;

        Times(String kind) {
            this.kind = kind;
        }

        void add(long time, ChangePlan plan) {
            nanos.add(time);
            changed += plan.changedEntries();
            waiting += plan.waitingEntries();
            rounds = Math.max(rounds, plan.rounds());
        }

        void print() {
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %8.3f (fastest %.3f, slowest %.3f), %d rounds, %,d of %,d entries wait%n",
                    kind,
                    sorted[sorted.length / 2] / 1e6,
                    sorted[0] / 1e6,
                    Arrays.stream(sorted).max().orElse(0) / 1e6,
                    rounds,
                    waiting / nanos.size(),
                    changed / nanos.size());
        }
    }
}

package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How long a plan takes, on one thread, beside the tables it is for. Run by hand: {@code ChangeBenchmark SHAPE RUNS SWITCHES LINKS}, the
 * last two being what the fabric lost before.
 */
final class ChangeBenchmark {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final Rerouter engine = Dmodc.standard().rerouter();
    private final ChangeWatch watch;
    private final SplittableRandom random = new SplittableRandom(1);
    private FabricView view;
    private LftSet tables;
    private long epoch;

    private ChangeBenchmark(PgftShape shape, int switches, int links) {
        fabric = PgftGenerator.generate(shape);
        FabricView whole = Fabrics.view(fabric);
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        Degradation.apply(fabric, switches, links, new SplittableRandom(1));
        view = fabric.build(++epoch, nodes, levels);
        tables =
                Objects.requireNonNull(engine.route(view, Parallel.sequential()).tables());
        watch = new ChangeWatch(view, tables, new BitSet());
    }

    public static void main(String[] args) {
        String shape = args.length > 0 ? args[0] : "3;24,12,30;1,12,24;1,2,1";
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : 60;
        int switches = args.length > 2 ? Integer.parseInt(args[2]) : 0;
        int links = args.length > 3 ? Integer.parseInt(args[3]) : 0;
        ChangeBenchmark benchmark = new ChangeBenchmark(PgftShape.parse(shape), switches, links);
        System.out.println(shape + ", " + benchmark.view.nodeCount() + " nodes, " + benchmark.view.switchCount()
                + " switches; medians of processor time in ms");
        for (int i = 0; i < 2; i++) {
            benchmark.links(runs);
            benchmark.switches(runs);
            benchmark.drains(runs);
            benchmark.hosts(runs);
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
                    .filter(s -> view.rank(s) == level && view.alive(s))
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

    /** At some port another adapter, which has the next index; then none, and the same one again. */
    private void hosts(int runs) {
        Times exchanged = new Times("adapter exchanged");
        Times gone = new Times("host gone");
        Times back = new Times("host back");
        for (int i = 0; i < runs; i++) {
            int node = random.nextInt(view.nodeCount());
            int s = view.nodeSwitch(node);
            if (s < 0) {
                continue;
            }
            long fresh = 0x0e00_0000_0000_0000L + epoch;
            PortSeen there = new PortSeen(
                    view.switchGuid(s), view.nodePort(node), true, new ToHost(new Host(fresh, fresh, 1, "fresh")));
            fabric.apply(there);
            plan(exchanged);
            fabric.apply(new PortSeen(there.guid(), there.port(), false, null));
            plan(gone);
            fabric.apply(there);
            plan(back);
        }
        exchanged.print();
        gone.print();
        back.print();
    }

    private void drains(int runs) {
        int top = view.rankMax();
        drain(runs, "leaf", this::isLowest, false);
        drain(runs, "switch of rank " + top, s -> view.rank(s) == top, false);
        drain(runs, "all above a leaf", s -> false, false);
        drain(runs, "all above a leaf, one lost,", s -> false, true);
    }

    private boolean isLowest(int s) {
        return view.rank(s) == 0;
    }

    /**
     * What is drained carries packets while the tables change, and cannot be told anything.
     *
     * @param which one of them is; all above a leaf if there is none
     * @param alsoLost one of the highest rank is lost meanwhile, so that others move what some lose
     */
    private void drain(int runs, String kind, IntPredicate which, boolean alsoLost) {
        Times drained = new Times(kind + " drained");
        Times used = new Times(kind + " used again");
        int[] some = IntStream.range(0, view.switchCount()).filter(which).toArray();
        int[] leaves =
                IntStream.range(0, view.switchCount()).filter(this::isLowest).toArray();
        int[] highest = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == view.rankMax())
                .toArray();
        for (int i = 0; i < runs; i++) {
            BitSet untold = new BitSet();
            if (some.length > 0) {
                untold.set(some[random.nextInt(some.length)]);
            } else {
                int leaf = leaves[random.nextInt(leaves.length)];
                for (int g = view.groupStart(leaf); g < view.groupEnd(leaf); g++) {
                    untold.set(view.groupRemote(g));
                }
            }
            long[] guids = untold.stream().mapToLong(view::switchGuid).toArray();
            long top = view.switchGuid(highest[random.nextInt(highest.length)]);
            if (alsoLost) {
                fabric.apply(new SwitchState(top, false));
            }
            Arrays.stream(guids).forEach(guid -> fabric.apply(new SwitchState(guid, false)));
            FabricView without = fabric.build(++epoch, nodes, levels);
            Arrays.stream(guids).forEach(guid -> fabric.apply(new SwitchState(guid, true)));
            plan(drained, without, untold);
            fabric.apply(new SwitchState(top, true));
            plan(used, fabric.build(++epoch, nodes, levels), new BitSet());
        }
        drained.print();
        used.print();
    }

    private void plan(Times times) {
        plan(times, fabric.build(++epoch, nodes, levels), new BitSet());
    }

    /** @param routed what the next tables are for; all links work besides */
    private void plan(Times times, FabricView routed, BitSet untold) {
        List<List<LftRow>> held = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            held.add(List.of(tables.row(s)));
        }
        FabricView next = untold.isEmpty() ? routed : fabric.build(++epoch, nodes, levels);
        LftSet nextTables = Objects.requireNonNull(
                engine.route(routed, Parallel.sequential()).tables());
        RowsInForce inForce = RowsInForce.of(nextTables.entryCount(), held, untold);
        long start = processorNanos();
        ChangePlan plan = watch.plan(next, inForce, nextTables, new BitSet());
        times.add(processorNanos() - start, plan);
        view = next;
        tables = nextTables;
    }

    /** What the present thread has had of the processor so far: other work on the machine disturbs it less than the clock. */
    private static long processorNanos() {
        return THREADS.getCurrentThreadCpuTime();
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
                    "%-44s %8.3f (fastest %.3f, slowest %.3f), %d rounds, %,d of %,d entries wait%n",
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

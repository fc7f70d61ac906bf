package io.dmodc.manager.core;

import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.change.TableDifference;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What it costs to keep the tables of single faults: time on the loop, bytes, and time to make older ones again. Run by hand:
 * {@code KeptEpochsBenchmark SHAPE...}.
 */
final class KeptEpochsBenchmark {
    private static final int RUNS = 100;

    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final TableComputation computation =
            new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, Parallel.sequential());
    private KeptEpochs kept;
    private final SplittableRandom random = new SplittableRandom(1);
    private FabricView view;
    private long epoch;

    private KeptEpochsBenchmark(PgftShape shape) {
        fabric = PgftGenerator.generate(shape);
        view = fabric.build(0, nodes, levels);
        for (int s = 0; s < view.switchCount(); s++) {
            levels.put(view.switchGuid(s), view.rank(s));
        }
        kept = none();
    }

    private static KeptEpochs none() {
        StoredState first = StoredState.of(List.of(new LeaderEpoch(1)));
        FabricState state = new FabricState(SimulatedFabric.RULES, 0, 0, first, Set.of());
        return new KeptEpochs(state, first, KeptEpochs.BYTES_MAX);
    }

    public static void main(String[] args) {
        List<String> shapes =
                args.length > 0 ? List.of(args) : List.of("3;24,12,30;1,12,24;1,2,1", "3;32,32,64;1,32,32;1,1,1");
        for (String shape : shapes) {
            new KeptEpochsBenchmark(PgftShape.parse(shape)).run(shape);
        }
    }

    private void run(String shape) {
        accept();
        System.out.printf("%s: %,d nodes, %,d switches%n", shape, view.nodeCount(), view.switchCount());
        for (int rank = 0; rank < view.rankMax(); rank++) {
            links(rank);
            printHeap();
        }
        switches();
        printHeap();
    }

    /** What would be free without what is kept: engine and check hold the last tables, too. */
    private void printHeap() {
        long with = used();
        kept = none();
        System.out.printf(Locale.ROOT, "heap that they take: %,d bytes%n", with - used());
        accept();
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private void links(int rank) {
        List<Cable> cables = Degradation.cables(view).stream()
                .filter(cable -> Math.min(rank(cable.guid()), rank(cable.farGuid())) == rank)
                .toList();
        double[] millis = new double[RUNS];
        for (int i = 0; i < RUNS; i++) {
            Cable cable = cables.get(random.nextInt(cables.size()));
            set(cable, false);
            millis[i] = accept();
            set(cable, true);
            accept();
        }
        print("link above rank " + rank + " lost", millis);
    }

    private int rank(long guid) {
        return view.rank(view.switchOf(guid));
    }

    private void set(Cable cable, boolean up) {
        fabric.apply(new PortSeen(cable.guid(), cable.port(), up, fabric.neighbour(cable.guid(), cable.port())));
        fabric.apply(
                new PortSeen(cable.farGuid(), cable.farPort(), up, fabric.neighbour(cable.farGuid(), cable.farPort())));
    }

    private void switches() {
        double[] millis = new double[20];
        for (int i = 0; i < millis.length; i++) {
            long guid = view.switchGuid(random.nextInt(view.switchCount()));
            if (view.isLeaf(view.switchOf(guid))) {
                continue;
            }
            fabric.apply(new SwitchState(guid, false));
            millis[i] = accept();
            fabric.apply(new SwitchState(guid, true));
            accept();
        }
        print(
                "switch above the leaves lost",
                Arrays.stream(millis).filter(it -> it > 0).toArray());
    }

    /** Milliseconds that keeping the next epoch takes. */
    private double accept() {
        view = fabric.build(++epoch, nodes, levels);
        Routed routed =
                computation.compute(new Effect.Compute(view, Map.of(), null, Method.INCREMENTAL), System::nanoTime);
        LftSet tables = Objects.requireNonNull(routed.result().tables());
        List<Effect> effects = new ArrayList<>();
        long start = System.nanoTime();
        kept.accepted(new EpochRecord(epoch, "fault", 0, 0), "", view, tables, routed.digests(), 0, effects);
        kept.timePassed(false, effects);
        kept.timePassed(false, effects);
        return (System.nanoTime() - start) / 1e6;
    }

    private void print(String what, double[] millis) {
        Arrays.sort(millis);
        EpochHistory history = kept.history();
        List<KeptEpoch> all = history.epochs();
        long bytes = all.stream().mapToLong(EpochDifference::bytes).sum();
        long oldest = all.get(all.size() - 1).epoch();
        long start = System.nanoTime();
        EpochTables then = Objects.requireNonNull(history.at(oldest, RowDigests.RULE));
        double again = (System.nanoTime() - start) / 1e6;
        EpochTables now = Objects.requireNonNull(history.at(all.get(1).epoch(), RowDigests.RULE));
        start = System.nanoTime();
        TableDifference difference = TableDifference.of(then, now);
        double compared = (System.nanoTime() - start) / 1e6;
        double[] ages = new double[1000];
        for (int i = 0; i < ages.length; i++) {
            long guid = view.switchGuid(random.nextInt(view.switchCount()));
            int node = random.nextInt(view.nodeCount());
            start = System.nanoTime();
            history.age(guid, node, view.nodeGuid(node));
            ages[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(ages);
        System.out.printf(
                Locale.ROOT,
                "%s: kept in %.2f ms (median of %d, most %.2f); %d epochs take %,d bytes; the oldest made again in %.0f ms;"
                        + " compared with the last but one in %.0f ms: %,d entries of %d switches, %,d pairs;"
                        + " the age of an entry in %.3f ms (median of 1,000, 99 %% within %.3f)%n",
                what,
                millis[millis.length / 2],
                millis.length,
                millis[millis.length - 1],
                all.size(),
                bytes,
                again,
                compared,
                difference.entries(),
                difference.switches().size(),
                difference.pairsMoved(),
                ages[ages.length / 2],
                ages[ages.length * 99 / 100]);
    }
}

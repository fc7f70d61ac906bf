package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A fabric of 27,648 nodes and 2,880 switches on one thread: costs, tables from nothing, and one step after a fault.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RouteBenchmark {
    private static final String SHAPE = "3;24,24,48;1,24,24;1,1,1";

    private final FabricView whole;
    private final FabricView damaged;

    /** Less one cable. */
    private final FabricView faulty;

    private final Rerouter rerouter = Dmodc.standard().rerouter();
    private LftSet tables;
    private boolean broken;

    /** Draws the views: a 65th of the cables is lost in the damaged one. */
    public RouteBenchmark() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(SHAPE));
        NodeIndexMap nodes = new NodeIndexMap();
        GuidNumbers levels = new GuidNumbers();
        FabricView drawn = fabric.build(1, nodes, levels);
        IntStream.range(0, drawn.switchCount()).forEach(s -> levels.put(drawn.switchGuid(s), drawn.rank(s)));
        whole = fabric.build(2, nodes, levels);
        Degradation.apply(fabric, 0, 1, new SplittableRandom(1));
        faulty = fabric.build(3, nodes, levels);
        Degradation.apply(fabric, 0, whole.linkCount() / 65, new SplittableRandom(2));
        damaged = fabric.build(4, nodes, levels);
        tables = next(whole);
    }

    private LftSet next(FabricView view) {
        return Objects.requireNonNull(
                rerouter.route(view, Parallel.sequential()).tables());
    }

    /** The OR of layers: one sweep up and one down. */
    @Benchmark
    public Object reachOfAllSwitches() {
        return costs(whole);
    }

    @Benchmark
    public Object reachOfAllSwitchesDamaged() {
        return costs(damaged);
    }

    private static CostLayers costs(FabricView view) {
        CostLayers costs = new CostLayers(view, TargetColumns.nodes(view), GroupOrder.GUID);
        costs.update(view, DmodcRerouter.allSwitches(view), Parallel.sequential());
        return costs;
    }

    @Benchmark
    public RoutingResult fullRoute() {
        return Dmodc.standard().route(whole, Parallel.sequential());
    }

    @Benchmark
    public RoutingResult fullRouteDamaged() {
        return Dmodc.standard().route(damaged, Parallel.sequential());
    }

    /** One cable lost or mended, in turn: tables and the blocks to push. */
    @Benchmark
    public int stepAndBlocks() {
        broken = !broken;
        LftSet now = next(broken ? faulty : whole);
        int blocks = 0;
        for (int s = 0; s < now.switchCount(); s++) {
            blocks += LftDelta.changedBlocks(tables.row(s), now.row(s)).length;
        }
        tables = now;
        return blocks;
    }
}

package io.dmodc.ctl.study;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.LoadSweep;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.routing.vtftr.GridState;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.routing.vtftr.Vtftr;
import io.dmodc.routing.vtftr.traffic.TurnForwarding;
import io.dmodc.routing.vtftr.traffic.TurnRoutes;
import io.dmodc.routing.vtftr.traffic.TurnRouting;
import io.dmodc.routing.vtftr.traffic.VcClasses;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;

/** One grid, put into one state after the other; spares are the paper's. */
final class StudyGrid {
    final GridShape shape;
    private final FabricView whole;
    private final RecognisedGrid grid;

    StudyGrid(GridShape shape) {
        this.shape = shape;
        whole = GridGenerator.generate(shape).build(0, new NodeIndexMap(), new GuidNumbers());
        grid = GridRecognition.recognise(whole);
    }

    /** The grid with the faults of a scenario, and its tables. */
    record Damaged(FabricView view, TurnTables tables, GridScenario scenario) {
        TurnForwarding switches() {
            return new TurnForwarding(view, tables, scenario.detours());
        }
    }

    Damaged under(GridScenario scenario) {
        BitSet dead = new BitSet();
        int[] leaves = scenario.placement().leaves(scenario.faults(), shape.rows(), shape.columns(), scenario.seed());
        for (int leaf : leaves) {
            dead.set(grid.leaf(leaf / shape.columns(), leaf % shape.columns()));
        }
        FabricView view = whole.without(dead, List.of());
        return new Damaged(view, Vtftr.compute(GridState.of(grid, view), SpareMode.PAPER), scenario);
    }

    /** Simulates a pattern; arguments and answer as {@link LoadSweep} has them. */
    List<LoadResult> simulate(
            GridScenario scenario,
            String pattern,
            SimulationSettings settings,
            double[] loads,
            long[] seeds,
            Parallel parallel,
            LongConsumer cyclesDone) {
        Damaged damaged = under(scenario);
        Endpoints nodes = new Endpoints(damaged.view);
        VcClasses classes = new VcClasses(settings.vcs(), Math.min(settings.vcs() - 1, scenario.faultTolerantVcs()));
        return new LoadSweep(
                        damaged.view,
                        nodes,
                        TrafficPattern.named(pattern, nodes.count(), 1),
                        new TurnRouting(damaged.switches(), classes),
                        settings)
                .run(loads, seeds, parallel, cyclesDone);
    }

    /** Exact load of the fullest channel if all nodes send to all others at full rate. */
    double channelLoad(GridScenario scenario) {
        Damaged damaged = under(scenario);
        Endpoints nodes = new Endpoints(damaged.view);
        return Throughput.of(
                        nodes,
                        TrafficPattern.named("uniform", nodes.count(), 1),
                        new TurnRoutes(damaged.switches()),
                        Fraction.of(1, 2))
                .maxChannelLoad()
                .toDouble();
    }
}

package io.dmodc.routing.vtftr.traffic;

import io.dmodc.routing.cycles.CycleSimulator;
import io.dmodc.routing.cycles.RunResult;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.topology.FabricView;

/** Traffic through a grid with faults that its tables know, and with some that they do not. */
final class GridTraffic {
    final FabricView view;
    final TurnTables tables;
    final TurnForwarding switches;
    final Endpoints nodes;

    private GridTraffic(FabricView view, TurnTables tables, DetourChoice detours) {
        this.view = view;
        this.tables = tables;
        this.switches = new TurnForwarding(view, tables, detours);
        this.nodes = new Endpoints(view);
    }

    /** The tables know all faults. */
    static GridTraffic of(GridFabric grid, SpareMode mode, DetourChoice detours) {
        return new GridTraffic(grid.view(), grid.tables(mode), detours);
    }

    /** @param tables made before the last of the grid's faults */
    static GridTraffic burst(GridFabric grid, TurnTables tables) {
        return new GridTraffic(grid.view(), tables, DetourChoice.RANDOM);
    }

    Throughput flows(String pattern, Fraction offered) {
        return Throughput.of(nodes, TrafficPattern.named(pattern, nodes.count(), 1), new TurnRoutes(switches), offered);
    }

    RunResult packets(String pattern, VcClasses classes, double load, int warmUp, int measured, long seed) {
        return packets(pattern, classes, 16, load, warmUp, measured, seed);
    }

    RunResult packets(
            String pattern, VcClasses classes, int buffers, double load, int warmUp, int measured, long seed) {
        SimulationSettings settings = new SimulationSettings(classes.total(), buffers, warmUp, measured);
        TrafficPattern traffic = TrafficPattern.named(pattern, nodes.count(), seed);
        return new CycleSimulator(view, nodes, traffic, new TurnRouting(switches, classes), settings, load, seed)
                .run(cycles -> {});
    }
}

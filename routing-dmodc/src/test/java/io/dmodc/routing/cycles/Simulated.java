package io.dmodc.routing.cycles;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodk.Dmodk;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Objects;

/** A whole PGFT under tables of Dmodk, to be simulated: 4 virtual channels of 16 packets. */
final class Simulated {
    final FabricView view;
    final Endpoints nodes;
    final LftSet tables;

    Simulated(String shape) {
        view = Fabrics.pgft(shape);
        nodes = new Endpoints(view);
        tables = Objects.requireNonNull(new Dmodk(PgftShape.parse(shape))
                .route(view, Parallel.sequential())
                .tables());
    }

    RunResult table(String pattern, double load, int warmUp, int measured, long seed) {
        return run(new TableRouting(view, tables, 4), pattern, load, warmUp, measured, seed);
    }

    /** Over a random common ancestor. */
    RunResult randomUp(String pattern, double load, int warmUp, int measured, long seed) {
        return run(new RandomUpRouting(view, tables, 4), pattern, load, warmUp, measured, seed);
    }

    private RunResult run(PacketRouting routing, String pattern, double load, int warmUp, int measured, long seed) {
        SimulationSettings settings = new SimulationSettings(4, 16, warmUp, measured);
        TrafficPattern traffic = TrafficPattern.named(pattern, nodes.count(), 1);
        return new CycleSimulator(view, nodes, traffic, routing, settings, load, seed).run(cycles -> {});
    }
}

package io.dmodc.manager.core;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.topology.FabricView;

/** Makes no tables, and says why. */
final class BrokenEngine implements RoutingEngine {
    @Override
    public String name() {
        return "broken";
    }

    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        return new RoutingResult.Unroutable("it is broken");
    }

    @Override
    public LftSet routeSwitches(FabricView view, Parallel parallel) {
        throw new AssertionError("nobody asks the manager for tables towards switches");
    }
}

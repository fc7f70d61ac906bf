package io.dmodc.routing;

import io.dmodc.topology.FabricView;

/** Makes tables from a view, live or imagined. Stateless and safe to share between threads. */
public interface RoutingEngine {
    /** The name operators use: {@code dmodc}, {@code minhop}. */
    String name();

    /**
     * Routes every switch to every node.
     *
     * @param view one frozen epoch
     * @param parallel where the work runs; the result does not depend on it
     * @return tables of {@code view.epoch()}, never half made
     */
    RoutingResult route(FabricView view, Parallel parallel);

    /** For a row of epochs of one fabric. Engines that have no shorter way route each view anew. */
    default Rerouter rerouter() {
        return this::route;
    }

    /**
     * Routes every switch to every switch that has a legal path, for tables that also carry switch addresses.
     *
     * @return columns are switch indices; 0 on the diagonal
     */
    LftSet routeSwitches(FabricView view, Parallel parallel);
}

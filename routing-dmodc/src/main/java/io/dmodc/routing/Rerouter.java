package io.dmodc.routing;

import io.dmodc.topology.FabricView;

/**
 * Routes one view of a fabric after the other, and keeps what it found, so that a fault costs what it changes.
 *
 * <p>The tables are those that {@link RoutingEngine#route} makes of the same view, entry by entry; rows that nothing
 * concerned are the same objects as before. Views may follow each other in any order, also of different fabrics. For one
 * thread at a time.
 */
@FunctionalInterface
public interface Rerouter {
    /**
     * Routes every switch to every node.
     *
     * @param view one frozen epoch
     * @param parallel where the work runs; the result does not depend on it
     */
    RoutingResult route(FabricView view, Parallel parallel);
}

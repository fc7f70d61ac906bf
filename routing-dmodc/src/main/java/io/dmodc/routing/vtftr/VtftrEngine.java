package io.dmodc.routing.vtftr;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.topology.FabricView;

/**
 * VTFTR as an engine: recognises the grid in a view, and makes tables by input class of it ({@link io.dmodc.routing.TurnTableSet}).
 *
 * <p>A fabric in which no grid can be recognised is not routable. Leaves and roots without a place in the grid are left out, the rest is
 * routed; hosts at one leaf reach each other in any case. Thread-safe.
 */
public final class VtftrEngine implements RoutingEngine {
    private static final String NAME = "vtftr";

    private final SpareMode mode;

    /** @param mode which spares roots are given */
    public VtftrEngine(SpareMode mode) {
        this.mode = mode;
    }

    @Override
    public String name() {
        return mode == SpareMode.PAPER ? NAME : NAME + "-pairwise";
    }

    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        return rerouter().route(view, parallel);
    }

    /**
     * Rows stay rows from view to view, and a switch that died keeps its place. So after a restart in which a whole row or column is away
     * others may be numbered otherwise, and entries differ; which of them is meant by a class of input does not.
     */
    @Override
    public Rerouter rerouter() {
        return new GridRerouter(mode);
    }

    /**
     * Switches of a grid have no addresses in its tables.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public LftSet routeSwitches(FabricView view, Parallel parallel) {
        throw new UnsupportedOperationException("vtftr routes to nodes only");
    }
}

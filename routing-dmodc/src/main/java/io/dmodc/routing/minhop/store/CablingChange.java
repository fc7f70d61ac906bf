package io.dmodc.routing.minhop.store;

import java.util.Locale;

/** What can differ between the cabling that was kept and the one that is found: the rows of the memo's Table 1. */
public enum CablingChange {
    NEW_SWITCH(Effect.ALL, Effect.ALL),
    MISSING_SWITCH(Effect.ALL, Effect.ALL),
    NEW_CABLE(Effect.NONE, Effect.NONE),
    /** Between two switches that have another one still. */
    MISSING_CABLE_OF_SEVERAL(Effect.NONE, Effect.SOME),
    /** Between two switches that have no other. */
    MISSING_LAST_CABLE(Effect.ALL, Effect.SOME),
    /** To a node of an adapter that is still there. */
    MISSING_NODE_CABLE(Effect.NONE, Effect.NONE),
    NEW_NODE(Effect.NONE, Effect.NONE),
    MISSING_NODE(Effect.NONE, Effect.NONE),
    /** A node has another index: what is a LID in the memo. */
    NEW_NODE_INDEX(Effect.NONE, Effect.SOME);

    /** How much is invalid. */
    private enum Effect {
        NONE,
        /** Routes through the port that is gone, or to the address that changed. */
        SOME,
        ALL
    }

    private final Effect onMinHops;
    private final Effect onRoutes;

    CablingChange(Effect onMinHops, Effect onRoutes) {
        this.onMinHops = onMinHops;
        this.onRoutes = onRoutes;
    }

    /** True if the min-hop tables must be searched again. */
    public boolean invalidatesMinHops() {
        return onMinHops == Effect.ALL;
    }

    /** True if the roots must be found again: only when switches came or went. */
    public boolean invalidatesRoots() {
        return onMinHops == Effect.ALL && onRoutes == Effect.ALL;
    }

    /** True if no route is kept. */
    public boolean invalidatesAllRoutes() {
        return onRoutes == Effect.ALL;
    }

    /** In words, for people. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

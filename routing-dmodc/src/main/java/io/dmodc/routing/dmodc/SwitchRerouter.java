package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import org.jspecify.annotations.Nullable;

/**
 * Tables that lead to switches, from one epoch to the next: those that {@link Dmodc#routeSwitches} makes of the same view, entry by entry. A fault
 * costs what it changes, and rows that nothing concerned are the same objects as before. Views may follow each other in any order; after one
 * with other switches, ranks or targets, or another number of nodes, all is routed anew. For one thread at a time.
 */
public final class SwitchRerouter {
    private static final PortPattern SELF = PortPattern.constant(0);

    private final DmodcForm form;
    private final LftRowBuilder builder = new LftRowBuilder();

    /** Null before the first view, and while an update is under way: one that failed leaves nothing half done. */
    private @Nullable RoutingState last;

    /** Rows of the last view, without and with the entry for the switch itself. */
    private LftRow[] without = {};

    private LftRow[] with = {};

    SwitchRerouter(DmodcForm form) {
        this.form = form;
    }

    /**
     * Routes every switch to every switch that has a legal path.
     *
     * @return columns are switch indices; 0 on the diagonal
     * @throws IllegalArgumentException if a rank is above {@link Dmodc#RANK_MAX}
     */
    public LftSet route(FabricView view, Parallel parallel) {
        RoutingState state = last;
        last = null;
        Dmodc.requireRank(view);
        // The columns of switches follow those of nodes in the formulas.
        int[] changed = state == null || state.view().nodeCount() != view.nodeCount()
                ? null
                : view.switchesRelinkedSince(state.view());
        if (state == null || changed == null) {
            state = new RoutingState(view, TargetColumns.switches(view), form);
            changed = DmodcRerouter.allSwitches(view);
            without = new LftRow[view.switchCount()];
            with = without.clone();
        }
        state.update(view, changed, parallel);
        LftSet tables = state.tables();
        for (int s = 0; s < with.length; s++) {
            if (without[s] != tables.row(s)) {
                without[s] = tables.row(s);
                builder.begin(without[s]);
                builder.put(s, s + 1, SELF);
                with[s] = builder.build();
            }
        }
        last = state;
        return new LftSet(view.epoch(), with.length, with.clone());
    }
}

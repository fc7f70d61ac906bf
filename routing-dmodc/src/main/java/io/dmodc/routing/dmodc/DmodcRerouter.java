package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.UpperPairs;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Dmodc from one epoch to the next.
 *
 * <p>Keeps the costs, dividers and rows of the last view. If the next one has the same switches, ranks and targets, only
 * what the changed links and switches concern is found again, and the columns of nodes that came, went or moved; else all is.
 */
final class DmodcRerouter implements Rerouter {
    private final DmodcForm form;

    /** Null before the first view, and while an update is under way: one that failed leaves nothing half done. */
    private @Nullable RoutingState last;

    DmodcRerouter(DmodcForm form) {
        this.form = form;
    }

    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        RoutingState state = last;
        last = null;
        if (view.rankMax() > Dmodc.RANK_MAX) {
            return new RoutingResult.Unroutable(Dmodc.tooHigh(view));
        }
        if (CutOffLeaves.liveCount(view) == 0) {
            return new RoutingResult.Unroutable("none of " + view.leafCount() + " leaf switches is alive");
        }
        int[] changed = state == null ? null : view.switchesRelinkedSince(state.view());
        if (state == null || changed == null) {
            state = new RoutingState(view, TargetColumns.nodes(view), form);
            changed = allSwitches(view);
        } else {
            state.moveNodes(view);
        }
        state.update(view, changed, parallel);
        last = state;
        CutOffLeaves cutOff = CutOffLeaves.find(view, state.costs());
        UpperPairs upper = UpperPairSearch.find(view, state.costs(), cutOff.switches());
        return cutOff.isEmpty() && upper.isEmpty()
                ? new RoutingResult.Complete(state.tables())
                : new RoutingResult.Partial(state.tables(), cutOff.switches(), cutOff.unreachablePairs(), upper);
    }

    static int[] allSwitches(FabricView view) {
        int[] all = new int[view.switchCount()];
        Arrays.setAll(all, s -> s);
        return all;
    }
}

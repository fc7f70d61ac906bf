package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.UpperPairs;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.List;
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

    /** Of the last view: which leaves and pairs are not reached. */
    private @Nullable Unreached unreached;

    /** Nothing of the view it was found in. */
    private record Unreached(List<Integer> leaves, long leafPairs, UpperPairs pairs) {}

    DmodcRerouter(DmodcForm form) {
        this.form = form;
    }

    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        RoutingState state = last;
        Unreached known = unreached;
        last = null;
        unreached = null;
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
            known = null;
        } else {
            known = mayWantOthers(state.view(), view, changed) ? null : known;
            state.moveNodes(view);
        }
        state.update(view, changed, parallel);
        if (known == null || state.costs().isChangedAtTarget()) {
            CutOffLeaves leaves = CutOffLeaves.find(view, state.costs());
            UpperPairs pairs = UpperPairSearch.find(view, state.costs(), leaves.switches());
            known = new Unreached(List.copyOf(leaves.switches()), leaves.unreachablePairs(), pairs);
        }
        last = state;
        unreached = known;
        return known.leaves.isEmpty() && known.pairs.isEmpty()
                ? new RoutingResult.Complete(state.tables())
                : new RoutingResult.Partial(state.tables(), known.leaves, known.leafPairs, known.pairs);
    }

    /** True if what is to be reached may be others: switches died or came back, have hosts now, or the fabric is in parts. */
    private static boolean mayWantOthers(FabricView before, FabricView now, int[] changed) {
        boolean others =
                Math.max(before.partCount(), now.partCount()) > 1 || before.hostTargetCount() != now.hostTargetCount();
        for (int s : changed) {
            others |= before.alive(s) != now.alive(s);
        }
        return others;
    }

    static int[] allSwitches(FabricView view) {
        int[] all = new int[view.switchCount()];
        Arrays.setAll(all, s -> s);
        return all;
    }
}

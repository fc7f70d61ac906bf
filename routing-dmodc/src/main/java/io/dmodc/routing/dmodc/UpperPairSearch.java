package io.dmodc.routing.dmodc;

import io.dmodc.routing.UpperPairs;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.List;

/**
 * Counts the pairs of live targets with hosts without a legal path of which one is above the leaves, 64 at a time.
 *
 * <p>What a switch reaches turning at any rank is its last layer. Legal paths run both ways, so each pair counts twice.
 * Nothing to do where all targets are leaves; O(upper targets × targets / 64) else, and O(1) a pair that is found.
 */
final class UpperPairSearch {
    private final FabricView view;
    private final CostLayers costs;
    private final BitSet cutOff = new BitSet();
    private final UpperPairs.Counter pairs = new UpperPairs.Counter();

    private UpperPairSearch(FabricView view, CostLayers costs, List<Integer> cutOffLeaves) {
        this.view = view;
        this.costs = costs;
        cutOffLeaves.forEach(cutOff::set);
    }

    /** @param cutOffLeaves switch indices of leaves that are named anyway */
    static UpperPairs find(FabricView view, CostLayers costs, List<Integer> cutOffLeaves) {
        if (view.hostTargetCount() == view.leafCount()) {
            return UpperPairs.NONE;
        }
        UpperPairSearch search = new UpperPairSearch(view, costs, cutOffLeaves);
        WantedTargets wanted = new WantedTargets(view, costs.words(), view.hostTargetCount());
        for (int target = view.leafCount(); target < view.hostTargetCount(); target++) {
            if (wanted.isLive(target)) {
                search.add(target, wanted.of(view.targetSwitch(target)));
            }
        }
        return search.pairs.result();
    }

    /** Pairs with leaves and with upper targets behind it; a switch without a rank reaches nobody. */
    private void add(int target, long[] wanted) {
        int s = view.targetSwitch(target);
        boolean routes = costs.routes(s);
        long[] reached = routes ? costs.layer(s, costs.rankMax()) : new long[wanted.length];
        int at = routes ? costs.layerAt(s, costs.rankMax()) : 0;
        for (int w = 0; w < wanted.length; w++) {
            for (long rest = wanted[w] & ~reached[at + w]; rest != 0; rest &= rest - 1) {
                int other = 64 * w + Long.numberOfTrailingZeros(rest);
                if (other < view.leafCount() || other > target) {
                    int far = view.targetSwitch(other);
                    pairs.add(s, far, 2, cutOff.get(far));
                }
            }
        }
    }
}

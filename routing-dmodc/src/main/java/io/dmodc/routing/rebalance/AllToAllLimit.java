package io.dmodc.routing.rebalance;

import io.dmodc.topology.FabricView;

/**
 * Keeps the all-to-all risk of every port that gets more flows at or below that of the worst one at the start.
 *
 * <p>The risk is the smaller of the number of sources and that of destinations. Destinations are counted exactly. Sources
 * of a port that leads up are hosts below its switch, as legal paths only climb to it; of other ports they are not bounded
 * here. So no move raises the risk of the fabric, and a few that would not are forbidden.
 */
final class AllToAllLimit {
    private final ShiftLoads loads;
    private final int limit;
    private final int[] destinations;
    private final int[] sourcesMost;

    /** @param hostsBelow hosts each switch can descend to */
    AllToAllLimit(ShiftLoads loads, int[] hostsBelow, int limit) {
        this.loads = loads;
        this.limit = limit;
        destinations = new int[loads.place.length];
        sourcesMost = new int[loads.place.length];
        FabricView view = loads.view;
        for (int c = 0; c < sourcesMost.length; c++) {
            int s = loads.place[c] >> 8;
            sourcesMost[c] = view.isUp(s, loads.peer[c]) ? hostsBelow[s] : Integer.MAX_VALUE;
        }
        DestinationTree tree = new DestinationTree(loads);
        for (int d : loads.node) {
            tree.follow(d);
            count(tree, d, 1);
        }
    }

    /** One destination more for all channels of its tree; or fewer, before an entry is moved. */
    void count(DestinationTree tree, int d, int by) {
        for (int i = 0; i < tree.size(); i++) {
            destinations[loads.channel(tree.switchAt(i), d)] += by;
        }
    }

    /** True if a channel may have flows that it has not. */
    boolean allows(int c, boolean newDestination) {
        return sourcesMost[c] <= limit || destinations[c] + (newDestination ? 1 : 0) <= limit;
    }
}

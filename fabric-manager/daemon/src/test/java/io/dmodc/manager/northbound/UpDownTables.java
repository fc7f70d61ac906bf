package io.dmodc.manager.northbound;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.UpperPairs;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Hand-made tables for tests: the lowest port on a shortest up–down path. Slow and obvious. */
final class UpDownTables {
    private static final int UNREACHABLE = 1 << 20;

    private final FabricView view;
    private final byte[][] rows;
    private final List<Integer> cutOff = new ArrayList<>();
    private long unreachablePairs;

    private UpDownTables(FabricView view) {
        this.view = view;
        rows = new byte[view.switchCount()][view.nodeCount()];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        }
    }

    static RoutingResult of(FabricView view) {
        UpDownTables tables = new UpDownTables(view);
        for (int target = 0; target < view.targetCount(); target++) {
            tables.routeTo(view.targetSwitch(target));
        }
        LftSet set = new LftSet(view.epoch(), view.nodeCount(), tables.rows);
        return tables.cutOff.isEmpty()
                ? new RoutingResult.Complete(set)
                : new RoutingResult.Partial(
                        set, tables.cutOff.stream().sorted().toList(), tables.unreachablePairs, UpperPairs.NONE);
    }

    private void routeTo(int leaf) {
        int[] down = new int[view.switchCount()];
        Arrays.fill(down, UNREACHABLE);
        down[leaf] = view.alive(leaf) ? 0 : UNREACHABLE;
        for (int rank = 1; rank <= view.rankMax(); rank++) {
            relax(rank, down, false);
        }
        int[] cost = down.clone();
        for (int rank = view.rankMax() - 1; rank >= 0; rank--) {
            relax(rank, cost, true);
        }
        noteCutOff(leaf, cost);
        for (int s = 0; s < view.switchCount(); s++) {
            int port = s == leaf ? 0 : firstPort(s, down, cost);
            for (int node = 0; node < view.nodeCount(); node++) {
                if (view.nodeSwitch(node) == leaf && s == leaf) {
                    rows[s][node] = (byte) view.nodePort(node);
                } else if (view.nodeSwitch(node) == leaf && port > 0) {
                    rows[s][node] = (byte) port;
                }
            }
        }
    }

    private void relax(int rank, int[] cost, boolean up) {
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; view.rank(s) == rank && port <= view.portCount(s); port++) {
                int remote = view.peerSwitch(s, port);
                if (remote >= 0 && (up ? view.isUp(s, remote) : view.isDown(s, remote))) {
                    cost[s] = Math.min(cost[s], cost[remote] + 1);
                }
            }
        }
    }

    private int firstPort(int s, int[] down, int[] cost) {
        for (int port = 1; port <= view.portCount(s) && cost[s] < UNREACHABLE; port++) {
            int remote = view.peerSwitch(s, port);
            if (remote >= 0
                    && ((view.isDown(s, remote) && down[remote] + 1 == cost[s])
                            || (view.isUp(s, remote) && cost[remote] + 1 == cost[s]))) {
                return port;
            }
        }
        return 0;
    }

    /** A dead leaf is cut off, and a live one that reaches none of the other live leaves. */
    private void noteCutOff(int leaf, int[] cost) {
        int others = 0;
        int reached = 0;
        for (int other = 0; other < view.leafCount(); other++) {
            int s = view.targetSwitch(other);
            if (s != leaf && view.alive(s) && view.alive(leaf)) {
                others++;
                reached += cost[s] < UNREACHABLE ? 1 : 0;
            }
        }
        unreachablePairs += others - reached;
        if (!view.alive(leaf) || (others > 0 && reached == 0)) {
            cutOff.add(leaf);
        }
    }
}

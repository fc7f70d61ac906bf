package io.dmodc.routing.updown;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/**
 * Finds the roots of a tree by how far the nodes are from each switch (memo, section 4.1): from a root all are equally
 * far.
 *
 * <p>As OpenSM 3.3.23 reads it: a histogram of nodes by hops between switches; a root has exactly one bar above 90 % of
 * all nodes, and no other above 5 %. Aggregation nodes are not counted: with one in each switch no switch is equally far
 * from all. Nodes out of reach, or {@link #HOPS_MAX} hops away or more, are in no bar.
 */
final class RootFinder {
    private static final int HOPS_MAX = 64;
    private static final double NEARLY_ALL = 0.9;
    private static final double SOME = 0.05;

    private final FabricView view;
    private final MinHopTables minHops;
    private final int[] nodes;
    private int nodeCount;

    private RootFinder(FabricView view, MinHopTables minHops) {
        this.view = view;
        this.minHops = minHops;
        nodes = new int[view.switchCount()];
        for (int node = 0; node < view.nodeCount(); node++) {
            int s = view.nodeSwitch(node);
            if (view.isHost(node) && view.alive(s)) {
                nodes[s]++;
                nodeCount++;
            }
        }
    }

    /** Switch indices of the roots. */
    static BitSet find(FabricView view, Parallel parallel) {
        RootFinder finder = new RootFinder(view, MinHop.minHops(view, TargetChoice.WITH_NODES, parallel));
        boolean[] root = new boolean[view.switchCount()];
        parallel.forEach(root.length, s -> root[s] = view.alive(s) && finder.isRoot(s));
        BitSet roots = new BitSet();
        for (int s = 0; s < root.length; s++) {
            roots.set(s, root[s]);
        }
        return roots;
    }

    private boolean isRoot(int s) {
        int[] bars = new int[HOPS_MAX];
        for (int target = 0; target < view.targetCount(); target++) {
            int hops = minHops.hops(s, view.targetSwitch(target));
            if (hops < HOPS_MAX) {
                bars[hops] += nodes[view.targetSwitch(target)];
            }
        }
        int nearlyAll = 0;
        int some = 0;
        for (int bar : bars) {
            nearlyAll += bar > nodeCount * NEARLY_ALL ? 1 : 0;
            some += bar > nodeCount * SOME ? 1 : 0;
        }
        return nearlyAll == 1 && some == 1;
    }
}

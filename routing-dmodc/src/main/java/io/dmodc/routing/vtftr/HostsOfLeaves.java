package io.dmodc.routing.vtftr;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;

/**
 * Node indices of the hosts at each leaf of a grid, ascending; and of those at switches that have no place in it. Index space:
 * {@code leaf = row · columns + column}.
 */
final class HostsOfLeaves {
    private final int[] start;
    private final int[] nodes;
    private final int countMax;

    private HostsOfLeaves(int[] start, int[] nodes) {
        this.start = start;
        this.nodes = nodes;
        int most = 0;
        for (int leaf = 0; leaf + 1 < start.length; leaf++) {
            most = Math.max(most, count(leaf));
        }
        countMax = most;
    }

    /** O(leaves + nodes). */
    static HostsOfLeaves of(FabricView view, RecognisedGrid grid) {
        int[] start = new int[grid.rows() * grid.columns() + 1];
        for (int d = 0; d < view.nodeCount(); d++) {
            int leaf = leafOf(view, grid, d);
            if (leaf >= 0) {
                start[leaf + 1]++;
            }
        }
        for (int leaf = 1; leaf < start.length; leaf++) {
            start[leaf] += start[leaf - 1];
        }
        int[] next = start.clone();
        int[] nodes = new int[start[start.length - 1]];
        for (int d = 0; d < view.nodeCount(); d++) {
            int leaf = leafOf(view, grid, d);
            if (leaf >= 0) {
                nodes[next[leaf]++] = d;
            }
        }
        return new HostsOfLeaves(start, nodes);
    }

    /** Leaf of a node, or −1 for one without a host. */
    static int leafOf(FabricView view, RecognisedGrid grid, int d) {
        if (!view.isHost(d)) {
            return -1;
        }
        GridPlace place = grid.place(view.nodeSwitch(d));
        return place.kind() == GridPlace.Kind.LEAF ? place.row() * grid.columns() + place.column() : -1;
    }

    int count(int leaf) {
        return start[leaf + 1] - start[leaf];
    }

    /** Of the leaf with most. */
    int countMax() {
        return countMax;
    }

    /** True if a leaf has hosts, and their node indices follow each other without a gap. */
    boolean adjoin(int leaf) {
        int count = count(leaf);
        return count > 0 && node(leaf, count - 1) - node(leaf, 0) == count - 1;
    }

    /** The i-th host of a leaf. */
    int node(int leaf, int i) {
        return nodes[start[leaf] + i];
    }
}

package io.dmodc.routing.ftree;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Hops to the nearest root: 0 are the roots, and of two neighbours the one with the lower rank is above. So OpenSM
 * counts; the rest of this project counts from the leaves.
 *
 * <p>Roots are named, or else the switches farthest from any host.
 */
final class TreeRanks {
    private static final int UNRANKED = -1;

    private final int[] rank;

    /** Rank of the switches farthest from the roots. */
    final int deepest;

    private TreeRanks(int[] rank, int deepest) {
        this.rank = rank;
        this.deepest = deepest;
    }

    /** Ranks of the switches of one part from the roots in it, of which there is at least one. */
    static TreeRanks from(FabricView view, BitSet roots) {
        int[] rank = new int[view.switchCount()];
        int deepest = search(view, roots, rank);
        return new TreeRanks(rank, deepest);
    }

    /** Ranks of the switches of one part from those that are farthest from its hosts. */
    static TreeRanks fromFarthest(FabricView view, BitSet withHosts) {
        int[] hops = new int[view.switchCount()];
        int most = search(view, withHosts, hops);
        BitSet roots = new BitSet();
        for (int s = 0; s < hops.length; s++) {
            roots.set(s, hops[s] == most);
        }
        return from(view, roots);
    }

    /** Fills in hops from the nearest of some switches; returns the highest. */
    private static int search(FabricView view, BitSet from, int[] hops) {
        Arrays.fill(hops, UNRANKED);
        int[] queue = new int[hops.length];
        int end = 0;
        for (int s = from.nextSetBit(0); s >= 0; s = from.nextSetBit(s + 1)) {
            hops[s] = 0;
            queue[end++] = s;
        }
        for (int next = 0; next < end; next++) {
            int s = queue[next];
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                int remote = view.groupRemote(g);
                if (hops[remote] == UNRANKED) {
                    hops[remote] = hops[s] + 1;
                    queue[end++] = remote;
                }
            }
        }
        return hops[queue[end - 1]];
    }

    /** Negative for a switch of another part. */
    int of(int s) {
        return rank[s];
    }
}

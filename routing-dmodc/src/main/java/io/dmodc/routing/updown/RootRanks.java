package io.dmodc.routing.updown;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which of two neighbours is above the other: the one with fewer hops to a root; of as many, the one with the lower
 * GUID. Between two roots each is above the other, as in OpenSM, so that roots cabled to each other are no walls.
 *
 * <p>Ranks count from the roots here, as only this package does. A switch that no root reaches is below all others.
 */
final class RootRanks {
    private static final int UNREACHED = Integer.MAX_VALUE;

    private final int[] rank;

    RootRanks(FabricView view, BitSet roots) {
        rank = new int[view.switchCount()];
        Arrays.fill(rank, UNREACHED);
        int[] queue = new int[rank.length];
        int end = 0;
        for (int s = roots.nextSetBit(0); s >= 0; s = roots.nextSetBit(s + 1)) {
            rank[s] = 0;
            queue[end++] = s;
        }
        for (int next = 0; next < end; next++) {
            int s = queue[next];
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                int remote = view.groupRemote(g);
                if (rank[remote] == UNREACHED) {
                    rank[remote] = rank[s] + 1;
                    queue[end++] = remote;
                }
            }
        }
    }

    /** True if going from a switch to its neighbour climbs. Switch indices are in GUID order. */
    boolean climbs(int from, int to) {
        if (rank[from] == 0 && rank[to] == 0) {
            return true;
        }
        return rank[from] == rank[to] ? from > to : rank[from] > rank[to];
    }
}

package io.dmodc.topology;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The order in which hosts of a {@linkplain NodeTypes type} get their first indices: leaves so that every subtree is
 * contiguous, then by GUID; hosts of a leaf by port; hosts on upper switches last. On a generated PGFT this is the generator's own numbering, which is
 * what makes Dmodc equal Dmodk there.
 *
 * <p>A subtree of rank r is a connected component of the up and down links among ranks 0..r. Leaves are compared by
 * the lowest leaf of their component, from the highest rank down to the leaf itself; switch indices are GUID order.
 * O(links × ranks), run only when a host is seen for the first time.
 */
final class CanonicalOrder {
    private final FabricTables t;
    private final DisjointSets subtrees;

    private CanonicalOrder(FabricTables t) {
        this.t = t;
        subtrees = new DisjointSets(t.switchGuid.length);
    }

    /** Switches in the order their hosts are numbered: leaves by subtree, then all others by GUID. */
    static int[] switches(FabricTables t) {
        return new CanonicalOrder(t).order();
    }

    private int[] order() {
        int switchCount = t.switchGuid.length;
        int[][] firstLeafByRank = new int[Math.max(t.rankMax, 0)][];
        for (int rank = 1; rank <= t.rankMax; rank++) {
            joinUpTo(rank);
            firstLeafByRank[rank - 1] = firstLeaves();
        }
        Comparator<Integer> order = Comparator.comparing(s -> t.rank[s] != 0);
        for (int rank = t.rankMax; rank >= 1; rank--) {
            int[] firstLeaf = firstLeafByRank[rank - 1];
            order = order.thenComparing(s -> t.rank[s] == 0 ? firstLeaf[s] : 0);
        }
        return IntStream.range(0, switchCount)
                .boxed()
                .sorted(order.thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void joinUpTo(int rank) {
        for (int s = 0; s < t.switchGuid.length; s++) {
            if (t.rank[s] == rank) {
                for (int g = t.links.base[s]; g < t.links.groupEnd[s]; g++) {
                    int below = t.links.groupRemote[g];
                    if (t.rank[below] == rank - 1) {
                        subtrees.join(s, below);
                    }
                }
            }
        }
    }

    /** Lowest leaf of the component each switch is in now. */
    private int[] firstLeaves() {
        int[] firstOfRoot = new int[t.switchGuid.length];
        Arrays.fill(firstOfRoot, -1);
        int[] first = new int[t.switchGuid.length];
        for (int s = 0; s < t.switchGuid.length; s++) {
            if (t.rank[s] == 0 && firstOfRoot[subtrees.lowest(s)] < 0) {
                firstOfRoot[subtrees.lowest(s)] = s;
            }
        }
        for (int s = 0; s < t.switchGuid.length; s++) {
            first[s] = firstOfRoot[subtrees.lowest(s)];
        }
        return first;
    }
}

package io.dmodc.topology;

import java.util.Arrays;

/**
 * Finds the leaves and the rank of every switch.
 *
 * <p>Without known levels, leaves are switches with hosts, but for those that stand above others ({@link LeafFinder}), and
 * ranks are hops to the nearest leaf (Gliksberg et al., section 3.1). A known level wins over both, so that a spine which
 * lost its leaf links does not float up and turn its links around.
 *
 * <p>Where only known levels are to count, a switch with links and without one is unranked instead, and no path leads
 * through it: hops change with every cable, so what follows from them must be kept before it is used.
 *
 * <p>O(switches) then, and when every switch with a live link has a known level: a switch without links is a leaf if it
 * has hosts and unranked otherwise, whatever the others do. O(links) else.
 */
final class Ranks {
    private Ranks() {}

    /**
     * Fills {@code rank} and {@code rankMax} of the tables.
     *
     * @param hosts how many hosts are cabled to each switch
     * @param level known level of each switch, or {@link FabricView#UNRANKED}
     * @param levelsOnly no hops: a switch with links has the level that is known, or none
     */
    static void assign(FabricTables t, int[] hosts, int[] level, boolean levelsOnly) {
        boolean settled = true;
        for (int s = 0; s < level.length; s++) {
            settled &= level[s] >= 0 || !t.links.isLinked(s);
        }
        t.rank = settled || levelsOnly ? withoutHops(t, level, hosts) : hops(t, level, hosts);
        t.rankMax = Arrays.stream(t.rank).max().orElse(0);
    }

    private static int[] withoutHops(FabricTables t, int[] level, int[] hosts) {
        int[] rank = level.clone();
        for (int s = 0; s < rank.length; s++) {
            rank[s] = level[s] < 0 && !t.links.isLinked(s) && hosts[s] > 0 ? 0 : level[s];
        }
        return rank;
    }

    private static int[] hops(FabricTables t, int[] level, int[] hosts) {
        int[] rank = LeafFinder.ranks(t, hosts, level);
        for (int s = 0; s < level.length; s++) {
            rank[s] = level[s] >= 0 ? level[s] : rank[s];
        }
        return rank;
    }
}

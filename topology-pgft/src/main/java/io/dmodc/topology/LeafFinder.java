package io.dmodc.topology;

import java.util.Arrays;
import java.util.BitSet;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/**
 * Tells leaves from upper switches that have a host, too, and counts hops from the leaves.
 *
 * <p><b>Idea.</b> Upper switches have few hosts. So one that has as many as the switch of the median host of its part is
 * a leaf; one that has fewer is <i>in doubt</i>. Hops are counted from the leaves, to switches in doubt but not through
 * them. Then these are judged, the nearest first, by the ranks around them:
 *
 * <ol>
 *   <li>It is above if most of its links would lead nowhere from a leaf: to another leaf, or to a switch that its other
 *       links hold on an even rank. So all spines are, and what else is on an odd rank.
 *   <li>It is a leaf if half of its links would lead nowhere from above, to its own rank: as the links to its spines do
 *       where one cable leads to a leaf by mistake.
 *   <li>Else both are possible, as for a core of three levels. It is above if most of its neighbours are above it, or if it
 *       joins what is apart: the neighbours of a leaf have the same leaves below, those of a core have not.
 * </ol>
 *
 * <p>What was judged counts for the next ones; one with neighbours that may still come down is judged after all others.
 * What cannot be told is a leaf, as each switch with hosts is for the paper: an upper switch that has a single neighbour
 * below, or as many hosts as a leaf. Parts do not know of each other.
 *
 * <p><b>Cost.</b> O(switches + links) while none is in doubt. For each that is, the links of its neighbours if these are on
 * rank 1, and for each of its neighbours all links below it otherwise.
 */
final class LeafFinder {
    private static final int UNRANKED = FabricView.UNRANKED;

    /** No switch has more hosts than ports, of which there are 254 at most. */
    private static final int HOST_BITS = 8;

    /** Added to the rank of a switch that is judged again after all others; no path has as many hops. */
    private static final int LATER = 1 << 24;

    private final FabricTables t;
    private final LinkRows links;
    private final int[] hosts;
    private final int[] rank;

    /** In doubt, and not judged yet. */
    private final boolean[] open;

    /** Switches in doubt that have a rank, the lowest first: rank and index in one number; some of them outdated. */
    private final PriorityQueue<Long> nearest = new PriorityQueue<>();

    private final int[] queue;

    /** Number of the search that came by last. */
    private int[] seen = {};

    private int searches;

    /** Leaves of the neighbour that others are compared with, and how many of them the last one has, too. */
    private final BitSet ofFirst = new BitSet();

    private int shared;

    private LeafFinder(FabricTables t, int[] hosts) {
        this.t = t;
        links = t.links;
        this.hosts = hosts;
        rank = new int[t.switchGuid.length];
        open = new boolean[rank.length];
        queue = new int[rank.length];
        Arrays.fill(rank, UNRANKED);
    }

    /**
     * Hops to the nearest leaf, {@link FabricView#UNRANKED} where none is reached.
     *
     * @param hosts how many hosts are cabled to each switch
     * @param level what is known: level 0 is a leaf and any other is none, whatever its hosts; negative if unknown
     */
    static int[] ranks(FabricTables t, int[] hosts, int[] level) {
        LeafFinder finder = new LeafFinder(t, hosts);
        int leaves = finder.takeSureLeaves(level);
        finder.spread(leaves);
        finder.judgeAll();
        return finder.rank;
    }

    private int takeSureLeaves(int[] level) {
        int[] usual = usualHosts(level);
        int leaves = 0;
        for (int s = 0; s < rank.length; s++) {
            if (level[s] < 0 && hosts[s] > 0 && hosts[s] < usual[s] && groupCount(s) > 0) {
                open[s] = true;
            } else if (level[s] == 0 || (level[s] < 0 && hosts[s] > 0)) {
                rank[s] = 0;
                queue[leaves++] = s;
            }
        }
        return leaves;
    }

    /** By switch, how many hosts the switch of the median host of its part has. */
    private int[] usualHosts(int[] level) {
        long[] keys = new long[rank.length];
        int found = 0;
        for (int s = 0; s < rank.length; s++) {
            if (hosts[s] > 0 && level[s] <= 0 && t.parts.part[s] != CablingParts.NONE) {
                keys[found++] = ((long) t.parts.part[s] << HOST_BITS) | hosts[s];
            }
        }
        Arrays.sort(keys, 0, found);
        int[] usualOfPart = new int[t.parts.count];
        int from = 0;
        while (from < found) {
            int part = (int) (keys[from] >> HOST_BITS);
            int end = from;
            long all = 0;
            while (end < found && keys[end] >> HOST_BITS == part) {
                all += hostsOf(keys[end++]);
            }
            for (long before = 0; 2 * before <= all; from++) {
                usualOfPart[part] = hostsOf(keys[from]);
                before += hostsOf(keys[from]);
            }
            from = end;
        }
        int[] usual = new int[rank.length];
        for (int s = 0; s < rank.length; s++) {
            int part = t.parts.part[s];
            usual[s] = part == CablingParts.NONE ? 0 : usualOfPart[part];
        }
        return usual;
    }

    private static int hostsOf(long key) {
        return (int) (key & ((1 << HOST_BITS) - 1));
    }

    private void judgeAll() {
        while (!nearest.isEmpty()) {
            long next = nearest.remove();
            int s = (int) next;
            int hops = (int) (next >> Integer.SIZE);
            if (open[s] && rank[s] == hops % LATER) {
                judge(s, hops);
            }
        }
        int left = 0;
        for (int s = 0; s < rank.length; s++) {
            if (open[s]) {
                open[s] = false;
                rank[s] = 0;
                queue[left++] = s;
            }
        }
        spread(left);
    }

    /** Counts hops on from the switches queued, all of one rank, where that makes them fewer. */
    private void spread(int queued) {
        int end = queued;
        for (int next = 0; next < end; next++) {
            int s = queue[next];
            for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
                int remote = links.groupRemote[g];
                if (rank[remote] < 0 || rank[remote] > rank[s] + 1) {
                    rank[remote] = rank[s] + 1;
                    if (open[remote]) {
                        waitForVerdict(remote, rank[remote]);
                    } else {
                        queue[end++] = remote;
                    }
                }
            }
        }
    }

    private void waitForVerdict(int s, int order) {
        nearest.add(((long) order << Integer.SIZE) | s);
    }

    private void judge(int s, int order) {
        int ports = 0;
        int lostAsLeaf = 0;
        int lostAbove = 0;
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            int remote = links.groupRemote[g];
            if (rank[remote] >= 0) {
                int size = links.groupPortBase[g + 1] - links.groupPortBase[g];
                ports += size;
                lostAsLeaf += rank[remote] == 0 || isHeldFromRankOne(remote, s) ? size : 0;
                lostAbove += rank[remote] == rank[s] ? size : 0;
            }
        }
        if (2 * lostAsLeaf > ports) {
            settle(s, rank[s]);
        } else if (2 * lostAbove >= ports) {
            settle(s, 0);
        } else if (order < LATER && notBelow(s) > 0) {
            waitForVerdict(s, order + LATER);
        } else {
            settle(s, fitsAbove(s) ? rank[s] : 0);
        }
    }

    private void settle(int s, int to) {
        open[s] = false;
        rank[s] = to;
        queue[0] = s;
        spread(1);
    }

    /**
     * True if a switch that a leaf would have on rank 1 is held on a rank that is even by another one below it. On an odd
     * rank it would come down, and those below it with it, as in a pod of which no leaf is known yet.
     */
    private boolean isHeldFromRankOne(int s, int but) {
        for (int g = links.base[s]; rank[s] % 2 == 0 && g < links.groupEnd[s]; g++) {
            if (links.groupRemote[g] != but && rank[links.groupRemote[g]] == rank[s] - 1) {
                return true;
            }
        }
        return false;
    }

    /** Where both would do: it is above if most of its neighbours are above it, or if those below are apart. */
    private boolean fitsAbove(int s) {
        int below = neighbours(s, rank[s] - 1);
        int all = groupCount(s);
        if (2 * notBelow(s) > all) {
            return true;
        }
        return below > 1 && 4 * below >= all && joinsWhatIsApart(s, below);
    }

    /** Neighbours that would be above a switch that is above: the others hold them there, or nobody yet. */
    private int notBelow(int s) {
        return neighbours(s, rank[s] + 1) + neighbours(s, UNRANKED);
    }

    private int neighbours(int s, int wanted) {
        int count = 0;
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            count += rank[links.groupRemote[g]] == wanted ? 1 : 0;
        }
        return count;
    }

    /**
     * True if no more than half of its lower neighbours have mostly the same leaves. Where nothing else is above these, as
     * in a grid, whose roots of a row have other leaves than those of a column, that is not enough: no more than half of
     * them may hang together below its rank either.
     */
    private boolean joinsWhatIsApart(int s, int below) {
        return 2 * mostAlikeBelow(s, below) <= below && (hasPeer(s) || 2 * mostTogetherBelow(s) <= below);
    }

    /** Most lower neighbours that share more than half of the leaves of either with one of them; any number above half will do. */
    private int mostAlikeBelow(int s, int below) {
        int[] lower = new int[below];
        int left = 0;
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            if (rank[links.groupRemote[g]] == rank[s] - 1) {
                lower[left++] = links.groupRemote[g];
            }
        }
        int most = 0;
        while (left > most) {
            int unlike = 0;
            ofFirst.clear();
            int leavesOfFirst = leavesDownFrom(lower[0], ofFirst::set);
            for (int i = 1; i < left; i++) {
                shared = 0;
                int leaves = leavesDownFrom(lower[i], leaf -> shared += ofFirst.get(leaf) ? 1 : 0);
                if (2 * shared <= Math.min(leaves, leavesOfFirst)) {
                    lower[unlike++] = lower[i];
                }
                if (2 * (i + 1 - unlike) > below) {
                    return i + 1 - unlike;
                }
            }
            most = Math.max(most, left - unlike);
            left = unlike;
        }
        return most;
    }

    /** Tells the leaves on ways down from a switch, and how many there are. */
    private int leavesDownFrom(int from, IntConsumer found) {
        int search = nextSearch();
        int leaves = 0;
        int waiting = 1;
        queue[0] = from;
        seen[from] = search;
        while (waiting > 0) {
            int s = queue[--waiting];
            if (rank[s] == 0) {
                leaves++;
                found.accept(s);
            }
            for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
                int remote = links.groupRemote[g];
                if (rank[remote] == rank[s] - 1 && seen[remote] != search) {
                    seen[remote] = search;
                    queue[waiting++] = remote;
                }
            }
        }
        return leaves;
    }

    /** True if a switch without hosts is above one of its lower neighbours, too. */
    private boolean hasPeer(int s) {
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            int below = links.groupRemote[g];
            for (int h = links.base[below]; rank[below] == rank[s] - 1 && h < links.groupEnd[below]; h++) {
                if (rank[links.groupRemote[h]] == rank[s] && hosts[links.groupRemote[h]] == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private int nextSearch() {
        seen = seen.length == 0 ? new int[rank.length] : seen;
        return ++searches;
    }

    /** Most lower neighbours of a switch that hang together by switches below its rank. */
    private int mostTogetherBelow(int s) {
        int most = 0;
        int before = searches;
        for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
            int remote = links.groupRemote[g];
            if (rank[remote] == rank[s] - 1 && seen[remote] <= before) {
                int search = nextSearch();
                markBelow(remote, rank[s], search);
                int together = 0;
                for (int h = links.base[s]; h < links.groupEnd[s]; h++) {
                    together +=
                            rank[links.groupRemote[h]] == rank[s] - 1 && seen[links.groupRemote[h]] == search ? 1 : 0;
                }
                most = Math.max(most, together);
            }
        }
        return most;
    }

    private void markBelow(int from, int limit, int search) {
        int waiting = 1;
        queue[0] = from;
        seen[from] = search;
        while (waiting > 0) {
            int s = queue[--waiting];
            for (int g = links.base[s]; g < links.groupEnd[s]; g++) {
                int remote = links.groupRemote[g];
                if (rank[remote] >= 0 && rank[remote] < limit && seen[remote] != search) {
                    seen[remote] = search;
                    queue[waiting++] = remote;
                }
            }
        }
    }

    private int groupCount(int s) {
        return links.groupEnd[s] - links.base[s];
    }
}

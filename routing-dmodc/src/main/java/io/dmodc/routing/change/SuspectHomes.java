package io.dmodc.routing.change;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Homes towards which right tables can turn while old and new rows mix: those that some switch finds below two of its children.
 *
 * <p>For any other home h a right entry of a switch s depends on s and h alone: through the one child above h if h is below s, else up or no
 * route. So whatever rows are mixed, every packet climbs, then descends (Theorem 1). The cables are those of all views whose
 * tables or packets may still be about, and parallel cables lead to one child: so it is a property of the cabling, which faults and
 * repairs of known cables do not change. Every PGFT, however degraded, has no such home.
 *
 * <p>O(cables × homes / 64) time when a cable is new, O(links of what changed) else; a bit per switch and home while it is found out.
 */
final class SuspectHomes {
    private static final int[] NONE = {};

    private final int[] rank;
    private final int rankMax;
    private final boolean[] home;
    private final int[][] children;
    private BitSet suspects = new BitSet();

    /** Knows the cables of one view. */
    SuspectHomes(FabricView view) {
        this(view.switchCount(), view);
        add(view, IntStream.range(0, rank.length).toArray());
    }

    /**
     * Knows the cables of one view, and what was known between switches that are in it.
     *
     * @param was by switch, its index there; −1 if it was not there
     */
    SuspectHomes(FabricView view, SuspectHomes before, int[] was) {
        this(was.length, view);
        int[] now = new int[before.rank.length];
        Arrays.fill(now, -1);
        for (int s = 0; s < was.length; s++) {
            if (was[s] >= 0) {
                now[was[s]] = s;
            }
        }
        for (int s = 0; s < was.length; s++) {
            if (was[s] >= 0) {
                home[s] = before.home[was[s]];
                children[s] = Arrays.stream(before.children[was[s]])
                        .map(child -> now[child])
                        .filter(child -> child >= 0)
                        .toArray();
            }
        }
        addHomes(view);
        for (int s = 0; s < was.length; s++) {
            addChildren(view, s);
        }
        suspects = sweep();
    }

    private SuspectHomes(int switchCount, FabricView view) {
        rank = new int[switchCount];
        Arrays.setAll(rank, view::rank);
        rankMax = view.rankMax();
        home = new boolean[switchCount];
        children = new int[switchCount][];
        Arrays.fill(children, NONE);
    }

    /**
     * True if the switches have the ranks they had: else nothing that is known holds.
     *
     * @param was by switch of the view, its index here; −1 if it was not there
     */
    boolean fits(FabricView view, int[] was) {
        boolean fits = true;
        for (int s = 0; fits && s < was.length; s++) {
            fits = was[s] < 0 || view.rank(s) == rank[was[s]];
        }
        return fits;
    }

    /** Adds the cables of a view it {@link #fits}; true if some are new. */
    boolean add(FabricView view, int[] changed) {
        boolean more = addHomes(view);
        for (int s : changed) {
            more |= addChildren(view, s);
        }
        if (more) {
            suspects = sweep();
        }
        return more;
    }

    /** Adds to the set of each switch, any one, those of all that are below it by some cable. */
    void gatherBelow(long[][] sets) {
        for (int level = 0; level <= rankMax; level++) {
            for (int s = 0; s < rank.length; s++) {
                for (int child : rank[s] == level ? children[s] : NONE) {
                    for (int w = 0; w < sets[s].length; w++) {
                        sets[s][w] |= sets[child][w];
                    }
                }
            }
        }
    }

    /** By switch, the homes that are below it by some cable, or are it; index of the switch. */
    BitSet[] homesBelow() {
        long[][] sets = new long[rank.length][(rank.length + 63) / 64];
        for (int s = 0; s < rank.length; s++) {
            if (home[s]) {
                sets[s][s >> 6] |= 1L << s;
            }
        }
        gatherBelow(sets);
        return Arrays.stream(sets).map(BitSet::valueOf).toArray(BitSet[]::new);
    }

    /** Switches that are suspect homes, by index; read only. */
    BitSet suspects() {
        return suspects;
    }

    private boolean addHomes(FabricView view) {
        boolean more = false;
        for (int target = 0; target < view.targetCount(); target++) {
            int s = view.targetSwitch(target);
            more |= !home[s];
            home[s] = true;
        }
        return more;
    }

    private boolean addChildren(FabricView view, int s) {
        boolean more = false;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int child = view.groupRemote(g);
            if (view.isDown(s, child) && !isChild(s, child)) {
                children[s] = Arrays.copyOf(children[s], children[s].length + 1);
                children[s][children[s].length - 1] = child;
                more = true;
            }
        }
        return more;
    }

    private boolean isChild(int s, int other) {
        for (int child : children[s]) {
            if (child == other) {
                return true;
            }
        }
        return false;
    }

    /** From the lowest rank up: the homes that some switch finds below two children. */
    private BitSet sweep() {
        int[] number = new int[rank.length];
        int[] switchOf = new int[rank.length];
        int homes = 0;
        for (int s = 0; s < rank.length; s++) {
            number[s] = homes;
            if (home[s]) {
                switchOf[homes++] = s;
            }
        }
        long[][] below = new long[rank.length][(homes + 63) / 64];
        long[] shared = new long[(homes + 63) / 64];
        for (int level = 0; level <= rankMax; level++) {
            for (int s = 0; s < rank.length; s++) {
                if (rank[s] == level) {
                    gather(below, s, shared);
                    if (home[s]) {
                        below[s][number[s] >> 6] |= 1L << number[s];
                    }
                }
            }
        }
        BitSet found = new BitSet();
        BitSet.valueOf(shared).stream().forEach(h -> found.set(switchOf[h]));
        return found;
    }

    private void gather(long[][] below, int s, long[] shared) {
        long[] all = below[s];
        for (int child : children[s]) {
            long[] more = below[child];
            for (int w = 0; w < all.length; w++) {
                shared[w] |= all[w] & more[w];
                all[w] |= more[w];
            }
        }
    }
}

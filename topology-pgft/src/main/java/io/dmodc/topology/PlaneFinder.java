package io.dmodc.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the planes of a fabric as it is: which switches of a rank stand side by side in one plane, and in what order
 * the planes of a rank come.
 *
 * <p><b>Planes.</b> From the highest rank down to 1: two switches of a rank are joined if more than half of the planes
 * above either one are above both, and a plane is what is joined. More than half and not any: one leaf that lost its
 * hosts, or one swapped cable, must not make one plane of two directors. A switch without neighbours above is alone, so
 * each top switch is a plane.
 *
 * <p><b>Order.</b> For each switch of the rank below, the planes above it in order of the lowest GUID there: a plane
 * precedes the one right behind it. Planes are taken so that those that precede come first, and where none is without a
 * predecessor, or several are, the one with the lowest GUID. So on a fabric whose GUIDs follow its cabling this is the
 * order of the GUIDs, whatever is lost of it.
 *
 * <p>Live switches and links alone, and neighbours exactly one rank apart. O(links × neighbours) where every switch lost
 * another cable, else nearly O(links). For one thread, to be used once.
 */
final class PlaneFinder {
    private final FabricView view;

    /** By switch index: a plane of its rank, 0.. by lowest member while a rank is worked on; −1 where there is none. */
    private final int[] plane;

    private final NeighbourReader neighbours = new NeighbourReader(GroupOrder.GUID);

    private PlaneFinder(FabricView view) {
        this.view = view;
        plane = new int[view.switchCount()];
        Arrays.fill(plane, -1);
    }

    /**
     * Finds all planes.
     *
     * @return by switch index the number of its plane, 0.. in their order within the rank; −1 for switches of rank 0, for
     *     those without a rank or a live link, and for dead ones
     */
    static int[] find(FabricView view) {
        PlaneFinder finder = new PlaneFinder(view);
        for (int rank = view.rankMax(); rank >= 1; rank--) {
            finder.findRank(rank);
        }
        return finder.plane;
    }

    /** True for a switch that is in a plane. */
    static boolean hasPlane(FabricView view, int s) {
        return view.rank(s) >= 1 && view.alive(s) && view.groupStart(s) < view.groupEnd(s);
    }

    private void findRank(int rank) {
        int[] members = members(rank);
        int planeCount = join(members);
        int[] number = new PlaneSequence(planeCount, edges(rank - 1)).numbers();
        for (int s : members) {
            plane[s] = number[plane[s]];
        }
    }

    private int[] members(int rank) {
        int[] members = new int[view.switchCount()];
        int count = 0;
        for (int s = 0; s < members.length; s++) {
            if (view.rank(s) == rank && hasPlane(view, s)) {
                members[count++] = s;
            }
        }
        return Arrays.copyOf(members, count);
    }

    /** Gives each member a plane, in order of the lowest member; returns how many there are. */
    private int join(int[] members) {
        List<BitSet> sets = new ArrayList<>();
        Map<BitSet, Integer> setOf = new HashMap<>();
        int[] set = new int[members.length];
        for (int i = 0; i < members.length; i++) {
            BitSet above = planesAbove(members[i]);
            Integer known = above.isEmpty() ? null : setOf.get(above);
            if (known == null) {
                known = sets.size();
                sets.add(above);
                setOf.put(above, known);
            }
            set[i] = known;
        }
        DisjointSets joined = joinSets(sets);
        int[] numberOfRoot = new int[sets.size()];
        Arrays.fill(numberOfRoot, -1);
        int planeCount = 0;
        for (int i = 0; i < members.length; i++) {
            int at = joined.lowest(set[i]);
            numberOfRoot[at] = numberOfRoot[at] < 0 ? planeCount++ : numberOfRoot[at];
            plane[members[i]] = numberOfRoot[at];
        }
        return planeCount;
    }

    private BitSet planesAbove(int s) {
        BitSet above = new BitSet();
        neighbours.read(view, s);
        for (int i = 0; i < neighbours.count(true); i++) {
            above.set(plane[neighbours.remotes(true)[i]]);
        }
        return above;
    }

    /** Joins sets of which more than half are in both. */
    private static DisjointSets joinSets(List<BitSet> sets) {
        Map<Integer, List<Integer>> having = new HashMap<>();
        DisjointSets joined = new DisjointSets(sets.size());
        int[] common = new int[sets.size()];
        for (int x = 0; x < common.length; x++) {
            List<Integer> met = new ArrayList<>();
            BitSet planes = sets.get(x);
            for (int p = planes.nextSetBit(0); p >= 0; p = planes.nextSetBit(p + 1)) {
                List<Integer> others = having.computeIfAbsent(p, unmet -> new ArrayList<>());
                for (int y : others) {
                    if (common[y]++ == 0) {
                        met.add(y);
                    }
                }
                others.add(x);
            }
            for (int y : met) {
                int larger = Math.max(planes.cardinality(), sets.get(y).cardinality());
                if (2 * common[y] > larger) {
                    joined.join(x, y);
                }
                common[y] = 0;
            }
        }
        return joined;
    }

    /** Which plane above some switch of this rank stands right before which other: {@code before << 32 | behind}, each once. */
    private long[] edges(int rank) {
        long[] edges = new long[64];
        int count = 0;
        int[] seenAt = new int[view.switchCount()];
        Arrays.fill(seenAt, -1);
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) != rank) {
                continue;
            }
            neighbours.read(view, s);
            int last = -1;
            for (int i = 0; i < neighbours.count(true); i++) {
                int next = plane[neighbours.remotes(true)[i]];
                if (seenAt[next] != s) {
                    seenAt[next] = s;
                    if (last >= 0) {
                        edges = count == edges.length ? Arrays.copyOf(edges, 2 * count) : edges;
                        edges[count++] = (long) last << Integer.SIZE | next;
                    }
                    last = next;
                }
            }
        }
        return Arrays.stream(edges, 0, count).sorted().distinct().toArray();
    }
}

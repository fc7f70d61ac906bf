package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Finds the leaves that cannot reach each other.
 *
 * <p>What is missing in the set of homes that a leaf reaches ({@link TurnSets}) has no legal path. O(leaves² / 64), and
 * O(leaves²) for the greedy cover where some are missing.
 */
final class CutOffSearch {
    /** @param pairs ordered; legal paths run both ways, so every pair counts twice */
    record Cut(List<Integer> deadLeaves, List<Integer> cover, long pairs) {}

    private CutOffSearch() {}

    static Cut of(FabricView view, ColumnHomes columns, TurnSets turns) {
        long[] live = new long[columns.words];
        List<Integer> dead = new ArrayList<>();
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            int s = view.targetSwitch(leaf);
            if (view.alive(s)) {
                BitWords.set(live, columns.homeOfSwitch(s));
            } else {
                dead.add(s);
            }
        }
        dead.sort(null);
        BitSet[] missed = new BitSet[view.leafCount()];
        BitSet open = new BitSet();
        long pairs = 0;
        for (int leaf = 0; leaf < missed.length; leaf++) {
            missed[leaf] = new BitSet(0);
            int s = view.targetSwitch(leaf);
            if (view.alive(s)) {
                open.set(leaf);
                addMissed(live, turns.reached(s), view, columns, missed[leaf]);
                pairs += missed[leaf].cardinality();
            }
        }
        List<Integer> cover = pairs == 0 ? new ArrayList<>() : cover(missed, open);
        cover.replaceAll(view::targetSwitch);
        cover.sort(null);
        return new Cut(dead, cover, pairs);
    }

    private static void addMissed(long[] live, long[] reached, FabricView view, ColumnHomes columns, BitSet missed) {
        for (int w = 0; w < live.length; w++) {
            for (long rest = live[w] & ~reached[w]; rest != 0; rest &= rest - 1) {
                int home = 64 * w + Long.numberOfTrailingZeros(rest);
                missed.set(view.targetOfSwitch(columns.homeSwitch(home)));
            }
        }
    }

    /** Greedy cover: again and again the leaf that misses most others. Of a fabric in two parts, the smaller part. */
    static List<Integer> cover(BitSet[] missed, BitSet live) {
        int[] open = new int[missed.length];
        live.stream().forEach(leaf -> open[leaf] = missed[leaf].cardinality());
        List<Integer> cover = new ArrayList<>();
        for (int worst = highest(open); open[worst] > 0; worst = highest(open)) {
            int taken = worst;
            cover.add(taken);
            open[taken] = 0;
            missed[taken].stream().filter(leaf -> open[leaf] > 0).forEach(leaf -> open[leaf]--);
        }
        return cover;
    }

    private static int highest(int[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }
}

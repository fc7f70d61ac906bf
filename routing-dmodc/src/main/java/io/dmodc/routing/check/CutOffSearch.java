package io.dmodc.routing.check;

import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.UpperPairs.Pair;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the leaves that cannot reach each other, and the pairs with a switch above them that has hosts.
 *
 * <p>What is missing in the set of homes that a switch reaches ({@link TurnSets}) has no legal path. O(leaves² / 64), and
 * O(leaves²) for the greedy cover where some are missing; O(upper switches with hosts × switches with hosts) for pairs
 * with one of them.
 */
final class CutOffSearch {
    /** @param pairs ordered; legal paths run both ways, so every pair counts twice */
    record Cut(List<Integer> deadLeaves, List<Integer> cover, long pairs, UpperPairs upper) {}

    private CutOffSearch() {}

    static Cut of(FabricView view, ColumnHomes columns, TurnSets turns) {
        List<Integer> dead = new ArrayList<>();
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            int s = view.targetSwitch(leaf);
            if (!view.alive(s)) {
                dead.add(s);
            }
        }
        dead.sort(null);
        Map<Integer, long[]> partners = new HashMap<>();
        BitSet[] missed = new BitSet[view.leafCount()];
        BitSet open = new BitSet();
        long pairs = 0;
        for (int leaf = 0; leaf < missed.length; leaf++) {
            missed[leaf] = new BitSet(0);
            int s = view.targetSwitch(leaf);
            if (view.alive(s)) {
                open.set(leaf);
                long[] due = partners.computeIfAbsent(view.part(s), part -> partners(view, columns, s));
                addMissed(due, turns.reached(s), view, columns, missed[leaf]);
                pairs += missed[leaf].cardinality();
            }
        }
        List<Integer> cover = pairs == 0 ? new ArrayList<>() : cover(missed, open);
        cover.replaceAll(view::targetSwitch);
        cover.sort(null);
        return new Cut(dead, cover, pairs, upperPairs(view, columns, turns, cover));
    }

    /** Each upper switch with hosts against all leaves, and against the upper ones behind it. */
    private static UpperPairs upperPairs(
            FabricView view, ColumnHomes columns, TurnSets turns, List<Integer> cutOffLeaves) {
        BitSet cutOff = new BitSet();
        cutOffLeaves.forEach(cutOff::set);
        List<Pair> examples = new ArrayList<>();
        long pairs = 0;
        long named = 0;
        for (int target = view.leafCount(); target < view.hostTargetCount(); target++) {
            int s = view.targetSwitch(target);
            for (int other = 0; view.alive(s) && other < view.hostTargetCount(); other++) {
                int far = view.targetSwitch(other);
                boolean once = other < view.leafCount() || other > target;
                boolean due = once && view.alive(far) && view.belongTogether(s, far);
                if (due && !BitWords.get(turns.reached(s), columns.homeOfSwitch(far))) {
                    pairs++;
                    if (!cutOff.get(far) && ++named <= UpperPairs.EXAMPLES_MAX) {
                        examples.add(new Pair(s, far));
                    }
                }
            }
        }
        return new UpperPairs(2 * pairs, examples, named - examples.size());
    }

    /** Live leaves that a switch must reach: all but those of fabrics that were never cabled to its own. */
    private static long[] partners(FabricView view, ColumnHomes columns, int s) {
        long[] partners = new long[columns.words];
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            int other = view.targetSwitch(leaf);
            if (view.alive(other) && view.belongTogether(s, other)) {
                BitWords.set(partners, columns.homeOfSwitch(other));
            }
        }
        return partners;
    }

    private static void addMissed(
            long[] partners, long[] reached, FabricView view, ColumnHomes columns, BitSet missed) {
        for (int w = 0; w < partners.length; w++) {
            for (long rest = partners[w] & ~reached[w]; rest != 0; rest &= rest - 1) {
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

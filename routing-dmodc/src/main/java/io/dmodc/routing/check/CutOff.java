package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Finds the leaves that cannot reach each other.
 *
 * <p>Per switch one set of leaves: first, from the leaves up, those it reaches by descending; then, from the top down,
 * also those its upper neighbours reach. What a leaf misses then has no legal path. O(links × leaves / 64).
 */
final class CutOff {
    /** @param pairs ordered; legal paths run both ways, so every pair counts twice */
    record Cut(List<Integer> deadLeaves, List<Integer> cover, long pairs) {}

    private CutOff() {}

    static Cut of(Wiring wiring) {
        FabricView view = wiring.view;
        BitSet live = new BitSet();
        List<Integer> dead = new ArrayList<>();
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            if (view.alive(view.targetSwitch(leaf))) {
                live.set(leaf);
            } else {
                dead.add(view.targetSwitch(leaf));
            }
        }
        dead.sort(null);
        BitSet[] reach = reachOf(wiring);
        BitSet[] missed = new BitSet[view.leafCount()];
        long pairs = 0;
        for (int leaf = live.nextSetBit(0); leaf >= 0; leaf = live.nextSetBit(leaf + 1)) {
            missed[leaf] = (BitSet) live.clone();
            missed[leaf].andNot(reach[view.targetSwitch(leaf)]);
            pairs += missed[leaf].cardinality();
        }
        List<Integer> cover = pairs == 0 ? new ArrayList<>() : cover(missed, live);
        cover.replaceAll(view::targetSwitch);
        cover.sort(null);
        return new Cut(dead, cover, pairs);
    }

    private static BitSet[] reachOf(Wiring wiring) {
        FabricView view = wiring.view;
        BitSet[] reach = new BitSet[view.switchCount()];
        for (int s = 0; s < reach.length; s++) {
            reach[s] = new BitSet(view.leafCount());
            if (view.isLeaf(s) && view.alive(s)) {
                reach[s].set(view.targetOfSwitch(s));
            }
        }
        int[] fromTop = wiring.fromTop;
        for (int i = fromTop.length - 1; i >= 0; i--) {
            int s = fromTop[i];
            for (int at = wiring.upBase[s]; at < wiring.upBase[s + 1]; at++) {
                reach[wiring.upRemote[at]].or(reach[s]);
            }
        }
        for (int s : fromTop) {
            for (int at = wiring.upBase[s]; at < wiring.upBase[s + 1]; at++) {
                reach[s].or(reach[wiring.upRemote[at]]);
            }
        }
        return reach;
    }

    /** Greedy cover: again and again the leaf that misses most others. Of a fabric in two parts, the smaller part. */
    private static List<Integer> cover(BitSet[] missed, BitSet live) {
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

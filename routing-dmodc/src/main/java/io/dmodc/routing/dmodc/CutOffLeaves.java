package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Names the leaves that make a routing incomplete (section 4.1: valid if and only if every leaf has a finite cost to
 * every other).
 *
 * <p>Dead leaves are named all. Of the live ones a small set that every unreachable pair has a member of is found
 * greedily: the leaf with most unreachable partners first, then the one of the lowest target index. So a leaf that
 * lost its uplinks is named, and not the whole fabric that cannot reach it. Leaves of parts that were never cabled
 * together do not miss each other ({@link WantedTargets}). O(leaves²) bits to look, O(leaves) more for
 * each leaf named.
 */
final class CutOffLeaves {
    private final FabricView view;
    private final CostLayers costs;
    private final WantedTargets wanted;
    private final List<Integer> switches = new ArrayList<>();
    private long unreachablePairs;

    /** Of the leaf looked at last: who it should reach, whom it reaches, and how many it does not. */
    private long[] countedLeaves = {};

    private long[] countedReached = {};
    private int countedAt;
    private int counted;

    private CutOffLeaves(FabricView view, CostLayers costs) {
        this.view = view;
        this.costs = costs;
        wanted = new WantedTargets(view, costs.words(), view.leafCount());
    }

    static int liveCount(FabricView view) {
        int count = 0;
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            count += view.alive(view.targetSwitch(leaf)) ? 1 : 0;
        }
        return count;
    }

    static CutOffLeaves find(FabricView view, CostLayers costs) {
        CutOffLeaves result = new CutOffLeaves(view, costs);
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            if (!result.wanted.isLive(leaf)) {
                result.switches.add(view.targetSwitch(leaf));
            }
        }
        result.cover();
        Collections.sort(result.switches);
        return result;
    }

    /** {@code missing[leaf]} counts the live leaves that a live leaf cannot reach and that are not named yet. */
    private void cover() {
        int[] missing = new int[view.leafCount()];
        for (int leaf = 0; leaf < missing.length; leaf++) {
            missing[leaf] = wanted.isLive(leaf) ? countUnreached(leaf) : 0;
            unreachablePairs += missing[leaf];
        }
        for (int worst = highest(missing); missing[worst] > 0; worst = highest(missing)) {
            int named = view.targetSwitch(worst);
            switches.add(named);
            missing[worst] = 0;
            for (int leaf = 0; leaf < missing.length; leaf++) {
                if (missing[leaf] > 0
                        && view.belongTogether(named, view.targetSwitch(leaf))
                        && !costs.reaches(named, costs.rankMax(), leaf)) {
                    missing[leaf]--;
                }
            }
        }
    }

    /** Counted once for leaves one after the other that share what they reach, as those of a pod do. */
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    private int countUnreached(int leaf) {
        int s = view.targetSwitch(leaf);
        long[] leaves = wanted.of(s);
        long[] reached = costs.layer(s, costs.rankMax());
        int at = costs.layerAt(s, costs.rankMax());
        if (leaves != countedLeaves || reached != countedReached || at != countedAt) {
            countedLeaves = leaves;
            countedReached = reached;
            countedAt = at;
            counted = 0;
            for (int w = 0; w < leaves.length; w++) {
                counted += Long.bitCount(leaves[w] & ~reached[at + w]);
            }
        }
        return counted;
    }

    private static int highest(int[] missing) {
        int highest = 0;
        for (int i = 1; i < missing.length; i++) {
            if (missing[i] > missing[highest]) {
                highest = i;
            }
        }
        return highest;
    }

    boolean isEmpty() {
        return switches.isEmpty();
    }

    /** Switch indices, ascending. */
    List<Integer> switches() {
        return switches;
    }

    /** Ordered pairs of live leaves without a path. */
    long unreachablePairs() {
        return unreachablePairs;
    }
}

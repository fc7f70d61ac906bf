package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which switches with hosts had a legal path to each other in one view and have none in another.
 *
 * <p>O(targets² / 64) beside {@link TurnSets} of both, and O(targets²) where paths are lost.
 *
 * @param dead switch indices of the later view, ascending: they were alive before
 * @param parted a small set of live ones, ascending, that every pair which lost its paths has a member of
 */
public record LostPaths(List<Integer> dead, List<Integer> parted) {
    public LostPaths {
        dead = List.copyOf(dead);
        parted = List.copyOf(parted);
    }

    /**
     * Compares two views.
     *
     * @param after its switches are found in {@code before} by GUID; those that were not there have lost nothing
     */
    public static LostPaths of(FabricView before, FabricView after) {
        int[] same = new int[after.hostTargetCount()];
        List<Integer> dead = new ArrayList<>();
        BitSet live = new BitSet();
        for (int target = 0; target < same.length; target++) {
            int s = after.targetSwitch(target);
            int was = before.switchOf(after.switchGuid(s));
            int targetBefore = was < 0 ? -1 : before.targetOfSwitch(was);
            boolean counted = targetBefore >= 0 && targetBefore < before.hostTargetCount() && before.alive(was);
            same[target] = counted ? targetBefore : -1;
            if (counted && after.alive(s)) {
                live.set(target);
            } else if (counted) {
                dead.add(s);
            }
        }
        dead.sort(null);
        return new LostPaths(dead, parted(before, after, same, live));
    }

    private static List<Integer> parted(FabricView before, FabricView after, int[] same, BitSet live) {
        BitSet[] reachedBefore = reached(before);
        BitSet[] reachedAfter = reached(after);
        BitSet[] missed = new BitSet[same.length];
        boolean any = false;
        for (int target = 0; target < missed.length; target++) {
            missed[target] = new BitSet(0);
            for (int other = live.nextSetBit(0); live.get(target) && other >= 0; other = live.nextSetBit(other + 1)) {
                if (!reachedAfter[target].get(other) && reachedBefore[same[target]].get(same[other])) {
                    missed[target].set(other);
                    any = true;
                }
            }
        }
        List<Integer> parted = any ? CutOffSearch.cover(missed, live) : new ArrayList<>();
        parted.replaceAll(after::targetSwitch);
        parted.sort(null);
        return parted;
    }

    /** By target, the targets it has a legal path to. */
    private static BitSet[] reached(FabricView view) {
        ColumnHomes columns = ColumnHomes.nodes(view);
        TurnSets turns = new TurnSets(view, columns);
        turns.update(view, TableCheck.all(view));
        BitSet[] reached = new BitSet[view.targetCount()];
        for (int target = 0; target < reached.length; target++) {
            reached[target] = new BitSet(reached.length);
            BitSet homes = BitSet.valueOf(turns.reached(view.targetSwitch(target)));
            for (int home = homes.nextSetBit(0); home >= 0; home = homes.nextSetBit(home + 1)) {
                reached[target].set(view.targetOfSwitch(columns.homeSwitch(home)));
            }
        }
        return reached;
    }
}

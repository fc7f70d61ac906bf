package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Dividers Π_s: how many consecutive destinations leave a switch through one port (Procedure 1, section 3.3).
 *
 * <p>Going up one rank multiplies by the number of switches above, because that many choices were already made below;
 * of several ways up the largest product counts, so that a partly degraded subtree keeps the divider of the whole
 * one.
 *
 * <p>Dividers of descents Π↓_s: the largest Π of the switches two cables below, 1 where there are none. Π counts what was
 * chosen on the way up and says nothing of a choice between several ways down; but those two below chose among the same
 * switches on their way up, so a packet comes down by the one it would have gone up by.
 *
 * <p>Only {@link #update} changes anything; for one thread.
 */
final class Dividers {
    /** Above every d there can be: a larger divider would give the same ports, and products must not overflow. */
    static final int DIVIDER_MAX = 1 << 30;

    private static final int[] NOBODY = {};

    private final int[] divider;

    /** Largest divider of the switches one cable below; 1 where there are none. */
    private final int[] highestBelow;

    /** Largest divider of the switches two cables below (Π↓). */
    private final int[] descent;

    private final RankQueue climbing;

    /** What was asked last of the switches below: the side, and the divider, the largest one and that of descents which follow. */
    private @Nullable Side asked;

    private int askedDivider;
    private int askedHighest;
    private int askedDescent;

    private int[] changed = new int[8];
    private int changedCount;

    /** Knows nothing of any switch until the first {@link #update}. */
    Dividers(FabricView view) {
        divider = new int[view.switchCount()];
        Arrays.fill(divider, 1);
        highestBelow = divider.clone();
        descent = divider.clone();
        climbing = new RankQueue(view.switchCount(), Math.max(view.rankMax(), 0));
    }

    int of(int s) {
        return divider[s];
    }

    int descent(int s) {
        return descent[s];
    }

    /** How many switches got another divider, or one of descents, in the last update. */
    int changedCount() {
        return changedCount;
    }

    int changed(int i) {
        return changed[i];
    }

    /**
     * @param newView with the same switches and ranks as the view before
     * @param switches those whose neighbours are not as in the last update; all of them the first time
     * @param costs knows the neighbours in the new view
     */
    void update(FabricView newView, int[] switches, CostLayers costs) {
        changedCount = 0;
        climbing.clear();
        for (int s : switches) {
            climb(s, newView.rank(s));
        }
        boolean all = switches.length == divider.length;
        for (int s : switches) {
            for (int remote : all ? NOBODY : costs.remotesAbove(s)) {
                climb(remote, newView.rank(remote));
            }
        }
        asked = null;
        for (int rank = 0; rank <= newView.rankMax(); rank++) {
            for (int i = 0; i < climbing.count(rank); i++) {
                int s = climbing.get(rank, i);
                if (find(s, costs)) {
                    for (int remote : all ? NOBODY : costs.remotesAbove(s)) {
                        climb(remote, rank + 1);
                    }
                }
            }
        }
    }

    private void climb(int s, int rank) {
        if (rank >= 0) {
            climbing.add(s, rank);
        }
    }

    /** True if those above depend on something that is not what it was. */
    private boolean find(int s, CostLayers costs) {
        ask(costs.below(s), costs);
        boolean climbs = askedDivider != divider[s] || askedHighest != highestBelow[s];
        if (askedDivider != divider[s] || askedDescent != descent[s]) {
            noteChange(s);
        }
        divider[s] = askedDivider;
        highestBelow[s] = askedHighest;
        descent[s] = askedDescent;
        return climbs;
    }

    /** Asks the switches below, which have theirs. Those asked for the switch before are not asked again: mostly it is over the same. */
    @SuppressWarnings("ReferenceEquality") // a side is one object
    private void ask(@Nullable Side below, CostLayers costs) {
        if (below != null && below == asked) {
            return;
        }
        asked = below;
        long highest = 1;
        askedHighest = 1;
        askedDescent = 1;
        for (int remote : below == null ? NOBODY : below.remotes) {
            highest = Math.max(highest, (long) divider[remote] * costs.remotesAbove(remote).length);
            askedHighest = Math.max(askedHighest, divider[remote]);
            askedDescent = Math.max(askedDescent, highestBelow[remote]);
        }
        askedDivider = (int) Math.min(highest, DIVIDER_MAX);
    }

    private void noteChange(int s) {
        if (changedCount == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changedCount);
        }
        changed[changedCount++] = s;
    }
}

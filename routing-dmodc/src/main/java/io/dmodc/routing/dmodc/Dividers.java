package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Dividers Π_s: how many consecutive destinations leave a switch through one port (Procedure 1, section 3.3).
 *
 * <p>Going up one rank multiplies by the number of switches above, because that many choices were already made below;
 * of several ways up the largest product counts, so that a partly degraded subtree keeps the divider of the whole
 * one. Only {@link #update} changes anything; for one thread.
 */
final class Dividers {
    /** Above every d there can be: a larger divider would give the same ports, and products must not overflow. */
    static final int DIVIDER_MAX = 1 << 30;

    private FabricView view;
    private final int[] divider;
    private final int[] upSwitchCount;
    private final RankQueue climbing;
    private int[] changed = new int[8];
    private int changedCount;

    /** Knows nothing of any switch until the first {@link #update}. */
    Dividers(FabricView view) {
        this.view = view;
        divider = new int[view.switchCount()];
        Arrays.fill(divider, 1);
        upSwitchCount = new int[view.switchCount()];
        climbing = new RankQueue(view.switchCount(), Math.max(view.rankMax(), 0));
    }

    int of(int s) {
        return divider[s];
    }

    /** How many switches got another divider in the last update. */
    int changedCount() {
        return changedCount;
    }

    int changed(int i) {
        return changed[i];
    }

    /**
     * @param newView with the same switches and ranks as the view before
     * @param switches those whose neighbours are not as in the last update; all of them the first time
     */
    void update(FabricView newView, int[] switches) {
        view = newView;
        changedCount = 0;
        climbing.clear();
        for (int s : switches) {
            upSwitchCount[s] = countAbove(s);
            if (view.rank(s) >= 0) {
                climbing.add(s, view.rank(s));
                queueAbove(s);
            }
        }
        for (int rank = 0; rank <= view.rankMax(); rank++) {
            for (int i = 0; i < climbing.count(rank); i++) {
                climb(climbing.get(rank, i));
            }
        }
    }

    private void climb(int s) {
        long highest = 1;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int below = view.groupRemote(g);
            if (view.isDown(s, below)) {
                highest = Math.max(highest, (long) divider[below] * upSwitchCount[below]);
            }
        }
        int now = (int) Math.min(highest, DIVIDER_MAX);
        if (now != divider[s]) {
            divider[s] = now;
            if (changedCount == changed.length) {
                changed = Arrays.copyOf(changed, 2 * changedCount);
            }
            changed[changedCount++] = s;
            queueAbove(s);
        }
    }

    private void queueAbove(int s) {
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            if (view.isUp(s, view.groupRemote(g))) {
                climbing.add(view.groupRemote(g), view.rank(s) + 1);
            }
        }
    }

    /** Switches above, each counted once however many links lead there. */
    private int countAbove(int s) {
        int count = 0;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            count += view.isUp(s, view.groupRemote(g)) ? 1 : 0;
        }
        return count;
    }
}

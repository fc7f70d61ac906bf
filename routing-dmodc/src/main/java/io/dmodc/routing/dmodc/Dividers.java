package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Dividers Π_s: how many consecutive destinations leave a switch through one port (Procedure 1, section 3.3).
 *
 * <p>Going up one rank multiplies by the number of switches above, because that many choices were already made below;
 * of several ways up the largest product counts, so that a partly degraded subtree keeps the divider of the whole
 * one. Pull form: {@link #climb} writes only its own switch and reads the rank below.
 */
final class Dividers {
    /** Above every d there can be: a larger divider would give the same ports, and products must not overflow. */
    static final int DIVIDER_MAX = 1 << 30;

    private final FabricView view;
    private final int[] divider;

    Dividers(FabricView view) {
        this.view = view;
        divider = new int[view.switchCount()];
        Arrays.fill(divider, 1);
    }

    int of(int s) {
        return divider[s];
    }

    void climb(int s) {
        long highest = 1;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int below = view.groupRemote(g);
            if (view.isDown(s, below)) {
                highest = Math.max(highest, (long) divider[below] * upSwitchCount(below));
            }
        }
        divider[s] = (int) Math.min(highest, DIVIDER_MAX);
    }

    /** Switches above, each counted once however many links lead there. */
    private int upSwitchCount(int s) {
        int count = 0;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            count += view.isUp(s, view.groupRemote(g)) ? 1 : 0;
        }
        return count;
    }
}

package io.dmodc.routing.minhop.store;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/** The live switches of a view, numbered in GUID order. */
final class LiveSwitches {
    private final int[] index;
    private final int[] number;
    private int count;

    LiveSwitches(FabricView view) {
        index = new int[view.switchCount()];
        number = new int[view.switchCount()];
        Arrays.fill(number, StoredState.NOBODY);
        for (int s = 0; s < number.length; s++) {
            if (view.alive(s)) {
                number[s] = count;
                index[count++] = s;
            }
        }
    }

    int count() {
        return count;
    }

    int indexInView(int i) {
        return index[i];
    }

    /** Number of a switch index, or {@link StoredState#NOBODY}. */
    int number(int s) {
        return number[s];
    }
}

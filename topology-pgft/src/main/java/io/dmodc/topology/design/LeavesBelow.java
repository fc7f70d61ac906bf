package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Which leaves are below a switch, by known levels and live links. */
final class LeavesBelow {
    private final FabricView view;
    private final int[] level;

    /** @param level by switch index, negative where it is not known */
    LeavesBelow(FabricView view, int[] level) {
        this.view = view;
        this.level = level;
    }

    /** True if two neighbours of this switch have leaves below them and none in common. O(neighbours · links). */
    boolean anyApart(int s) {
        List<BitSet> seen = new ArrayList<>();
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            BitSet leaves = below(view.groupRemote(g));
            if (!leaves.isEmpty() && seen.stream().anyMatch(other -> !other.intersects(leaves))) {
                return true;
            }
            if (!leaves.isEmpty()) {
                seen.add(leaves);
            }
        }
        return false;
    }

    /** Of a switch whose level is known. */
    private BitSet below(int top) {
        BitSet here = new BitSet();
        here.set(top);
        for (int at = level[top]; at > 0; at--) {
            BitSet next = new BitSet();
            for (int s = here.nextSetBit(0); s >= 0; s = here.nextSetBit(s + 1)) {
                addBelow(s, next);
            }
            here = next;
        }
        return here;
    }

    private void addBelow(int s, BitSet below) {
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            if (level[view.groupRemote(g)] == level[s] - 1) {
                below.set(view.groupRemote(g));
            }
        }
    }
}

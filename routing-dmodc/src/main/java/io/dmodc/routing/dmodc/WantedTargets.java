package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;

/**
 * What each switch with hosts should reach: the live targets, and where the fabric falls in parts that were never cabled
 * together only those that {@link FabricView#belongTogether belong} to it. As bits, in the order of targets; one set
 * where there is one part, else one a part and one of all. O(targets × parts / 64) memory.
 */
final class WantedTargets {
    private final FabricView view;

    /** At 0 all live targets; behind it those of each part, and those of none. */
    private final long[][] ofPart;

    /**
     * @param words longs of a set
     * @param count targets 0..count−1 are looked at
     */
    WantedTargets(FabricView view, int words, int count) {
        this.view = view;
        ofPart = new long[view.partCount() > 1 ? 1 + view.partCount() : 1][words];
        for (int target = 0; target < count; target++) {
            int s = view.targetSwitch(target);
            if (view.alive(s)) {
                add(target, view.part(s));
            }
        }
    }

    private void add(int target, int part) {
        long bit = 1L << target;
        ofPart[0][target >> 6] |= bit;
        for (int i = 1; part < 0 && i < ofPart.length; i++) {
            ofPart[i][target >> 6] |= bit;
        }
        if (part >= 0 && ofPart.length > 1) {
            ofPart[1 + part][target >> 6] |= bit;
        }
    }

    boolean isLive(int target) {
        return (ofPart[0][target >> 6] >>> target & 1) != 0;
    }

    /** Itself among them, if it is a live target: read only. */
    long[] of(int s) {
        return ofPart[ofPart.length == 1 ? 0 : view.part(s) + 1];
    }
}

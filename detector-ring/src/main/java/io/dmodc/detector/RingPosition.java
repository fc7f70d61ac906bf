package io.dmodc.detector;

/**
 * One node's place in one membership epoch. The neighbours are the overlay's, computed once per epoch.
 */
@SuppressWarnings("ArrayRecordComponent") // package-private, made in one place, never changed
record RingPosition(Membership membership, int ownSlot, RingRules rules, int[] neighbours) {
    static RingPosition of(Membership membership, int ownSlot, RingRules rules) {
        return new RingPosition(membership, ownSlot, rules, Overlay.neighbours(ownSlot, membership.slotCount()));
    }

    /** Steps from one slot to another in ring order; 0 for the same slot. */
    int stepsBetween(int from, int to) {
        return Math.floorMod(to - from, membership.slotCount());
    }
}

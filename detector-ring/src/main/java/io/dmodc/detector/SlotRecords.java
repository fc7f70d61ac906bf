package io.dmodc.detector;

/**
 * What one node holds to be true about every slot: its incarnation, whether it is dead, and who said so.
 *
 * <p>Records of a slot are totally ordered: the higher incarnation wins, and at equal incarnation dead beats alive.
 * {@link #learn} only ever moves up that order, so nodes that have seen the same records in any order, any number of
 * times, hold the same state; this is also the rule that ends a flood (a copy that is no news is not forwarded).
 *
 * <p>The set hash covers the records that differ from the membership, which all nodes of an epoch share. 12 bytes and a
 * bit per slot.
 */
final class SlotRecords {
    private final Membership membership;
    private final int[] incarnations;
    private final long[] dead;
    private final int[] observers;
    private final int[] silenceMicros;
    private int setHash;

    SlotRecords(Membership membership) {
        int count = membership.slotCount();
        this.membership = membership;
        incarnations = new int[count];
        dead = new long[(count + 63) >>> 6];
        observers = new int[count];
        silenceMicros = new int[count];
        for (int slot = 0; slot < count; slot++) {
            incarnations[slot] = membership.incarnation(slot);
        }
    }

    /**
     * The same knowledge in another slot table: what is known of a GUID is kept unless the table names a newer
     * incarnation. A death whose observer has left is kept under the subject's own slot as observer.
     */
    SlotRecords movedTo(Membership next) {
        SlotRecords moved = new SlotRecords(next);
        for (int slot = 0; slot < incarnations.length; slot++) {
            int target = differs(slot) ? next.slotOf(membership.guid(slot)) : -1;
            if (target >= 0) {
                int observer = next.slotOf(membership.guid(observers[slot]));
                moved.learn(
                        target,
                        incarnations[slot],
                        isDead(slot),
                        observer < 0 ? target : observer,
                        silenceMicros[slot]);
            }
        }
        return moved;
    }

    /** Takes over a record if it is news. Observer and silence are kept for deaths only. */
    boolean learn(int slot, int incarnation, boolean isDead, int observerSlot, int silence) {
        if (!isNews(slot, incarnation, isDead)) {
            return false;
        }
        setHash ^= share(slot);
        incarnations[slot] = incarnation;
        long bit = 1L << slot;
        dead[slot >>> 6] = isDead ? dead[slot >>> 6] | bit : dead[slot >>> 6] & ~bit;
        observers[slot] = isDead ? observerSlot : slot;
        silenceMicros[slot] = isDead ? silence : 0;
        setHash ^= share(slot);
        return true;
    }

    private boolean isNews(int slot, int incarnation, boolean isDead) {
        int order = Integer.compareUnsigned(incarnation, incarnations[slot]);
        return order > 0 || (order == 0 && isDead && !isDead(slot));
    }

    /** True if a message the slot sent in this incarnation must not be believed any more. */
    boolean outdates(int slot, int incarnation) {
        int order = Integer.compareUnsigned(incarnation, incarnations[slot]);
        return order < 0 || (order == 0 && isDead(slot));
    }

    boolean isDead(int slot) {
        return (dead[slot >>> 6] & (1L << slot)) != 0;
    }

    int incarnation(int slot) {
        return incarnations[slot];
    }

    int observer(int slot) {
        return observers[slot];
    }

    int silenceMicros(int slot) {
        return silenceMicros[slot];
    }

    /** Equal on two nodes of one epoch exactly when they know the same, but for collisions of 1 in 2^32. */
    int setHash() {
        return setHash;
    }

    /** True if this slot's record says more than the membership does. */
    boolean differs(int slot) {
        return incarnations[slot] != membership.incarnation(slot) || isDead(slot);
    }

    /** FindEmitter of the source: the next live slot backwards; the slot itself when all others are dead. */
    int liveBefore(int slot) {
        int found = slot;
        do {
            found = found == 0 ? incarnations.length - 1 : found - 1;
        } while (found != slot && isDead(found));
        return found;
    }

    /** The next live slot forwards: who watches this slot if it knows what this node knows. */
    int liveAfter(int slot) {
        int found = slot;
        do {
            found = found == incarnations.length - 1 ? 0 : found + 1;
        } while (found != slot && isDead(found));
        return found;
    }

    private int share(int slot) {
        if (!differs(slot)) {
            return 0;
        }
        // Finaliser of SplitMix64 over (slot, incarnation, dead): shares must not cancel out when xor-ed.
        long z = ((long) slot << 33) ^ ((incarnations[slot] & 0xffffffffL) << 1) ^ (isDead(slot) ? 1 : 0);
        z = (z + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (int) (z >>> 32);
    }
}

package io.dmodc.detector;

/**
 * Who takes part in the ring, in ring order: one immutable version of the manager's slot table.
 *
 * <p>A slot is an index 0..{@link #slotCount()}-1 on the ring; slot i watches slot i-1 and is watched by slot i+1, both
 * modulo the slot count. The manager chooses the order (ring neighbours should share no failure domain) and hands out
 * the same table with the same epoch to all, so a slot number means the same agent everywhere within one epoch.
 *
 * <p>Immutable and safe to share between any number of detectors and threads. 20 to 28 bytes per slot.
 */
public final class Membership {
    /** Most slots one ring may have; a slot number travels in three bytes of a datagram. */
    public static final int SLOT_COUNT_MAX = 1 << 20;

    /** Not an incarnation: one number must stay free above the highest one so that a refutation can outbid it. */
    static final int INCARNATION_RESERVED = -1;

    private final long epoch;
    private final int cluster;
    private final long[] guids;
    private final int[] incarnations;

    /** Slot + 1 at the first free place from its GUID's hash on; 0 is free. A power of two long, at most half full. */
    private final int[] index;

    /**
     * Checks and copies a slot table.
     *
     * @param epoch        version of the table, above 0; higher replaces lower
     * @param cluster      number of the fabric, any value; keeps two fabrics on one network apart
     * @param guids        GUID of the agent's switch per slot, no duplicates, 1..{@link #SLOT_COUNT_MAX} of them
     * @param incarnations incarnation per slot as unsigned 32-bit number below 2^32 - 1
     * @throws IllegalArgumentException in one line naming the slot, the value and what was expected
     */
    public Membership(long epoch, int cluster, long[] guids, int[] incarnations) {
        this(guids.clone(), incarnations.clone(), checkedEpoch(epoch), cluster);
        checkSize();
        checkIncarnations();
        indexDistinct();
    }

    private Membership(long[] guids, int[] incarnations, long epoch, int cluster) {
        this.epoch = epoch;
        this.cluster = cluster;
        this.guids = guids;
        this.incarnations = incarnations;
        index = new int[Integer.highestOneBit(Math.max(1, guids.length)) << 2];
    }

    /** What an agent is before the manager gave it a slot: a ring of its own, epoch 0. */
    static Membership outside(long ownGuid, int ownIncarnation) {
        Membership outside = new Membership(new long[] {ownGuid}, new int[] {ownIncarnation}, 0, 0);
        outside.indexDistinct();
        return outside;
    }

    /** Version of the table; 0 only for an agent that has none yet. */
    public long epoch() {
        return epoch;
    }

    public int cluster() {
        return cluster;
    }

    public int slotCount() {
        return guids.length;
    }

    public long guid(int slot) {
        return guids[slot];
    }

    /** Incarnation the manager knew for this slot when it made the table; the ring may have learnt of a higher one. */
    public int incarnation(int slot) {
        return incarnations[slot];
    }

    /**
     * Checks that an agent sits where it is told to sit.
     *
     * @throws IllegalArgumentException in one line, if the slot is not this agent's
     */
    public void checkOwnSlot(int ownSlot, long ownGuid) {
        if (ownSlot < 0 || ownSlot >= guids.length) {
            throw new IllegalArgumentException(this + ": own slot " + ownSlot + " outside 0.." + (guids.length - 1));
        }
        if (guids[ownSlot] != ownGuid) {
            throw new IllegalArgumentException(String.format(
                    "%s: own slot %d holds guid 0x%016x, expected this agent's 0x%016x",
                    this, ownSlot, guids[ownSlot], ownGuid));
        }
    }

    /** The slot of a GUID, or -1. O(1). */
    public int slotOf(long guid) {
        int at = placeOf(guid);
        while (index[at] != 0) {
            int slot = index[at] - 1;
            if (guids[slot] == guid) {
                return slot;
            }
            at = (at + 1) & (index.length - 1);
        }
        return -1;
    }

    private int placeOf(long guid) {
        return hash(guid) & (index.length - 1);
    }

    /** 32 well-mixed bits of the GUID in a slot: who it is, in any epoch. */
    int guidHash(int slot) {
        return hash(guids[slot]);
    }

    private static int hash(long guid) {
        return (int) (SplitMix64.mix(guid) >>> 32);
    }

    @Override
    public String toString() {
        return "membership epoch " + epoch + ", cluster " + cluster + ", " + guids.length + " slots";
    }

    private static long checkedEpoch(long epoch) {
        if (epoch <= 0) {
            throw new IllegalArgumentException("membership: epoch " + epoch + ", expected above 0");
        }
        return epoch;
    }

    private void checkSize() {
        if (guids.length == 0 || guids.length > SLOT_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "membership epoch " + epoch + ": " + guids.length + " slots, expected 1.." + SLOT_COUNT_MAX);
        }
        if (incarnations.length != guids.length) {
            throw new IllegalArgumentException("membership epoch " + epoch + ": " + incarnations.length
                    + " incarnations for " + guids.length + " slots, expected one each");
        }
    }

    private void checkIncarnations() {
        for (int slot = 0; slot < incarnations.length; slot++) {
            if (incarnations[slot] == INCARNATION_RESERVED) {
                throw new IllegalArgumentException("membership epoch " + epoch + ": slot " + slot
                        + " has incarnation 4294967295, expected 0..4294967294");
            }
        }
    }

    private void indexDistinct() {
        for (int slot = 0; slot < guids.length; slot++) {
            if (slotOf(guids[slot]) >= 0) {
                throw new IllegalArgumentException(String.format(
                        "membership epoch %d: guid 0x%016x in more than one slot, expected one each",
                        epoch, guids[slot]));
            }
            int at = placeOf(guids[slot]);
            while (index[at] != 0) {
                at = (at + 1) & (index.length - 1);
            }
            index[at] = slot + 1;
        }
    }
}

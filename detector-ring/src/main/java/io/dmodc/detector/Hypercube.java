package io.dmodc.detector;

import java.util.Arrays;

/**
 * The numbering behind one part of a hypercube broadcast for any number of live nodes.
 *
 * <p>The live slots (all but the D that the source froze) are numbered along the ring from the source on, which is 0. Of
 * n of them, with k = ⌊log2 n⌋, part 0 spans numbers 0..2^k - 1. If n is no power of two, part 1 spans the source and the
 * last 2^k - 1, renumbered so that the source stays 0. In each part two corners whose numbers differ in one bit are
 * neighbours.
 *
 * <p>Source: SC16 slides 16 and 17 (where "n = 2l" stands for n ≠ 2^l). O(|D|) per question, nothing is allocated after
 * construction.
 */
final class Hypercube {
    static final int OUTSIDE = -1;

    /** Copy numbers are 32 * part + first dimension. */
    private static final int PART_SHIFT = 5;

    private final int[] dead = new int[RingMessage.DEAD_MAX];
    private int deadCount;
    private int slotCount;
    private int source;
    private int part;

    /** Takes the route of a copy. */
    void set(int slots, int sourceSlot, int[] deadSlots, int count, int copy) {
        slotCount = slots;
        source = sourceSlot;
        deadCount = count;
        System.arraycopy(deadSlots, 0, dead, 0, count);
        part = copy >>> PART_SHIFT;
    }

    /** Takes the routes of a broadcast from this source, which steps over all that the records hold dead. */
    void set(int slots, int sourceSlot, SlotRecords records) {
        slotCount = slots;
        source = sourceSlot;
        deadCount = 0;
        part = 0;
        for (int number = 0; number < records.count(); number++) {
            int slot = records.slotAt(number);
            if (records.isDead(slot)) {
                dead[deadCount++] = slot;
            }
        }
        Arrays.sort(dead, 0, deadCount);
    }

    void turnTo(int newPart) {
        part = newPart;
    }

    static int copyOf(int part, int firstDimension) {
        return part << PART_SHIFT | firstDimension;
    }

    static int firstDimension(int copy) {
        return copy & ((1 << PART_SHIFT) - 1);
    }

    int source() {
        return source;
    }

    int copyDead(int[] into) {
        System.arraycopy(dead, 0, into, 0, deadCount);
        return deadCount;
    }

    int liveCount() {
        return slotCount - deadCount;
    }

    /** k = ⌊log2 n⌋ of the live nodes; 0 for the source alone. */
    int dimensionCount() {
        return 31 - Integer.numberOfLeadingZeros(Math.max(1, liveCount()));
    }

    int partCount() {
        return liveCount() == 1 << dimensionCount() ? 1 : 2;
    }

    /** The slot at a corner 0..2^k - 1 of this part. */
    int slotAt(int corner) {
        int live = corner == 0 || part == 0 ? corner : corner + liveCount() - (1 << dimensionCount());
        return slotOfLive(live);
    }

    /** The corner of a slot in this part, or {@link #OUTSIDE}. */
    int cornerOf(int slot) {
        int live = liveNumber(slot);
        if (live <= 0 || part == 0) {
            return live < 1 << dimensionCount() ? live : OUTSIDE;
        }
        int corner = live - (liveCount() - (1 << dimensionCount()));
        return corner > 0 ? corner : OUTSIDE;
    }

    private int liveNumber(int slot) {
        int steps = Math.floorMod(slot - source, slotCount);
        int skipped = 0;
        for (int i = 0; i < deadCount; i++) {
            int deadSteps = Math.floorMod(dead[i] - source, slotCount);
            if (deadSteps == steps) {
                return OUTSIDE;
            }
            skipped += deadSteps < steps ? 1 : 0;
        }
        return steps - skipped;
    }

    /** Undoes {@link #liveNumber}: steps over the dead in ring order from the source. */
    private int slotOfLive(int number) {
        int steps = number;
        int first = firstDeadFromSource();
        for (int i = 0; i < deadCount; i++) {
            int deadSteps = Math.floorMod(dead[(first + i) % deadCount] - source, slotCount);
            if (deadSteps > steps) {
                break;
            }
            steps++;
        }
        return (source + steps) % slotCount;
    }

    private int firstDeadFromSource() {
        int first = 0;
        while (first < deadCount && dead[first] < source) {
            first++;
        }
        return first == deadCount ? 0 : first;
    }
}

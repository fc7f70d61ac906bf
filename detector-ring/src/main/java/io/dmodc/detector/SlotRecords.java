package io.dmodc.detector;

import java.util.Arrays;

/**
 * What one node holds to be true about every slot beyond what the membership says: its incarnation, whether it is dead,
 * and who said so.
 *
 * <p>Records of a slot are totally ordered: the higher incarnation wins, and at equal incarnation dead beats alive.
 * {@link #learn} only ever moves up that order, so nodes that have seen the same records in any order, any number of
 * times, hold the same state; this is also the rule that ends a flood (a copy that is no news is not forwarded).
 *
 * <p>Layout: four ints a record, in the order in which their slots were first heard of, and a hash index with open
 * addressing over them. A calm node holds no records, so a hundred thousand nodes fit one machine in simulation; a
 * record is never taken out, because nothing returns to what the membership says.
 */
final class SlotRecords {
    private static final int STRIDE = 4;
    private static final int INCARNATION = 1;
    private static final int OBSERVER = 2;
    private static final int SILENCE = 3;
    private static final int DEAD_BIT = 1 << 31;
    private static final int NONE = -1;

    private final Membership membership;

    /** Slot with {@link #DEAD_BIT}, incarnation, observer, silence in parts of δ; {@link #count} times. */
    private int[] records = {};

    /** Number of the record + 1 at the first free place from the slot's hash on; 0 is free. A power of two long. */
    private int[] index = {};

    private int count;
    private int deadCount;
    private int setHash;

    SlotRecords(Membership membership) {
        this.membership = membership;
    }

    /**
     * The same knowledge in another slot table: what is known of a GUID is kept unless the table names a newer
     * incarnation. A death whose observer has left is kept under the subject's own slot as observer.
     */
    SlotRecords movedTo(Membership next) {
        SlotRecords moved = new SlotRecords(next);
        for (int number = 0; number < count; number++) {
            int slot = slotAt(number);
            int target = next.slotOf(membership.guid(slot));
            if (target >= 0) {
                int observer = next.slotOf(membership.guid(observer(slot)));
                moved.learn(target, incarnation(slot), isDead(slot), observer < 0 ? target : observer, silence(slot));
            }
        }
        return moved;
    }

    /** Takes over a record if it is news. Observer and silence are kept for deaths only. */
    boolean learn(int slot, int incarnation, boolean isDead, int observerSlot, int silence) {
        int number = find(slot);
        if (!isNews(slot, number, incarnation, isDead)) {
            return false;
        }
        if (number == NONE) {
            number = add(slot);
        } else {
            setHash ^= share(number);
            deadCount -= records[number * STRIDE] < 0 ? 1 : 0;
        }
        int at = number * STRIDE;
        records[at] = isDead ? slot | DEAD_BIT : slot;
        records[at + INCARNATION] = incarnation;
        records[at + OBSERVER] = isDead ? observerSlot : slot;
        records[at + SILENCE] = isDead ? silence : 0;
        setHash ^= share(number);
        deadCount += isDead ? 1 : 0;
        return true;
    }

    /** True if {@link #learn} would take it over. */
    boolean isNews(int slot, int incarnation, boolean isDead) {
        return isNews(slot, find(slot), incarnation, isDead);
    }

    private boolean isNews(int slot, int number, int incarnation, boolean isDead) {
        int known = number == NONE ? membership.incarnation(slot) : records[number * STRIDE + INCARNATION];
        int order = Integer.compareUnsigned(incarnation, known);
        return order > 0 || (order == 0 && isDead && (number == NONE || records[number * STRIDE] >= 0));
    }

    private int add(int slot) {
        if ((count + 1) * 2 > index.length) {
            grow();
        }
        records[count * STRIDE] = slot;
        index[freePlace(slot)] = ++count;
        return count - 1;
    }

    private void grow() {
        index = new int[Math.max(8, index.length * 2)];
        records = Arrays.copyOf(records, index.length / 2 * STRIDE);
        for (int number = 0; number < count; number++) {
            index[freePlace(slotAt(number))] = number + 1;
        }
    }

    private int freePlace(int slot) {
        int place = place(slot);
        while (index[place] != 0) {
            place = (place + 1) & (index.length - 1);
        }
        return place;
    }

    private int find(int slot) {
        if (count == 0) {
            return NONE;
        }
        for (int place = place(slot); index[place] != 0; place = (place + 1) & (index.length - 1)) {
            int number = index[place] - 1;
            if (slotAt(number) == slot) {
                return number;
            }
        }
        return NONE;
    }

    private int place(int slot) {
        return (slot * 0x9e3779b9) >>> (Integer.numberOfLeadingZeros(index.length) + 1);
    }

    /** True if a message the slot sent in this incarnation must not be believed any more. */
    boolean outdates(int slot, int incarnation) {
        int number = find(slot);
        int known = number == NONE ? membership.incarnation(slot) : records[number * STRIDE + INCARNATION];
        int order = Integer.compareUnsigned(incarnation, known);
        return order < 0 || (order == 0 && number != NONE && records[number * STRIDE] < 0);
    }

    boolean isDead(int slot) {
        int number = find(slot);
        return number != NONE && records[number * STRIDE] < 0;
    }

    int incarnation(int slot) {
        int number = find(slot);
        return number == NONE ? membership.incarnation(slot) : records[number * STRIDE + INCARNATION];
    }

    int observer(int slot) {
        int number = find(slot);
        return number == NONE ? slot : records[number * STRIDE + OBSERVER];
    }

    int silence(int slot) {
        int number = find(slot);
        return number == NONE ? 0 : records[number * STRIDE + SILENCE];
    }

    /** Slots whose record says more than the membership does. */
    int count() {
        return count;
    }

    /** The slot of a record, numbered 0..{@link #count}-1 in the order in which they were first heard of. */
    int slotAt(int number) {
        return records[number * STRIDE] & ~DEAD_BIT;
    }

    /** How many slots are held dead. */
    int deadCount() {
        return deadCount;
    }

    /** Equal on two nodes of one epoch exactly when they know the same, but for collisions of 1 in 2^32. */
    int setHash() {
        return setHash;
    }

    /** FindEmitter of the source: the next live slot backwards; the slot itself when all others are dead. */
    int liveBefore(int slot) {
        int found = slot;
        do {
            found = found == 0 ? membership.slotCount() - 1 : found - 1;
        } while (found != slot && isDead(found));
        return found;
    }

    /** The next live slot forwards: who watches this slot if it knows what this node knows. */
    int liveAfter(int slot) {
        int found = slot;
        do {
            found = found == membership.slotCount() - 1 ? 0 : found + 1;
        } while (found != slot && isDead(found));
        return found;
    }

    private int share(int number) {
        int at = number * STRIDE;
        return SplitMix64.hash(slotAt(number), records[at + INCARNATION], records[at] < 0 ? 1 : 0);
    }
}

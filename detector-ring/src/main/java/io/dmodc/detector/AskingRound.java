package io.dmodc.detector;

/**
 * The live slots behind a new emitter that are asked at the same time as it is.
 *
 * <p>If the new emitter is dead too, and the one behind it, each would cost another 2 δ one after the other. Asked
 * together, all those who have not answered when the first one's grace ends are dead at once. Who has answered gets a
 * grace of its own when its turn comes. At most {@link RingRules#ASKING_WIDTH_MAX} slots.
 */
final class AskingRound {
    private int[] slots = {};
    private int count;
    private long answered;
    private long begun;
    private long due;

    /**
     * Goes on in another membership with those that are in it, too. By other rules the present round is left: the next
     * ones ask as many as these say.
     */
    void moveTo(RingPosition before, RingPosition next) {
        if (!next.rules().equals(before.rules()) || slots.length != next.rules().askingWidth()) {
            count = 0;
            slots = new int[next.rules().askingWidth()];
            return;
        }
        long answeredNow = 0;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = next.membership().slotOf(before.membership().guid(slots[i]));
            if (slot >= 0) {
                answeredNow |= isOpen(i) ? 0 : 1L << kept;
                slots[kept++] = slot;
            }
        }
        answered = answeredNow;
        count = kept;
    }

    /** Lists the next live slots behind the emitter, up to the node itself. */
    void begin(long now, int emitter, RingPosition position, SlotRecords records) {
        begun = now;
        due = now + position.rules().graceNanos();
        answered = 0;
        count = 0;
        int slot = records.liveBefore(emitter);
        while (count < slots.length && slot != position.ownSlot() && slot != emitter) {
            slots[count++] = slot;
            slot = records.liveBefore(slot);
        }
    }

    void end() {
        count = 0;
    }

    /** True if the slot was asked in this round and has not answered. */
    boolean awaits(int slot) {
        for (int i = 0; i < count; i++) {
            if (slots[i] == slot) {
                return isOpen(i);
            }
        }
        return false;
    }

    void answered(int slot) {
        for (int i = 0; i < count; i++) {
            if (slots[i] == slot) {
                answered |= 1L << i;
            }
        }
    }

    private boolean isOpen(int i) {
        return (answered & (1L << i)) == 0;
    }

    int count() {
        return count;
    }

    /** The i-th slot if it lives as far as is known and has not answered, else {@link EmitterWatch#NOBODY}. */
    int open(int i, SlotRecords records) {
        return isOpen(i) && !records.isDead(slots[i]) ? slots[i] : EmitterWatch.NOBODY;
    }

    long begun() {
        return begun;
    }

    /** When those who have not answered are dead. */
    long due() {
        return due;
    }

    /** The node itself was late: nobody is dead before this time. */
    void excuse(long notBefore) {
        due = Math.max(due, notBefore);
    }
}

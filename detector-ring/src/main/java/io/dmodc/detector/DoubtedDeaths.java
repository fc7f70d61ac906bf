package io.dmodc.detector;

/**
 * Deaths that this node was told of, but not by a broadcast that has just begun: by who caught up with somebody, by
 * another epoch, or because nobody may be watching there. What was said during a split would else strike the living
 * when it heals. The accused is asked twice each η; who does not answer for δ, while others hear this node and answer
 * it, is dead.
 *
 * <p>At most {@value #MOST} at a time; what finds no place is told again by anti-entropy. Allocates once.
 */
final class DoubtedDeaths {
    static final int MOST = 64;

    private static final long NEVER = Long.MAX_VALUE;

    private final RingSender sender;
    private int[] slots = {};
    private int[] incarnations = {};
    private boolean[] told = {};
    private long[] dues = {};
    private int count;
    private long since;
    private long askDue = NEVER;

    DoubtedDeaths(RingSender sender) {
        this.sender = sender;
    }

    /** What is doubted was said in slots of the old membership. */
    void clear() {
        count = 0;
        askDue = NEVER;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Begins to ask, at once, unless that is being done.
     *
     * @param isTold by somebody who holds it dead: then it is told so, and refutes; else it is only pinged
     */
    void begin(long now, RingRules rules, int slot, int incarnation, boolean isTold, int pingNonce) {
        int number = find(slot);
        if (number < count && Integer.compareUnsigned(incarnation, incarnations[number]) <= 0) {
            return;
        }
        if (count == MOST && number == count) {
            return;
        }
        if (slots.length == 0) {
            slots = new int[MOST];
            incarnations = new int[MOST];
            told = new boolean[MOST];
            dues = new long[MOST];
        }
        since = count == 0 ? now : since;
        count = Math.max(count, number + 1);
        slots[number] = slot;
        incarnations[number] = incarnation;
        told[number] = isTold;
        dues[number] = now + rules.suspicionNanos();
        askDue = Math.min(askDue, now + rules.heartbeatNanos() / 2);
        ask(number, pingNonce);
    }

    /** When this node began to ask, not having doubted anybody before. Without meaning while nobody is doubted. */
    long since() {
        return since;
    }

    /** The slot lives. Returns whether it was doubted. */
    boolean lives(int slot) {
        int number = find(slot);
        if (number == count) {
            return false;
        }
        remove(number);
        return true;
    }

    /** Asks again those that have not answered, if that is due; true if so. */
    boolean tick(long now, RingRules rules, int pingNonce) {
        if (now < askDue) {
            return false;
        }
        for (int number = 0; number < count; number++) {
            ask(number, pingNonce);
        }
        askDue = count == 0 ? NEVER : now + rules.heartbeatNanos() / 2;
        return count > 0;
    }

    private void ask(int number, int pingNonce) {
        if (told[number]) {
            sender.accusation(slots[number], incarnations[number]);
        } else {
            sender.ping(slots[number], slots[number], pingNonce);
        }
    }

    /** The number of one that has not answered in time, or -1. */
    int due(long now) {
        for (int number = 0; number < count; number++) {
            if (now >= dues[number]) {
                return number;
            }
        }
        return -1;
    }

    /** This node is not sure of itself: nobody is dead before this time. */
    void postpone(long until) {
        for (int number = 0; number < count; number++) {
            dues[number] = Math.max(dues[number], until);
        }
    }

    void remove(int number) {
        count--;
        slots[number] = slots[count];
        incarnations[number] = incarnations[count];
        told[number] = told[count];
        dues[number] = dues[count];
        askDue = count == 0 ? NEVER : askDue;
    }

    int slot(int number) {
        return slots[number];
    }

    int incarnation(int number) {
        return incarnations[number];
    }

    private int find(int slot) {
        int number = 0;
        while (number < count && slots[number] != slot) {
            number++;
        }
        return number;
    }

    /** Questions are repeated each η / 2, and answers waited for no longer than they are asked: all is due then. */
    long nextDeadline() {
        return askDue;
    }
}

package io.dmodc.detector;

/**
 * News that one batch of messages brought and that has still to go to the neighbours in the overlay: at the end of the
 * batch more of them are known to have it, because their own copies came meanwhile. At most {@value #LIMIT} at a time:
 * whoever adds one more sends these first.
 */
final class PendingNews {
    static final int LIMIT = 16;

    private int[] subjects = {};
    private int[] hops = {};
    private long[] holders = {};
    private int count;

    int count() {
        return count;
    }

    boolean isFull() {
        return count == LIMIT;
    }

    int subject(int number) {
        return subjects[number];
    }

    /** Hops the copies of this news will have travelled when they arrive. */
    int hops(int number) {
        return hops[number];
    }

    /** True if the neighbour of this number needs no copy. */
    boolean isHeldBy(int number, int neighbour) {
        return (holders[number] >>> neighbour & 1) != 0;
    }

    /** Adds news of a subject, in place of older news of it. Not while full. */
    void add(int subject, int hopsOfCopies) {
        int number = find(subject);
        if (number == count) {
            if (subjects.length == 0) {
                subjects = new int[LIMIT];
                hops = new int[LIMIT];
                holders = new long[LIMIT];
            }
            count++;
        }
        subjects[number] = subject;
        hops[number] = hopsOfCopies;
        holders[number] = 0;
    }

    /** Notes that a neighbour, by its number below 64, has the news of this subject. */
    void addHolder(int subject, int neighbour) {
        int number = find(subject);
        if (number < count) {
            holders[number] |= 1L << neighbour;
        }
    }

    /** Notes that what waits of this subject has become newer than what its holders have. */
    void forgetHolders(int subject) {
        int number = find(subject);
        if (number < count) {
            holders[number] = 0;
        }
    }

    private int find(int subject) {
        int number = 0;
        while (number < count && subjects[number] != subject) {
            number++;
        }
        return number;
    }

    void clear() {
        count = 0;
    }
}

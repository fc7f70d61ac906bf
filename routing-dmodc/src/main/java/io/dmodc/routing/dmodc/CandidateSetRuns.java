package io.dmodc.routing.dmodc;

import java.util.Arrays;

/**
 * Runs of successive targets that have the same candidate set, for one row or part of a row: the row before it is
 * written out in columns. Sets are numbered as they come, so that others can note something for each without looking it
 * up. Kept from row to row; one thread.
 */
final class CandidateSetRuns {
    private static final int SLOTS_MIN = 256;

    /** Longs of a set. */
    private int words = 1;

    private long[] sets = new long[64];
    private int setCount;

    /** Number of a set plus 1 where it hashes to, or in the next free place; 0 is free. At most half full. */
    private int[] slots = new int[SLOTS_MIN];

    private int[] from = new int[64];
    private int[] to = new int[64];
    private int[] set = new int[64];
    private int count;

    /**
     * Forgets all.
     *
     * @param groupCount members a set can have, at most 256
     */
    void clear(int groupCount) {
        words = groupCount <= Long.SIZE ? 1 : 4;
        if (setCount > 0) {
            Arrays.fill(slots, 0);
        }
        setCount = 0;
        count = 0;
    }

    /**
     * Adds the targets {@code start .. end − 1}.
     *
     * @param start not below the last {@code end}
     */
    void add(int start, int end, CandidateSet groups) {
        if (count > 0 && to[count - 1] == start && isAt(groups, set[count - 1])) {
            to[count - 1] = end;
            return;
        }
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            set = Arrays.copyOf(set, 2 * count);
        }
        from[count] = start;
        to[count] = end;
        set[count++] = number(groups);
    }

    private int number(CandidateSet groups) {
        int slot = slot(groups);
        if (slots[slot] == 0) {
            put(groups);
            slots[slot] = setCount;
            if (2 * setCount > slots.length) {
                grow();
            }
            return setCount - 1;
        }
        return slots[slot] - 1;
    }

    private void put(CandidateSet groups) {
        int at = words * setCount;
        if (at + words > sets.length) {
            sets = Arrays.copyOf(sets, 2 * sets.length);
        }
        sets[at] = groups.a;
        if (words > 1) {
            sets[at + 1] = groups.b;
            sets[at + 2] = groups.c;
            sets[at + 3] = groups.d;
        }
        setCount++;
    }

    private int slot(CandidateSet groups) {
        int slot = groups.hash() & (slots.length - 1);
        while (slots[slot] != 0 && !isAt(groups, slots[slot] - 1)) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private boolean isAt(CandidateSet groups, int number) {
        int at = words * number;
        return words == 1 ? groups.a == sets[at] : groups.is(sets[at], sets[at + 1], sets[at + 2], sets[at + 3]);
    }

    private void grow() {
        slots = new int[2 * slots.length];
        CandidateSet groups = new CandidateSet();
        for (int number = 0; number < setCount; number++) {
            read(number, groups);
            slots[slot(groups)] = number + 1;
        }
    }

    int count() {
        return count;
    }

    /** First target of a run. */
    int from(int run) {
        return from[run];
    }

    /** Target that a run ends before. */
    int to(int run) {
        return to[run];
    }

    /** Number of a run's set. */
    int set(int run) {
        return set[run];
    }

    /** The first run that ends behind a target; {@link #count} if there is none. O(log runs). */
    int firstEndingAfter(int target) {
        int at = Arrays.binarySearch(to, 0, count, target + 1);
        return at < 0 ? -at - 1 : at;
    }

    /** Targets in all runs. */
    int targetCount() {
        int targets = 0;
        for (int run = 0; run < count; run++) {
            targets += to[run] - from[run];
        }
        return targets;
    }

    int setCount() {
        return setCount;
    }

    /** Reads the set of a number. */
    void read(int number, CandidateSet into) {
        int at = words * number;
        if (words == 1) {
            into.become(sets[at], 0, 0, 0);
        } else {
            into.become(sets[at], sets[at + 1], sets[at + 2], sets[at + 3]);
        }
    }

    /** The set of a number, of at most 64 groups. */
    long groups(int number) {
        return sets[number];
    }
}

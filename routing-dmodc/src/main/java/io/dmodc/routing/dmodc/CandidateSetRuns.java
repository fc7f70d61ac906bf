package io.dmodc.routing.dmodc;

import java.util.Arrays;

/**
 * Column runs of one row with their candidate sets, of at most 64 groups, in the order they were found. Sets are
 * numbered as they come, so that others can note something for each without looking it up.
 */
final class CandidateSetRuns {
    private static final int SLOTS_MIN = 256;

    private long[] sets = new long[64];
    private int setCount;

    /** Number of a set plus 1 where it hashes to, or in the next free place; 0 is free. At most half full. */
    private int[] slots = new int[SLOTS_MIN];

    private int[] from = new int[64];
    private int[] to = new int[64];
    private int[] set = new int[64];
    private int count;

    void add(int start, int end, long groups) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            set = Arrays.copyOf(set, 2 * count);
        }
        from[count] = start;
        to[count] = end;
        set[count++] = number(groups);
    }

    private int number(long groups) {
        int slot = slot(groups);
        if (slots[slot] == 0) {
            if (setCount == sets.length) {
                sets = Arrays.copyOf(sets, 2 * setCount);
            }
            sets[setCount++] = groups;
            slots[slot] = setCount;
            if (2 * setCount > slots.length) {
                grow();
            }
            return setCount - 1;
        }
        return slots[slot] - 1;
    }

    private int slot(long groups) {
        int slot = (int) ((groups * 0x9E37_79B9_7F4A_7C15L) >>> 40) & (slots.length - 1);
        while (slots[slot] != 0 && sets[slots[slot] - 1] != groups) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private void grow() {
        slots = new int[2 * slots.length];
        for (int number = 0; number < setCount; number++) {
            slots[slot(sets[number])] = number + 1;
        }
    }

    int count() {
        return count;
    }

    int from(int run) {
        return from[run];
    }

    int to(int run) {
        return to[run];
    }

    /** Number of a run's set. */
    int set(int run) {
        return set[run];
    }

    int setCount() {
        return setCount;
    }

    long groups(int number) {
        return sets[number];
    }
}

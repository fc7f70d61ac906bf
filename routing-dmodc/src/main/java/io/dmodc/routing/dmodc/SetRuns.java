package io.dmodc.routing.dmodc;

import java.util.Arrays;

/** Column runs of one row with their candidate sets, of at most 64 groups, in the order they were found. */
final class SetRuns {
    int[] from = new int[64];
    int[] to = new int[64];
    long[] sets = new long[64];
    int count;

    void add(int start, int end, long set) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            sets = Arrays.copyOf(sets, 2 * count);
        }
        from[count] = start;
        to[count] = end;
        sets[count++] = set;
    }

    /** True if every set that has members has one among these. */
    boolean meets(long groups) {
        for (int i = 0; i < count; i++) {
            if (sets[i] != 0 && (sets[i] & groups) == 0) {
                return false;
            }
        }
        return true;
    }
}

package io.dmodc.routing.dmodc;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Column runs of one row with their candidate sets, of at most 64 groups, in the order they were found. Sets are
 * numbered as they come, so that others can note something for each without looking it up.
 */
final class SetRuns {
    private final Map<Long, Integer> numbers = new HashMap<>();
    private long[] sets = new long[64];

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
        Integer known = numbers.putIfAbsent(groups, numbers.size());
        if (known != null) {
            return known;
        }
        int number = numbers.size() - 1;
        if (number == sets.length) {
            sets = Arrays.copyOf(sets, 2 * number);
        }
        sets[number] = groups;
        return number;
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
        return numbers.size();
    }

    long groups(int number) {
        return sets[number];
    }
}

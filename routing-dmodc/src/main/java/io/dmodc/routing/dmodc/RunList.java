package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.PortPattern;
import java.util.Arrays;
import java.util.BitSet;

/** Column runs of one row, gathered in any order, put into it in ascending order. Runs do not overlap. */
final class RunList {
    private int[] from = new int[4];
    private int[] to = new int[4];
    private PortPattern[] patterns = new PortPattern[4];
    private int count;
    private boolean ascending = true;

    void add(int start, int end, PortPattern pattern) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            patterns = Arrays.copyOf(patterns, 2 * count);
        }
        ascending &= count == 0 || to[count - 1] <= start;
        from[count] = start;
        to[count] = end;
        patterns[count++] = pattern;
    }

    void addAll(RunList others) {
        for (int i = 0; i < others.count; i++) {
            add(others.from[i], others.to[i], others.patterns[i]);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** True if a column is in one of the runs, which are in ascending order. */
    boolean has(int column) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (to[middle] <= column) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < count && from[low] <= column;
    }

    /** What is left of the runs, in the same order, without some columns. */
    RunList without(BitSet columns) {
        RunList left = new RunList();
        for (int i = 0; i < count; i++) {
            int at = columns.nextClearBit(from[i]);
            while (at < to[i]) {
                int next = columns.nextSetBit(at);
                int end = next < 0 ? to[i] : Math.min(next, to[i]);
                left.add(at, end, patterns[i]);
                at = columns.nextClearBit(end);
            }
        }
        return left;
    }

    /** Ready to be put any number of times, from any thread. */
    RunList sorted() {
        RunList sorted = new RunList();
        if (ascending) {
            sorted.from = Arrays.copyOf(from, count);
            sorted.to = Arrays.copyOf(to, count);
            sorted.patterns = Arrays.copyOf(patterns, count);
            sorted.count = count;
        } else {
            long[] order = new long[count];
            Arrays.setAll(order, i -> (long) from[i] << 32 | i);
            Arrays.sort(order);
            for (long entry : order) {
                int i = (int) entry;
                sorted.add(from[i], to[i], patterns[i]);
            }
        }
        return sorted;
    }

    /** Puts the runs, which are in ascending order. */
    void putInto(LftRowBuilder row) {
        for (int i = 0; i < count; i++) {
            row.put(from[i], to[i], patterns[i]);
        }
    }
}

package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;

/**
 * Puts ports into a row for targets that share one list of candidate groups (equations (3) and (4)).
 *
 * <p>Columns of successive targets are joined into one run while they touch. Along a run the port changes every
 * {@code divider} columns to the next group, and every round of all groups to the next port of each group, so the run is
 * periodic in {@code divider × groups × lcm(group sizes)} columns: one period is written, the rest copied from it in
 * doubling steps. Divisions happen once a run, and once a step only in groups of several ports.
 */
final class RowWriter {
    private final FabricView view;
    private final Destinations destinations;
    private final int divider;
    private final byte[] row;

    private int[] groups = {};
    private int groupCount;
    private long period;
    private int from;
    private int to;

    RowWriter(FabricView view, Destinations destinations, int divider, byte[] row) {
        this.view = view;
        this.destinations = destinations;
        this.divider = divider;
        this.row = row;
    }

    /**
     * Sets the candidates C, ordered, for the targets added from now on. The array is read until {@link #flush}.
     */
    void use(int[] candidates, int count) {
        groups = candidates;
        groupCount = count;
        long rounds = 1;
        for (int i = 0; i < count && rounds < Integer.MAX_VALUE; i++) {
            int size = view.groupSize(candidates[i]);
            rounds = size == 1 ? rounds : leastCommonMultiple(rounds, size);
        }
        long choices = count * rounds;
        period = choices > Integer.MAX_VALUE ? Long.MAX_VALUE : divider * choices;
    }

    private static long leastCommonMultiple(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return a / x * b;
    }

    /** Routes all columns of a target. */
    void add(int target) {
        for (int r = destinations.runBase[target]; r < destinations.runBase[target + 1]; r++) {
            if (destinations.runFrom[r] != to) {
                flush();
                from = destinations.runFrom[r];
            }
            to = destinations.runTo[r];
        }
    }

    /** After {@link #add}: routes also all targets up to this one, each of which adjoins the one before. */
    void extend(int target) {
        to = destinations.runTo[destinations.runBase[target]];
    }

    /** Writes what is pending. */
    void flush() {
        if (from < to) {
            int written = (int) Math.min(to - from, period);
            writePeriod(from + written);
            for (int end = from + written; end < to; end += written, written *= 2) {
                System.arraycopy(row, from, row, end, Math.min(written, to - end));
            }
        }
        from = to;
    }

    private void writePeriod(int end) {
        int d = from + destinations.formulaOffset;
        int step = d / divider;
        int left = divider - d % divider;
        int i = step % groupCount;
        int round = step / groupCount;
        for (int at = from; at < end; left = divider) {
            byte port = port(groups[i], round);
            int stop = end - at <= left ? end : at + left;
            while (at < stop) {
                row[at++] = port;
            }
            if (++i == groupCount) {
                i = 0;
                round++;
            }
        }
    }

    private byte port(int group, int round) {
        int size = view.groupSize(group);
        return (byte) view.groupPort(group, size == 1 ? 0 : round % size);
    }
}

package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@value #COLUMNS} columns of a row as runs of patterns; the unit that rows share.
 *
 * <p>Run i ends before {@code ends[i]}, counted from the start of the span; the last one ends at {@value #COLUMNS} even
 * where the row is shorter. Patterns count absolute columns, so a span does not say where it is, and one serves all
 * rows and places. Immutable.
 */
final class RowSpan {
    /** Small enough to be made anew for one changed leaf, large enough that a row is a handful of references. */
    static final short COLUMNS = 1024;

    final short[] ends;
    final PortPattern[] patterns;
    private volatile long @Nullable [] entrySet;

    RowSpan(short[] ends, PortPattern[] patterns) {
        this.ends = ends;
        this.patterns = patterns;
    }

    /** The same up to a column, counted from the start of the span and not 0; no routes from there on. */
    @SuppressWarnings("ReferenceEquality") // runs are joined where they share a pattern
    RowSpan endedAt(int column) {
        int last = runAt(column - 1);
        if (patterns[last] == PortPattern.NO_ROUTE) {
            return last == 0 ? PortPattern.NO_ROUTE.wholeSpan() : ended(last, column);
        }
        return ended(last + 1, column);
    }

    /** The first runs, the last of them cut at a column, and one without routes. */
    private RowSpan ended(int runs, int column) {
        short[] newEnds = Arrays.copyOf(ends, runs + 1);
        PortPattern[] newPatterns = Arrays.copyOf(patterns, runs + 1);
        newEnds[runs - 1] = (short) Math.min(newEnds[runs - 1], column);
        newEnds[runs] = COLUMNS;
        newPatterns[runs] = PortPattern.NO_ROUTE;
        return new RowSpan(newEnds, newPatterns);
    }

    /** Run that a column, counted from the start of the span, is in. */
    int runAt(int column) {
        int low = 0;
        int high = ends.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (column < ends[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The entries its columns can have, as a set of 256 bits; read only. Made when asked for first, by several threads perhaps. */
    long[] entrySet() {
        long[] set = entrySet;
        if (set == null) {
            set = new long[4];
            for (PortPattern pattern : patterns) {
                for (byte port : pattern.ports()) {
                    set[(port & 0xff) >> 6] |= 1L << port;
                }
            }
            entrySet = set;
        }
        return set;
    }

    /** True if made of the same runs of the same pattern objects. */
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    boolean sameAs(RowSpan that) {
        if (this == that) {
            return true;
        }
        if (patterns.length != that.patterns.length || !Arrays.equals(ends, that.ends)) {
            return false;
        }
        for (int i = 0; i < patterns.length; i++) {
            if (patterns[i] != that.patterns[i]) {
                return false;
            }
        }
        return true;
    }
}

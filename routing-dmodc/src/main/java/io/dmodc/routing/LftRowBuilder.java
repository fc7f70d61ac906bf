package io.dmodc.routing;

import java.util.Arrays;

/**
 * Makes a row from another one and the runs in which it differs. Spans without a difference are shared.
 *
 * <p>One row at a time: {@link #begin}, {@link #put} in ascending order, {@link #build}. Not thread-safe; buffers are
 * kept from row to row.
 */
public final class LftRowBuilder {
    private static final LftRow NONE = LftRow.noRoutes(0);

    private LftRow base = NONE;
    private LftRow previous = NONE;

    /** Spans of the previous row that can be used: all, or those that were full if it was shorter. */
    private int previousSpans;

    private RowSpan[] spans = {};

    /** Span that is being written, or −1, its runs so far, and the column, in the span, they reach to. */
    private int open = -1;

    private final short[] ends = new short[RowSpan.COLUMNS];
    private final PortPattern[] patterns = new PortPattern[RowSpan.COLUMNS];
    private int runCount;
    private int at;

    /** Column that the last run put ends before. */
    private int written;

    /** Starts from {@code base}. */
    public void begin(LftRow base) {
        begin(base, base);
    }

    /**
     * Starts from {@code base}, in order to replace {@code previous}: where the result is what that one is, its parts
     * are used, so that what did not change can be told by reference. Of one that is shorter its full spans are.
     */
    public void begin(LftRow base, LftRow previous) {
        this.base = base;
        this.previous = previous.entryCount() <= base.entryCount() ? previous : base;
        previousSpans = this.previous.entryCount() == base.entryCount()
                ? base.spanCount()
                : this.previous.entryCount() / RowSpan.COLUMNS;
        spans = new RowSpan[base.spanCount()];
        for (int k = 0; k < spans.length; k++) {
            spans[k] = base.span(k);
        }
        open = -1;
        written = 0;
    }

    /**
     * Columns {@code from .. to − 1} follow the pattern.
     *
     * @throws IllegalArgumentException if {@code from} is below the last {@code to} or above this one, or {@code to}
     *     outside the row
     */
    public void put(int from, int to, PortPattern pattern) {
        if (from < written || to < from || to > base.entryCount()) {
            throw new IllegalArgumentException("columns from " + from + " to before " + to
                    + "; expected ascending numbers in " + written + ".." + base.entryCount());
        }
        written = to;
        int next = from;
        while (next < to) {
            int k = next / RowSpan.COLUMNS;
            int start = k * RowSpan.COLUMNS;
            int end = to == base.entryCount() ? RowSpan.COLUMNS : Math.min(to - start, RowSpan.COLUMNS);
            if (k != open) {
                close();
                open(k);
            }
            copyBase(next - start);
            append(end, pattern);
            next = start + end;
        }
    }

    private void open(int k) {
        open = k;
        runCount = 0;
        at = 0;
    }

    private void copyBase(int to) {
        RowSpan span = base.span(open);
        for (int i = at < to ? span.runAt(at) : 0; at < to; i++) {
            append(Math.min(span.ends[i], to), span.patterns[i]);
        }
    }

    @SuppressWarnings("ReferenceEquality") // runs are joined where they share a pattern
    private void append(int end, PortPattern pattern) {
        if (runCount > 0 && patterns[runCount - 1] == pattern) {
            ends[runCount - 1] = (short) end;
        } else {
            patterns[runCount] = pattern;
            ends[runCount++] = (short) end;
        }
        at = end;
    }

    private void close() {
        if (open >= 0) {
            copyBase(RowSpan.COLUMNS);
            RowSpan given = base.span(open);
            RowSpan old = open < previousSpans ? previous.span(open) : given;
            spans[open] = isWritten(old) ? old : isWritten(given) ? given : newSpan();
        }
    }

    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    private boolean isWritten(RowSpan span) {
        if (span.patterns.length != runCount) {
            return false;
        }
        for (int i = 0; i < runCount; i++) {
            if (span.ends[i] != ends[i] || span.patterns[i] != patterns[i]) {
                return false;
            }
        }
        return true;
    }

    private RowSpan newSpan() {
        return runCount == 1
                ? patterns[0].wholeSpan()
                : new RowSpan(Arrays.copyOf(ends, runCount), Arrays.copyOf(patterns, runCount));
    }

    /** The row; {@code previous} or {@code base} itself if nothing differs from it. */
    public LftRow build() {
        close();
        open = -1;
        LftRow row = new LftRow(base.entryCount(), spans);
        if (hasSpansOf(previous)) {
            return previous;
        }
        return hasSpansOf(base) ? base : row;
    }

    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    private boolean hasSpansOf(LftRow row) {
        if (row.entryCount() != base.entryCount()) {
            return false;
        }
        for (int k = 0; k < spans.length; k++) {
            if (spans[k] != row.span(k)) {
                return false;
            }
        }
        return true;
    }
}

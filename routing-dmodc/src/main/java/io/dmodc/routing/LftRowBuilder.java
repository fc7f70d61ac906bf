package io.dmodc.routing;

import org.jspecify.annotations.Nullable;

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

    /** What the previous row was made of by the same runs; null if it was made otherwise. */
    private @Nullable LftRow previousBase;

    /** Spans of the previous row that can be used: all, or those that were full if it was shorter. */
    private int previousSpans;

    private RowSpan[] spans = {};

    /** Spans that were written, as bits. */
    private long[] opened = {};

    /** Span that is being written, or −1, its runs so far, and the column, in the span, they reach to. */
    private int open = -1;

    /** True if it is what it is in the previous row, whatever is put. */
    private boolean known;

    private final SpanRuns runs = new SpanRuns();
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
        begin(base, previous, null);
    }

    /**
     * The same, where that is known to be made of another base.
     *
     * @param previousBase what {@code previous} was made of by the very runs that will be put, both as long as {@code
     *     base}: of spans that the bases share these runs make what they made before; null if it was made otherwise
     */
    public void begin(LftRow base, LftRow previous, @Nullable LftRow previousBase) {
        this.base = base;
        this.previousBase = previousBase;
        this.previous = previous.entryCount() <= base.entryCount() ? previous : base;
        previousSpans = this.previous.entryCount() == base.entryCount()
                ? base.spanCount()
                : this.previous.entryCount() / RowSpan.COLUMNS;
        spans = base.copyOfSpans();
        opened = new long[(spans.length + 63) / 64];
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
        put(from, to, pattern, null, 0);
    }

    /**
     * Columns {@code from .. to − 1} have some candidates.
     *
     * @param candidates by place, as bits; none of them: no route
     * @throws IllegalArgumentException as the other one
     */
    public void put(int from, int to, CandidatePorts ports, long candidates) {
        put(from, to, PortPattern.NO_ROUTE, ports, candidates);
    }

    private void put(int from, int to, PortPattern pattern, @Nullable CandidatePorts ports, long candidates) {
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
            if (!known) {
                copyBase(next - start);
                add(end, pattern, ports, candidates);
            }
            next = start + end;
        }
    }

    private void add(int end, PortPattern pattern, @Nullable CandidatePorts ports, long candidates) {
        if (ports == null) {
            runs.add(end, pattern);
        } else {
            runs.add(end, ports, candidates);
        }
        at = end;
    }

    private void open(int k) {
        open = k;
        known = previousBase != null && previousBase.sharesSpan(k, base);
        opened[k >> 6] |= 1L << k;
        runs.clear();
        at = 0;
    }

    private void copyBase(int to) {
        RowSpan span = base.span(open);
        for (int i = at < to ? span.runAt(at) : 0; at < to; i++) {
            at = Math.min(span.ends[i], to);
            runs.add(at, span, i);
        }
    }

    private void close() {
        if (open >= 0 && known) {
            spans[open] = previous.span(open);
        } else if (open >= 0) {
            copyBase(RowSpan.COLUMNS);
            runs.end();
            RowSpan given = base.span(open);
            RowSpan old = open < previousSpans ? previous.span(open) : given;
            spans[open] = runs.are(old) ? old : runs.are(given) ? given : runs.span();
        }
    }

    /** The row; {@code previous} or {@code base} itself if nothing differs from it. */
    public LftRow build() {
        close();
        open = -1;
        if (hasSpansOf(previous)) {
            return previous;
        }
        return hasSpansOf(base) ? base : base.replaced(spans, opened);
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

package io.dmodc.routing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a row from another one and the runs in which it differs. Spans without a difference are shared, and what a span has
 * in common with one that was made before, of this row or another.
 *
 * <p>One row at a time: {@link #begin}, {@link #put} in ascending order, {@link #build}. Not thread-safe; buffers are
 * kept from row to row.
 */
public final class LftRowBuilder {
    private static final LftRow NONE = LftRow.noRoutes(0);

    /** All are forgotten then: more than the rows of a large fabric have. */
    private static final int MADE_MAX = 1 << 18;

    private LftRow base = NONE;
    private LftRow previous = NONE;

    /** Spans of the previous row that can be used: all, or those that were full if it was shorter. */
    private int previousSpans;

    /** The last span made of runs that end alike and have the same sets, by their hash. */
    private final Map<Integer, RowSpan> made = new HashMap<>();

    /** Spans that were put something into, ascending, and what has become of them. */
    private int[] changedAt = new int[4];

    private RowSpan[] changed = new RowSpan[4];
    private int changedCount;

    /** Places of the last row that has spans of its own: those of the leaves beside it are mostly the same. */
    private int[] ownAt = {};

    /** Span that is being written, or −1, its runs so far, and the column, in the span, they reach to. */
    private int open = -1;

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
        this.base = base;
        this.previous = previous.entryCount() <= base.entryCount() ? previous : base;
        previousSpans = this.previous.entryCount() == base.entryCount()
                ? base.spanCount()
                : this.previous.entryCount() / RowSpan.COLUMNS;
        changedCount = 0;
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
        begin(from, to);
        for (int next = from; next < to; ) {
            int start = next - next % RowSpan.COLUMNS;
            int end = end(start, to);
            beginWriting(next);
            if (ports == null) {
                runs.add(end, pattern);
            } else {
                runs.add(end, ports, candidates);
            }
            at = end;
            next = start + end;
        }
    }

    /**
     * Columns {@code from .. to − 1} are as in another row: whole spans are shared with it, of others the sets of candidates.
     *
     * @param row with all these columns
     * @throws IllegalArgumentException as the other ones
     */
    public void put(int from, int to, LftRow row) {
        begin(from, to);
        for (int next = from; next < to; ) {
            int start = next - next % RowSpan.COLUMNS;
            int end = end(start, to);
            RowSpan span = row.span(next / RowSpan.COLUMNS);
            if (next == start && end == RowSpan.COLUMNS) {
                take(next / RowSpan.COLUMNS, span);
            } else {
                beginWriting(next);
                copy(span, end);
            }
            next = start + end;
        }
    }

    private void begin(int from, int to) {
        if (from < written || to < from || to > base.entryCount()) {
            throw new IllegalArgumentException("columns from " + from + " to before " + to
                    + "; expected ascending numbers in " + written + ".." + base.entryCount());
        }
        written = to;
    }

    /** Where columns up to {@code to} end in the span that begins at {@code start}: behind the last one of a row there are none. */
    private int end(int start, int to) {
        return to == base.entryCount() ? RowSpan.COLUMNS : Math.min(to - start, RowSpan.COLUMNS);
    }

    /** Opens the span of a column, and copies what is before it from the base. */
    private void beginWriting(int column) {
        int k = column / RowSpan.COLUMNS;
        if (k != open) {
            close();
            open = k;
            runs.clear();
            at = 0;
        }
        copy(base.span(k), column % RowSpan.COLUMNS);
    }

    /** A span as it is. */
    private void take(int k, RowSpan span) {
        close();
        change(k, span.sameAs(old(k)) ? old(k) : span.sameAs(base.span(k)) ? base.span(k) : span);
    }

    private void change(int k, RowSpan span) {
        if (changedCount == changed.length) {
            changedAt = Arrays.copyOf(changedAt, 2 * changedCount);
            changed = Arrays.copyOf(changed, 2 * changedCount);
        }
        changedAt[changedCount] = k;
        changed[changedCount++] = span;
    }

    /** Appends what a span has up to a column, counted from its start. */
    private void copy(RowSpan span, int to) {
        for (int i = at < to ? span.runAt(at) : 0; at < to; i++) {
            at = Math.min(span.ends[i], to);
            runs.add(at, span, i);
        }
    }

    private void close() {
        if (open >= 0) {
            RowSpan given = base.span(open);
            copy(given, RowSpan.COLUMNS);
            runs.end();
            RowSpan old = old(open);
            change(open, runs.are(old) ? old : runs.are(given) ? given : made(given));
            open = -1;
        }
    }

    private RowSpan old(int k) {
        return k < previousSpans ? previous.span(k) : base.span(k);
    }

    private RowSpan made(RowSpan given) {
        if (made.size() == MADE_MAX) {
            made.clear();
        }
        int hash = runs.hash();
        RowSpan span = runs.span(made.getOrDefault(hash, given));
        made.put(hash, span);
        return span;
    }

    /** The row; {@code previous} or {@code base} itself if nothing differs from it. */
    public LftRow build() {
        close();
        RowSpan[] spans = base.copyOfSpans();
        for (int i = 0; i < changedCount; i++) {
            spans[changedAt[i]] = changed[i];
        }
        return known(new LftRow(base.entryCount(), spans));
    }

    /**
     * The same row, sharing the base's list of spans where it differs in few of them: to be used where many rows are made of one
     * base, and put on the next by {@link LftRow#rebased}.
     */
    public LftRow buildOnBase() {
        close();
        if (!Arrays.equals(ownAt, 0, ownAt.length, changedAt, 0, changedCount)) {
            ownAt = Arrays.copyOf(changedAt, changedCount);
        }
        return known(base.withOwn(ownAt, Arrays.copyOf(changed, changedCount)));
    }

    private LftRow known(LftRow row) {
        return previous != base && row.hasSpansOf(previous) ? previous : isBase() ? base : row;
    }

    private boolean isBase() {
        boolean is = true;
        for (int i = 0; is && i < changedCount; i++) {
            is = !isOther(i);
        }
        return is;
    }

    private boolean isOther(int i) {
        return !changed[i].isVery(base.span(changedAt[i]));
    }

    /** The spans, as bits, of the row built last that are not the very same part in its base. */
    public long[] otherSpans() {
        long[] others = new long[(base.spanCount() + 63) / 64];
        for (int i = 0; i < changedCount; i++) {
            others[changedAt[i] >> 6] |= isOther(i) ? 1L << changedAt[i] : 0;
        }
        return others;
    }
}

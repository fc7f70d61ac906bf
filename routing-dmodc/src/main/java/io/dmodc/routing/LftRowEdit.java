package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a row entry by entry, in any order, from another one: spans in which nothing differs are shared with that, others are literal.
 *
 * <p>One row at a time: {@link #begin}, put, {@link #build}. Not thread-safe; buffers are kept from row to row.
 */
public final class LftRowEdit {
    private LftRow base;

    /** By span, its entries where they are {@link #written}: else it is as in the base. */
    private byte[] @Nullable [] buffers;

    private boolean[] written;

    /** Starts from a row. */
    public LftRowEdit(LftRow base) {
        this.base = base;
        buffers = new byte[base.spanCount()][];
        written = new boolean[buffers.length];
    }

    /** Starts again, from a row of as many entries. What was put and not built is forgotten. */
    public void begin(LftRow next) {
        if (next.entryCount() != base.entryCount()) {
            throw new IllegalArgumentException(
                    "a row of " + next.entryCount() + " entries; expected " + base.entryCount());
        }
        base = next;
        Arrays.fill(written, false);
    }

    /** Sets an entry of the row. */
    public void put(int column, int port) {
        int k = column / RowSpan.COLUMNS;
        if (written[k] || base.port(column) != port) {
            span(k)[column % RowSpan.COLUMNS] = (byte) port;
        }
    }

    /**
     * Sets {@code count} entries from a column on.
     *
     * @param entries the first of them is at {@code at}; copied
     */
    public void put(int column, byte[] entries, int at, int count) {
        for (int done = 0; done < count; ) {
            int first = (column + done) % RowSpan.COLUMNS;
            int here = Math.min(count - done, RowSpan.COLUMNS - first);
            putInSpan(column + done, entries, at + done, here);
            done += here;
        }
    }

    private void putInSpan(int column, byte[] entries, int at, int count) {
        int k = column / RowSpan.COLUMNS;
        if (written[k] || !base.has(column, entries, at, count)) {
            System.arraycopy(entries, at, span(k), column % RowSpan.COLUMNS, count);
        }
    }

    /** Entries of a span, to be written to. */
    private byte[] span(int k) {
        byte[] entries = buffers[k];
        if (entries == null) {
            entries = new byte[RowSpan.COLUMNS];
            buffers[k] = entries;
        }
        if (!written[k]) {
            base.copyTo(k * RowSpan.COLUMNS, end(k), entries, 0);
            written[k] = true;
        }
        return entries;
    }

    /** Column that a span ends before. */
    private int end(int k) {
        return Math.min(base.entryCount(), (k + 1) * RowSpan.COLUMNS);
    }

    /** The row; the base itself if nothing was put that differs. */
    public LftRow build() {
        return build(base);
    }

    /**
     * The same.
     *
     * @param like a row of as many entries: where it has the same as was written, its parts are shared
     */
    public LftRow build(LftRow like) {
        RowSpan[] spans = null;
        for (int k = 0; k < written.length; k++) {
            byte[] entries = buffers[k];
            if (written[k] && entries != null) {
                spans = spans == null ? base.copyOfSpans() : spans;
                boolean same = like.has(k * RowSpan.COLUMNS, entries, 0, end(k) - k * RowSpan.COLUMNS);
                spans[k] = same ? like.span(k) : new PortPattern(1, 0, entries.clone()).wholeSpan();
            }
        }
        return spans == null ? base : new LftRow(base.entryCount(), spans);
    }
}

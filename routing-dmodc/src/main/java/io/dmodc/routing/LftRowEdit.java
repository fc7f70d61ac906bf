package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a row entry by entry, in any order, from another one: spans in which nothing differs are shared with that, others are literal. For one
 * row and one thread.
 */
public final class LftRowEdit {
    private final LftRow base;

    /** By span, its entries; null while it is as in the base. */
    private final byte[] @Nullable [] written;

    /** Starts from a row. */
    public LftRowEdit(LftRow base) {
        this.base = base;
        written = new byte[base.spanCount()][];
    }

    /** Sets an entry of the row. */
    public void put(int column, int port) {
        int k = column / RowSpan.COLUMNS;
        byte[] entries = written[k];
        if (entries == null) {
            if (base.port(column) == port) {
                return;
            }
            entries = new byte[RowSpan.COLUMNS];
            int from = k * RowSpan.COLUMNS;
            base.copyTo(from, Math.min(base.entryCount(), from + RowSpan.COLUMNS), entries, 0);
            written[k] = entries;
        }
        entries[column % RowSpan.COLUMNS] = (byte) port;
    }

    /** The row; the base itself if nothing was put that differs. Ends the edit. */
    public LftRow build() {
        if (Arrays.stream(written).allMatch(entries -> entries == null)) {
            return base;
        }
        RowSpan[] spans = new RowSpan[written.length];
        for (int k = 0; k < spans.length; k++) {
            byte[] entries = written[k];
            spans[k] = entries == null ? base.span(k) : new PortPattern(1, 0, entries).wholeSpan();
        }
        return new LftRow(base.entryCount(), spans);
    }
}

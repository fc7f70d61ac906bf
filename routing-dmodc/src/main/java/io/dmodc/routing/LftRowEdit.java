package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a row entry by entry, in any order: from another one, with which it shares the spans in which nothing differs, or from nothing. What is
 * written is literal. For one row and one thread.
 */
public final class LftRowEdit {
    private final int entryCount;

    /** Null: a row without any route. */
    private final @Nullable LftRow base;

    /** By span, its entries; null while it is as in the base. */
    private final byte[] @Nullable [] written;

    /** Starts from a row. */
    public LftRowEdit(LftRow base) {
        this.entryCount = base.entryCount();
        this.base = base;
        written = new byte[base.spanCount()][];
    }

    /** Starts from a row of so many entries, without any route. */
    public LftRowEdit(int entryCount) {
        this.entryCount = entryCount;
        base = null;
        written = new byte[(entryCount + RowSpan.COLUMNS - 1) / RowSpan.COLUMNS][RowSpan.COLUMNS];
        for (byte[] entries : written) {
            Arrays.fill(entries, (byte) LftSet.NO_ROUTE);
        }
    }

    /** Sets an entry of the row. */
    public void put(int column, int port) {
        int k = column / RowSpan.COLUMNS;
        byte[] entries = written[k];
        if (entries == null) {
            if (base == null || base.port(column) == port) {
                return;
            }
            entries = new byte[RowSpan.COLUMNS];
            int from = k * RowSpan.COLUMNS;
            base.copyTo(from, Math.min(entryCount, from + RowSpan.COLUMNS), entries, 0);
            written[k] = entries;
        }
        entries[column % RowSpan.COLUMNS] = (byte) port;
    }

    /** The row; the one it was begun with if nothing differs. Ends the edit. */
    public LftRow build() {
        RowSpan[] spans = new RowSpan[written.length];
        boolean differs = base == null;
        for (int k = 0; k < spans.length; k++) {
            byte[] entries = written[k];
            if (entries != null) {
                spans[k] = new PortPattern(1, 0, entries).wholeSpan();
                differs = true;
            } else if (base != null) {
                spans[k] = base.span(k);
            }
        }
        return differs || base == null ? new LftRow(entryCount, spans) : base;
    }
}

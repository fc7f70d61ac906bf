package io.dmodc.routing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The entries that rows have in one span of columns, written out when they are asked for: rows that share the span share
 * the array. For one thread; used again for span after span. Memory: {@link LftRow#SPAN_COLUMNS} bytes for each unlike
 * part asked for in the span at hand, a reference a switch.
 */
public final class SpanEntries {
    private final LftSet tables;
    private final byte[][] written;
    private final Map<Object, byte[]> bySpan = new HashMap<>();
    private int span;

    /** Nothing is to be asked before {@link #begin}. */
    public SpanEntries(LftSet tables) {
        this.tables = tables;
        written = new byte[tables.switchCount()][];
    }

    /** How many spans the tables have. */
    public static int spanCount(LftSet tables) {
        return (tables.entryCount() + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
    }

    /** From now on the columns {@code span * SPAN_COLUMNS} and following are asked for. */
    public void begin(int newSpan) {
        span = newSpan;
        Arrays.fill(written, null);
        bySpan.clear();
    }

    /**
     * Entries of switch {@code s}, by column from the first one of the span: read only. Behind the last column of the
     * tables they mean nothing.
     */
    public byte[] of(int s) {
        byte[] entries = written[s];
        if (entries == null) {
            entries = bySpan.computeIfAbsent(tables.row(s).span(span).key(), key -> write(tables.row(s)));
            written[s] = entries;
        }
        return entries;
    }

    private byte[] write(LftRow row) {
        byte[] entries = new byte[LftRow.SPAN_COLUMNS];
        int from = span * LftRow.SPAN_COLUMNS;
        row.copyTo(from, Math.min(tables.entryCount(), from + LftRow.SPAN_COLUMNS), entries, 0);
        return entries;
    }
}

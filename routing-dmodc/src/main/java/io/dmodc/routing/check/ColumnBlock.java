package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;

/**
 * Some columns copied out of tables, column by column, so that following packets costs a load a hop.
 *
 * <p>At most {@link #COLUMNS_MAX} columns of one byte a switch.
 */
final class ColumnBlock {
    static final int COLUMNS_MAX = 64;

    /** Columns further apart than this are read one by one. */
    private static final int WINDOW = 4 * COLUMNS_MAX;

    private final byte[][] entries;

    /** Reads {@code columns[from .. to − 1]}. */
    ColumnBlock(LftSet tables, int[] columns, int from, int to) {
        entries = new byte[to - from][tables.switchCount()];
        int first = Integer.MAX_VALUE;
        int last = -1;
        for (int i = from; i < to; i++) {
            first = Math.min(first, columns[i]);
            last = Math.max(last, columns[i]);
        }
        byte[] window = new byte[WINDOW];
        for (int s = 0; s < tables.switchCount(); s++) {
            if (last - first < WINDOW) {
                tables.row(s).copyTo(first, last + 1, window, 0);
            }
            for (int i = from; i < to; i++) {
                boolean near = last - first < WINDOW;
                entries[i - from][s] = near ? window[columns[i] - first] : (byte) tables.port(s, columns[i]);
            }
        }
    }

    /** Pieces so many columns make. */
    static int count(int columns) {
        return (columns + COLUMNS_MAX - 1) / COLUMNS_MAX;
    }

    /** By switch, the entries of the i-th column read; unsigned. */
    byte[] column(int i) {
        return entries[i];
    }
}

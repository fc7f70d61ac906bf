package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import java.util.Arrays;

/**
 * What switches may have and are to have for one column, and then for the next: rows are written out for {@value #BLOCK} columns at a time, as
 * to look up each entry by itself takes a third of a plan. Not thread-safe.
 */
final class ColumnEntries {
    private static final int BLOCK = 64;

    /** By entry, that one alone; read only. */
    private static final int[][] ALONE = new int[256][];

    static {
        Arrays.setAll(ALONE, port -> new int[] {port});
    }

    private final RowsInForce inForce;
    private final LftSet tables;

    /** By switch and column of the block, the entry of the row that it surely has. */
    private final byte[] held;

    /** By switch and column of the block, the entry it is to have. */
    private final byte[] now;

    private int block = -1;
    private int column;

    ColumnEntries(RowsInForce inForce, LftSet tables) {
        this.inForce = inForce;
        this.tables = tables;
        held = new byte[inForce.switchCount() * BLOCK];
        now = new byte[held.length];
    }

    /** All that is asked is of this column from now on. */
    void turnTo(int d) {
        column = d;
        if (d / BLOCK != block) {
            block = d / BLOCK;
            int to = Math.min((block + 1) * BLOCK, tables.entryCount());
            for (int s = 0; s < inForce.switchCount(); s++) {
                tables.row(s).copyTo(block * BLOCK, to, now, s * BLOCK);
                LftRow only = inForce.only(s);
                if (only != null) {
                    only.copyTo(block * BLOCK, to, held, s * BLOCK);
                }
            }
        }
    }

    /** What the switch is to have. */
    int now(int s) {
        return now[s * BLOCK + column % BLOCK] & 0xff;
    }

    /** The same alone: read only. */
    int[] nowAlone(int s) {
        return ALONE[now(s)];
    }

    /** What the switch may have, each once; no route where nothing is known of it. Read only. */
    int[] held(int s) {
        if (inForce.only(s) != null) {
            return ALONE[held[s * BLOCK + column % BLOCK] & 0xff];
        }
        LftRow[] rows = inForce.of(s);
        return rows.length == 0
                ? ALONE[LftSet.NO_ROUTE]
                : Arrays.stream(rows)
                        .mapToInt(row -> row.port(column))
                        .distinct()
                        .toArray();
    }

    /** True if some entry that the switch may have is not the one it is to have, or nothing is known of it. */
    boolean mayDiffer(int s) {
        boolean differs = inForce.isUnknown(s);
        for (int port : held(s)) {
            differs |= port != now(s);
        }
        return differs;
    }

    /** True if the switch goes on with what it has, whatever the tables say. */
    boolean isUntold(int s) {
        return inForce.isUntold(s);
    }

    /** True if some switch does. */
    boolean anyUntold() {
        return inForce.anyUntold();
    }
}

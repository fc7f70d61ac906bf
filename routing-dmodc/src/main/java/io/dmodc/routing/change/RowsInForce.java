package io.dmodc.routing.change;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows by which each switch may forward at present, as far as anybody knows: one that it acknowledged, several while it is not known
 * whether a push was taken, none if it may hold anything. Those that cannot be told anything go on as they do, whichever that is. Where tables
 * are loaded in batches, a switch is given few. Immutable.
 */
public final class RowsInForce {
    private final int entryCount;
    private final LftRow[][] rows;

    /** By switch, the one row it can have; null if there are several, or none. Beside {@link #rows}, as most are compared and not read. */
    private final @Nullable LftRow[] only;

    /** Switches that cannot be told anything. */
    private final BitSet untold;

    /** Switches whose tables are loaded in batches, of which each costs as much as a whole one. */
    private final BitSet batched;

    private RowsInForce(int entryCount, LftRow[][] rows, BitSet untold, BitSet batched) {
        this.entryCount = entryCount;
        this.rows = rows;
        this.untold = untold;
        this.batched = batched;
        only = new LftRow[rows.length];
        for (int s = 0; s < rows.length; s++) {
            only[s] = rows[s].length == 1 ? rows[s][0] : null;
        }
    }

    /** Every switch forwards by its row of these tables. */
    public static RowsInForce of(LftSet tables) {
        LftRow[][] rows = new LftRow[tables.switchCount()][];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = new LftRow[] {tables.row(s)};
        }
        return new RowsInForce(tables.entryCount(), rows, new BitSet(), new BitSet());
    }

    /** The same where every switch can be told what to hold. */
    public static RowsInForce of(int entryCount, List<List<LftRow>> possible) {
        return of(entryCount, possible, new BitSet());
    }

    /**
     * @param entryCount entries of the tables that follow
     * @param possible by switch the rows it may have, of any length; an empty list if nothing is known
     * @param untold switches that cannot be told anything
     */
    public static RowsInForce of(int entryCount, List<List<LftRow>> possible, BitSet untold) {
        LftRow[][] rows = new LftRow[possible.size()][];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = LftRow.distinct(possible.get(s), entryCount);
        }
        return new RowsInForce(entryCount, rows, (BitSet) untold.clone(), new BitSet());
    }

    /** The same, where the tables of these switches are loaded in batches: how often costs more than how many. */
    public RowsInForce withBatched(BitSet switches) {
        return new RowsInForce(entryCount, rows, untold, (BitSet) switches.clone());
    }

    /** The same, but nothing is known of these switches. */
    RowsInForce without(BitSet switches) {
        if (switches.isEmpty()) {
            return this;
        }
        LftRow[][] known = rows.clone();
        switches.stream().forEach(s -> known[s] = new LftRow[0]);
        return new RowsInForce(entryCount, known, untold, batched);
    }

    public int switchCount() {
        return rows.length;
    }

    public int entryCount() {
        return entryCount;
    }

    /** The array itself: read only. */
    LftRow[] of(int s) {
        return rows[s];
    }

    /** True if the switch may have any row. */
    public boolean isUnknown(int s) {
        return only[s] == null && rows[s].length == 0;
    }

    /** Returns the row a switch surely has; null if it may have one of several, or any. */
    @Nullable
    LftRow only(int s) {
        return only[s];
    }

    /** True if the switch goes on with what it has, whatever the tables say. */
    boolean isUntold(int s) {
        return untold.get(s);
    }

    /** The set itself: read only. */
    BitSet batched() {
        return batched;
    }

    /** True if some switch cannot be told anything. */
    boolean anyUntold() {
        return !untold.isEmpty();
    }

    /** True if some of these switches cannot be told anything. */
    boolean anyUntold(BitSet of) {
        return untold.intersects(of);
    }

    /** These tables, with what switches have that cannot be told anything: one of several rows, nothing if none is known. */
    LftSet withUntold(LftSet tables) {
        if (untold.isEmpty()) {
            return tables;
        }
        LftRow[] all = new LftRow[rows.length];
        for (int s = 0; s < all.length; s++) {
            all[s] = !untold.get(s) ? tables.row(s) : rows[s].length > 0 ? rows[s][0] : LftRow.noRoutes(entryCount);
        }
        return new LftSet(tables.epoch(), entryCount, all);
    }

    /** True if some row that the switch may have is not made of the same parts as this one, or none is known. */
    boolean mayDiffer(int s, LftRow row) {
        for (LftRow held : rows[s]) {
            if (!held.sameParts(row)) {
                return true;
            }
        }
        return rows[s].length == 0;
    }

    /** Adds the columns in which the switch may have an entry that leads somewhere and is not that of this row. */
    void addOthers(int s, LftRow row, BitSet columns) {
        byte[] should = null;
        byte[] has = new byte[LftRow.SPAN_COLUMNS];
        for (LftRow held : rows[s]) {
            for (int from = 0, k = 0; from < entryCount; from += LftRow.SPAN_COLUMNS, k++) {
                if (!held.sharesSpan(k, row)) {
                    should = should == null ? row.toBytes() : should;
                    int to = Math.min(entryCount, from + LftRow.SPAN_COLUMNS);
                    held.copyTo(from, to, has, 0);
                    for (int d = from; d < to; d++) {
                        if (has[d - from] != should[d] && (has[d - from] & 0xff) != LftSet.NO_ROUTE) {
                            columns.set(d);
                        }
                    }
                }
            }
        }
    }

    /** Adds the columns in which the switch may have another entry than that of this row; all of them if nothing is known. */
    void addChanging(int s, LftRow row, BitSet columns) {
        if (rows[s].length == 0) {
            columns.set(0, entryCount);
        }
        byte[] should = row.toBytes();
        for (LftRow held : rows[s]) {
            byte[] has = held.toBytes();
            for (int d = mismatch(has, should, 0); d >= 0; d = mismatch(has, should, d + 1)) {
                columns.set(d);
            }
        }
    }

    private static int mismatch(byte[] one, byte[] other, int from) {
        int equal = Arrays.mismatch(one, from, one.length, other, from, other.length);
        return equal < 0 ? -1 : from + equal;
    }

    /** Entries of the row that the switch may have otherwise; all of them if nothing is known. */
    long differingEntries(int s, LftRow row) {
        if (rows[s].length == 0) {
            return entryCount;
        }
        long count = 0;
        byte[] should = null;
        for (int from = 0, k = 0; from < entryCount; from += LftRow.SPAN_COLUMNS, k++) {
            if (!sharesSpan(s, row, k)) {
                should = should == null ? row.toBytes() : should;
                count += differing(s, should, from, Math.min(entryCount, from + LftRow.SPAN_COLUMNS));
            }
        }
        return count;
    }

    /** Blocks of the row in which the switch may have another entry; all of them if nothing is known. */
    int differingBlocks(int s, LftRow row) {
        if (rows[s].length == 0) {
            return LftDelta.blockCount(entryCount);
        }
        if (rows[s].length == 1) {
            return LftDelta.changedBlocks(rows[s][0], row).length;
        }
        BitSet blocks = new BitSet();
        for (LftRow held : rows[s]) {
            for (int block : LftDelta.changedBlocks(held, row)) {
                blocks.set(block);
            }
        }
        return blocks.cardinality();
    }

    private boolean sharesSpan(int s, LftRow row, int k) {
        for (LftRow held : rows[s]) {
            if (!held.sharesSpan(k, row)) {
                return false;
            }
        }
        return true;
    }

    private long differing(int s, byte[] should, int from, int to) {
        BitSet differing = new BitSet();
        byte[] has = new byte[to - from];
        for (LftRow held : rows[s]) {
            held.copyTo(from, to, has, 0);
            for (int i = 0; i < has.length; i++) {
                if (has[i] != should[from + i]) {
                    differing.set(i);
                }
            }
        }
        return differing.cardinality();
    }
}

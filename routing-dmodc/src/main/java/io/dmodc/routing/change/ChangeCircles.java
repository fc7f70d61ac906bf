package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.check.ChannelUnion;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Looks for circles of channels in all that packets of all columns may do during a change, those on their way included: as long as a packet is about, each
 * switch may forward it by any entry that it may have then.
 *
 * <p>All columns are read, or only some: then the others count with all that packets can do which climb and then descend, which finds circles that there are not.
 *
 * <p>O(columns × switches × entries of each) time; {@value #BLOCK} columns of all switches are copied out of the rows at a time.
 */
final class ChangeCircles {
    /** Which entries of a column count. */
    enum Part {
        /** Those in force, and the new ones. */
        ALL,
        /** The same, but it is known that no packet turns. */
        WITHOUT_TURNS,
        IN_FORCE,
        NEW
    }

    private static final int BLOCK = 64;

    private final FabricView works;
    private final RowsInForce inForce;
    private final LftSet tables;

    /** How many rows a switch may have at most. */
    private final int most;

    /** By place of the row among those of a switch, column of the block and switch. */
    private final byte[][][] held;

    /** By column of the block and switch. */
    private final byte[][] next;

    ChangeCircles(FabricView works, RowsInForce inForce, LftSet tables) {
        this.works = works;
        this.inForce = inForce;
        this.tables = tables;
        int rows = 1;
        for (int s = 0; s < works.switchCount(); s++) {
            rows = Math.max(rows, inForce.of(s).length);
        }
        most = rows;
        held = new byte[most][BLOCK][works.switchCount()];
        next = new byte[BLOCK][works.switchCount()];
    }

    /**
     * A circle, for people; empty if there is none.
     *
     * @param columns that are read; packets of the others are known to climb, then to descend, and may go any such way
     */
    String find(BitSet columns, IntFunction<Part> parts) {
        ChannelUnion union = new ChannelUnion(works);
        if (columns.cardinality() < tables.entryCount()) {
            union.addAllClimbs();
        }
        for (int base = 0; base < tables.entryCount(); base += BLOCK) {
            int count = Math.min(BLOCK, tables.entryCount() - base);
            int first = columns.nextSetBit(base);
            if (first >= 0 && first < base + count) {
                read(base, count);
            }
            for (int d = first; d >= 0 && d < base + count; d = columns.nextSetBit(d + 1)) {
                add(parts.apply(d), d - base, union);
            }
        }
        return union.circle();
    }

    private void read(int base, int count) {
        byte[] window = new byte[BLOCK];
        for (int s = 0; s < works.switchCount(); s++) {
            tables.row(s).copyTo(base, base + count, window, 0);
            put(window, next, s, count);
            LftRow[] rows = inForce.of(s);
            for (int i = 0; i < most; i++) {
                if (rows.length == 0) {
                    Arrays.fill(window, (byte) LftSet.NO_ROUTE);
                } else if (i < rows.length) {
                    rows[i].copyTo(base, base + count, window, 0);
                }
                put(window, held[i], s, count);
            }
        }
    }

    private static void put(byte[] window, byte[][] into, int s, int count) {
        for (int c = 0; c < count; c++) {
            into[c][s] = window[c];
        }
    }

    private void add(Part part, int c, ChannelUnion union) {
        byte[][] before = new byte[most][];
        byte[][] after = new byte[most][];
        for (int i = 0; i < most; i++) {
            before[i] = held[i][c];
            after[i] = settled(i, c);
        }
        byte[][] all = Arrays.copyOf(before, most + 1);
        all[most] = next[c];
        switch (part) {
            case ALL -> union.add(true, all);
            case WITHOUT_TURNS -> union.add(false, all);
            case IN_FORCE -> union.add(true, before);
            case NEW -> union.add(true, after);
        }
    }

    /** What switches have at last; those that cannot be told anything, what they may have. */
    private byte[] settled(int i, int c) {
        if (!inForce.anyUntold()) {
            return next[c];
        }
        byte[] settled = next[c].clone();
        for (int s = 0; s < settled.length; s++) {
            settled[s] = inForce.isUntold(s) ? held[i][c][s] : settled[s];
        }
        return settled;
    }
}

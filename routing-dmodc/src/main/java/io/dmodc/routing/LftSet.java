package io.dmodc.routing;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * The linear forwarding tables of all switches of one view: destination index → output port.
 *
 * <p>Rows are switch indices of the view, one {@link LftRow} each; columns are node indices, or switch indices for
 * tables that route to switches. Entries are unsigned: 1..254 a port, 0 the switch itself, {@link #NO_ROUTE}. A row may
 * be shared by reference between switches and between epochs. Immutable.
 */
public final class LftSet implements Tables {
    /** No route: packets for this destination are dropped. */
    public static final int NO_ROUTE = 255;

    /** Switches a thread takes at a time: the rows of a pod are beside each other. */
    private static final int PIECE = 32;

    private final long epoch;
    private final int entryCount;
    private final LftRow[] rows;

    /** Takes the rows over without copying; each must have {@code entryCount} entries. */
    public LftSet(long epoch, int entryCount, LftRow[] rows) {
        for (int s = 0; s < rows.length; s++) {
            if (rows[s].entryCount() != entryCount) {
                throw new IllegalArgumentException(
                        "row " + s + " has " + rows[s].entryCount() + " entries, expected " + entryCount);
            }
        }
        this.epoch = epoch;
        this.entryCount = entryCount;
        this.rows = rows;
    }

    /** Tables of any entries; copied. Each row must have {@code entryCount} of them. */
    public LftSet(long epoch, int entryCount, byte[][] rows) {
        this(epoch, entryCount, rowsOf(rows));
    }

    private static LftRow[] rowsOf(byte[][] entries) {
        LftRow[] rows = new LftRow[entries.length];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = LftRow.of(entries[s]);
        }
        return rows;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public int switchCount() {
        return rows.length;
    }

    @Override
    public int entryCount() {
        return entryCount;
    }

    /**
     * Returns these tables if they route to the nodes of a view.
     *
     * @throws IllegalArgumentException if they have not one row per switch and one column per node of it
     */
    public LftSet requireNodesOf(FabricView view) {
        if (switchCount() != view.switchCount() || entryCount != view.nodeCount()) {
            throw new IllegalArgumentException("tables of " + switchCount() + " switches x " + entryCount
                    + " nodes; expected " + view.switchCount() + " x " + view.nodeCount());
        }
        return this;
    }

    /** Output port at switch {@code s} for destination {@code d}. */
    public int port(int s, int d) {
        return rows[s].port(d);
    }

    @Override
    public LftRow row(int s) {
        return rows[s];
    }

    /**
     * Writes the entries of switch {@code s} to the start of {@code into}.
     *
     * @param into at least {@link #entryCount} long
     */
    public void copyRow(int s, byte[] into) {
        rows[s].copyTo(into);
    }

    /**
     * Writes the entries of some switches, each to the start of a buffer of its own. What switches beside each other share, as
     * leaves of a pod do all but the columns of their own hosts, is found once and copied.
     *
     * @param into by switch, each at least {@link #entryCount} long, no two the same
     */
    public void copyRows(int[] switches, byte[][] into, Parallel parallel) {
        int pieces = (switches.length + PIECE - 1) / PIECE;
        parallel.forEach(pieces, piece -> {
            int start = piece * PIECE;
            copyPiece(Arrays.copyOfRange(switches, start, Math.min(switches.length, start + PIECE)), into);
        });
    }

    /** @param left switches whose rows are still to be written; used up */
    private void copyPiece(int[] left, byte[][] into) {
        int[] alike = new int[left.length];
        for (int count = left.length; count > 0; ) {
            LftRow row = rows[left[0]];
            int alikeCount = 0;
            int others = 0;
            for (int i = 0; i < count; i++) {
                int s = left[i];
                if (row.sharesList(rows[s])) {
                    alike[alikeCount++] = s;
                } else {
                    left[others++] = s;
                }
            }
            copyAlike(alike, alikeCount, into);
            count = others;
        }
    }

    /** Rows that share a list: the first is written out, and copied to the others. */
    private void copyAlike(int[] alike, int count, byte[][] into) {
        LftRow row = rows[alike[0]];
        byte[] written = into[alike[0]];
        row.copyTo(written);
        for (int i = 1; i < count; i++) {
            System.arraycopy(written, 0, into[alike[i]], 0, entryCount);
            rows[alike[i]].copyOwn(row, into[alike[i]]);
        }
    }
}

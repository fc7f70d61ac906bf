package io.dmodc.routing;

/**
 * The linear forwarding tables of all switches of one view: destination index → output port.
 *
 * <p>Rows are switch indices of the view, one {@code byte[]} each; columns are node indices, or switch indices for
 * tables that route to switches. Entries are unsigned: 1..254 a port, 0 the switch itself, {@link #NO_ROUTE}. A row may
 * be shared by reference between switches and between epochs. Immutable by contract: nobody writes to a row once it is
 * in here.
 */
public final class LftSet {
    /** No route: packets for this destination are dropped. */
    public static final int NO_ROUTE = 255;

    private final long epoch;
    private final int entryCount;
    private final byte[][] rows;

    /** Takes the rows over without copying; each must have {@code entryCount} entries. */
    public LftSet(long epoch, int entryCount, byte[][] rows) {
        for (int s = 0; s < rows.length; s++) {
            if (rows[s].length != entryCount) {
                throw new IllegalArgumentException(
                        "row " + s + " has " + rows[s].length + " entries, expected " + entryCount);
            }
        }
        this.epoch = epoch;
        this.entryCount = entryCount;
        this.rows = rows;
    }

    public long epoch() {
        return epoch;
    }

    public int switchCount() {
        return rows.length;
    }

    public int entryCount() {
        return entryCount;
    }

    /** Output port at switch {@code s} for destination {@code d}. */
    public int port(int s, int d) {
        return rows[s][d] & 0xff;
    }

    /**
     * Writes the entries of switch {@code s} to the start of {@code into}.
     *
     * @param into at least {@link #entryCount} long
     */
    public void copyRow(int s, byte[] into) {
        System.arraycopy(rows[s], 0, into, 0, entryCount);
    }

    /** The row itself, not a copy: read only. */
    public byte[] row(int s) {
        return rows[s];
    }
}

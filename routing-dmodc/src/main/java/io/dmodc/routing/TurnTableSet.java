package io.dmodc.routing;

import java.util.List;

/**
 * The tables of all switches of a grid: (input class, destination index) → output port, and on which virtual channel a packet goes on
 * (VTFTR paper, sections 2.1 to 2.3).
 *
 * <p>Rows are switch indices of the view. The entries of a row, all of one byte:
 *
 * <ul>
 *   <li>{@code 0 .. 255}, input classes: entry p is the {@link #CLASS_HOST class} of what arrives by port p, {@link #NONE} where nothing is
 *       expected. Entry 0 is {@value #CLASSES}, entry 255 {@value #CHANNELS};
 *   <li>{@code 256 .. 319}, virtual channels: entry {@code 256 + 2 · class + vc} is the channel on which goes on what came by that
 *       class on that channel; {@link #NONE}: it may not go on to another switch, only to a host. {@link #NONE} from 262 on;
 *   <li>from {@value #HEADER} on, {@code HEADER + 3 · destination + class}: the output port, {@link #NONE} without a route.
 * </ul>
 *
 * <p>Destinations are node indices of the view, so a row grows at its end. Immutable.
 */
public final class TurnTableSet implements Tables {
    /** Input classes there are. */
    public static final int CLASSES = 3;

    /** Virtual channels there are. */
    public static final int CHANNELS = 2;

    /** From a host, at a leaf; from any leaf, at a root. */
    public static final int CLASS_HOST = 0;

    /** From a root of the leaf's row. */
    public static final int CLASS_ROW = 1;

    /** From a root of the leaf's column. */
    public static final int CLASS_COLUMN = 2;

    /** No port, no class, no channel. */
    public static final int NONE = LftSet.NO_ROUTE;

    /** Entry that the map of virtual channels begins at. */
    public static final int CHANNEL_MAP = 256;

    /** Entries before those of destination 0. */
    public static final int HEADER = 320;

    /** By which ports switches may send what their own entry's port does not carry. */
    @FunctionalInterface
    public interface Spares {
        /**
         * By destination index the ports of a switch by which packets get there, the entry's own among them; ascending, unsigned, none where
         * there are not two. Any thread.
         */
        byte[][] of(int s);
    }

    private final long epoch;
    private final int nodeCount;
    private final LftRow[] rows;
    private final Spares spares;
    private final List<String> notes;

    /** Tables without spares. */
    public TurnTableSet(long epoch, int nodeCount, LftRow[] rows) {
        this(epoch, nodeCount, rows, s -> new byte[nodeCount][0]);
    }

    /** @param rows taken over; each must have the length that {@code nodeCount} destinations take */
    public TurnTableSet(long epoch, int nodeCount, LftRow[] rows, Spares spares) {
        this(epoch, nodeCount, rows, spares, List.of());
    }

    private TurnTableSet(long epoch, int nodeCount, LftRow[] rows, Spares spares, List<String> notes) {
        for (int s = 0; s < rows.length; s++) {
            if (rows[s].entryCount() != entryCount(nodeCount)) {
                throw new IllegalArgumentException("row " + s + " has " + rows[s].entryCount() + " entries, expected "
                        + entryCount(nodeCount) + " for " + nodeCount + " destinations");
            }
        }
        this.epoch = epoch;
        this.nodeCount = nodeCount;
        this.rows = rows;
        this.spares = spares;
        this.notes = List.copyOf(notes);
    }

    /** The same tables, with other {@link #notes}. */
    public TurnTableSet noting(List<String> other) {
        return new TurnTableSet(epoch, nodeCount, rows, spares, other);
    }

    /** Entries of a row for so many destinations. */
    public static int entryCount(int nodeCount) {
        return HEADER + CLASSES * nodeCount;
    }

    /** Destinations of a row of so many entries. */
    public static int nodeCount(int entryCount) {
        return (entryCount - HEADER) / CLASSES;
    }

    /** Entry of a destination for what comes by a class. */
    public static int entry(int inputClass, int destination) {
        return HEADER + CLASSES * destination + inputClass;
    }

    /** True if a row says of itself that it is such a table: one of another kind would have to be like it by chance in dozens of entries. */
    public static boolean isTurnTable(LftRow row) {
        boolean like = row.entryCount() >= HEADER
                && (row.entryCount() - HEADER) % CLASSES == 0
                && row.port(0) == CLASSES
                && row.port(CHANNEL_MAP - 1) == CHANNELS;
        for (int i = CHANNEL_MAP + CLASSES * CHANNELS; like && i < HEADER; i++) {
            like = row.port(i) == NONE;
        }
        return like;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public int switchCount() {
        return rows.length;
    }

    public int nodeCount() {
        return nodeCount;
    }

    @Override
    public int entryCount() {
        return entryCount(nodeCount);
    }

    @Override
    public LftRow row(int s) {
        return rows[s];
    }

    /** By destination index, by which ports switch {@code s} may send besides: see {@link Spares}. */
    public byte[][] spares(int s) {
        return spares.of(s);
    }

    /** What is cabled otherwise than in a grid, a line each: such cables and switches are left out of the tables, or stand alone in them. */
    public List<String> notes() {
        return notes;
    }

    /** Class of what arrives at switch {@code s} by a port, or {@link #NONE}. */
    public int inputClass(int s, int port) {
        return rows[s].port(port);
    }

    /** Output port at switch {@code s}, or {@link #NONE}. */
    public int port(int s, int inputClass, int d) {
        return rows[s].port(entry(inputClass, d));
    }

    /** Channel on which switch {@code s} sends on, or {@link #NONE}. */
    public int channel(int s, int inputClass, int channel) {
        return rows[s].port(CHANNEL_MAP + CHANNELS * inputClass + channel);
    }
}

package io.dmodc.routing.rebalance;

import io.dmodc.routing.LftDelta;
import java.util.Arrays;
import java.util.BitSet;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Entries of one row that are moved, and the ports they are moved to: columns ascending, ports unsigned. Immutable. */
public final class RowMoves {
    private final int[] columns;
    private final byte[] ports;

    private RowMoves(int[] columns, byte[] ports) {
        this.columns = columns;
        this.ports = ports;
    }

    /** How many entries are moved; at least 1. */
    public int size() {
        return columns.length;
    }

    /** Node index of the i-th. */
    public int column(int i) {
        return columns[i];
    }

    /** Port that it is moved to, 1..254. */
    public int port(int i) {
        return ports[i] & 0xff;
    }

    /** Port that the entry of a column is moved to; −1 if it is not moved. */
    public int portOf(int column) {
        int i = Arrays.binarySearch(columns, column);
        return i < 0 ? -1 : port(i);
    }

    /** Blocks of {@link LftDelta#BLOCK} entries in which they are. */
    int blockCount() {
        return (int) Arrays.stream(columns)
                .map(column -> column / LftDelta.BLOCK)
                .distinct()
                .count();
    }

    /**
     * Some of them.
     *
     * @param which by their place here
     * @return {@code null} if that is none
     */
    @Nullable
    RowMoves only(BitSet which) {
        if (which.cardinality() == size()) {
            return this;
        }
        Builder some = new Builder();
        which.stream().forEach(i -> some.add(column(i), port(i)));
        return some.build();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof RowMoves that
                        && Arrays.equals(columns, that.columns)
                        && Arrays.equals(ports, that.ports));
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(columns) + Arrays.hashCode(ports);
    }

    /** {@code 12=3,13=5}: column and port of each. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        for (int i = 0; i < columns.length; i++) {
            text.add(columns[i] + "=" + port(i));
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException in a few words when it is not what {@link #toString} gives */
    public static RowMoves parse(String text) {
        Builder moves = new Builder();
        for (String move : text.split(",", -1)) {
            int equals = move.indexOf('=');
            try {
                moves.add(Integer.parseInt(move.substring(0, equals)), Integer.parseInt(move.substring(equals + 1)));
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new IllegalArgumentException("moved entry '" + move + "'; expected COLUMN=PORT", e);
            }
        }
        RowMoves made = moves.build();
        if (made == null) {
            throw new IllegalArgumentException("no moved entries; expected COLUMN=PORT,…");
        }
        return made;
    }

    /** Collects moves by ascending columns. */
    static final class Builder {
        private int[] columns = new int[8];
        private byte[] ports = new byte[8];
        private int count;

        /** @throws IllegalArgumentException in a few words when the column is not above the last one, or the port none */
        void add(int column, int port) {
            int least = count == 0 ? 0 : columns[count - 1] + 1;
            if (column < least || port < 1 || port > 254) {
                throw new IllegalArgumentException("moved entry " + column + "=" + port + "; expected a column from "
                        + least + " on, and a port in 1..254");
            }
            if (count == columns.length) {
                columns = Arrays.copyOf(columns, 2 * count);
                ports = Arrays.copyOf(ports, 2 * count);
            }
            columns[count] = column;
            ports[count++] = (byte) port;
        }

        @Nullable
        RowMoves build() {
            return count == 0 ? null : new RowMoves(Arrays.copyOf(columns, count), Arrays.copyOf(ports, count));
        }
    }
}

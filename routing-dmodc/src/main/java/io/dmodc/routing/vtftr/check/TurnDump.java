package io.dmodc.routing.vtftr.check;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Tables as they stand in a text of the form {@code vtftr 1}. Not changed once it is read.
 *
 * <p>A leaf is {@code row · columns + column}; letters are those of the text.
 */
public final class TurnDump {
    /** There is no entry in the map of virtual channels. */
    static final int DROP = -1;

    final int rows;
    final int columns;
    final BitSet faults = new BitSet();
    final BitSet bursts = new BitSet();
    final @Nullable String[] leaf;
    final @Nullable String[] leafFromRow;
    final @Nullable String[] leafFromColumn;
    final RootTables rowRoots = new RootTables();
    final RootTables columnRoots = new RootTables();
    private int vcCount = 1;
    private int[][][] vc = emptyVcMap(1);

    TurnDump(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        leaf = new String[rows * columns];
        leafFromRow = new String[rows * columns];
        leafFromColumn = new String[rows * columns];
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** Faults that the tables know. */
    public int faultCount() {
        return faults.cardinality();
    }

    int leafCount() {
        return rows * columns;
    }

    int vcCount() {
        return vcCount;
    }

    /** Forgets the map: it comes after the number of channels. */
    void setVcCount(int count) {
        vcCount = count;
        vc = emptyVcMap(count);
    }

    private static int[][][] emptyVcMap(int count) {
        int[][][] map = new int[3][count][2];
        for (int[][] from : map) {
            for (int[] to : from) {
                Arrays.fill(to, DROP);
            }
        }
        return map;
    }

    /**
     * @param from 0 a host, 1 a row, 2 a column
     * @return false if there is an entry already
     */
    boolean mapVc(int from, int channel, Axis to, int next) {
        boolean fresh = vc[from][channel][to.index()] == DROP;
        vc[from][channel][to.index()] = next;
        return fresh;
    }

    /** Channel that a packet leaves a leaf on, or {@link #DROP}. */
    int nextVc(int from, int channel, Axis to) {
        return channel < vcCount ? vc[from][channel][to.index()] : DROP;
    }

    /** What a leaf does with a packet, as a letter; {@code -} without a table. */
    char turn(int from, int at, int destination) {
        String table = from == 0 ? leaf[at] : from == 1 ? leafFromRow[at] : leafFromColumn[at];
        if (table != null) {
            return table.charAt(destination);
        }
        return from == 0 ? '-' : from == 1 ? 'Y' : 'X';
    }

    RootTables roots(Axis axis) {
        return axis == Axis.X ? rowRoots : columnRoots;
    }

    /** Each destination has root entries of its own, not each line of them. */
    boolean pairwise() {
        return rowRoots.namesLeaves() || columnRoots.namesLeaves();
    }

    boolean knownAlive(int r, int c) {
        return !faults.get(r * columns + c);
    }
}

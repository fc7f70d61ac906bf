package io.dmodc.routing.vtftr;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Tables of all switches of a grid. Immutable; tables of consecutive states share what is alike.
 *
 * <p>What the switches need (VTFTR paper, section 2.1):
 *
 * <ul>
 *   <li>a leaf its <b>injection</b> table: for each destination leaf a {@link Turn}. Held as one segment for each row of
 *       destinations, equal segments once;
 *   <li>a leaf its <b>transit</b> rule: what came by row goes on by column, what came by column goes on by row, unless it
 *       has arrived. No table;
 *   <li>a root for each destination a <b>primary</b> leaf of its line and a set of <b>spares</b>. Primary leaves are the
 *       live leaves of the line; spares are one set for all roots of a kind (paper), or one for each pair of lines
 *       (pairwise). Either leaves out the destination's own line;
 *   <li>the {@link VcMap}.
 * </ul>
 *
 * <p>A leaf also picks one of several roots, by a rule again: among those that are joined with the leaf to be reached, by
 * destination node, so that the nodes of a leaf spread over all of them.
 *
 * <p>Index spaces: rows, columns; {@code leaf = row · columns + column}; a leaf's hosts from 0 in the order of its nodes.
 * Memory: {@code rows² · columns} references and the segments themselves; entries of roots are
 * not held, they follow from the live leaves of two lines when they are asked for.
 */
public final class TurnTables {
    private final GridState state;
    private final SpareMode mode;
    private final Paths paths;
    final byte[][][] injection;

    /** @param injection per leaf and row of destinations one code for each column; taken over */
    TurnTables(GridState state, SpareMode mode, Paths paths, byte[][][] injection) {
        this.state = state;
        this.mode = mode;
        this.paths = paths;
        this.injection = injection;
    }

    public GridState state() {
        return state;
    }

    public SpareMode mode() {
        return mode;
    }

    Paths paths() {
        return paths;
    }

    /** What a leaf does with what its own hosts send to the hosts of another leaf. */
    public Turn injection(int leaf, int destination) {
        return Turn.of(injection[leaf][destination / state.columns()][destination % state.columns()]);
    }

    /** What a leaf does with a packet for a leaf. */
    public Turn turn(InputClass from, int leaf, int destination) {
        if (leaf == destination) {
            return state.alive(row(leaf), column(leaf)) ? Turn.DELIVER : Turn.NONE;
        }
        return switch (from) {
            case HOST -> injection(leaf, destination);
            case ROW -> Turn.COLUMN;
            case COLUMN -> Turn.ROW;
        };
    }

    /** Column that the roots of a row send to; −1 if they have to use a spare. */
    public int rowPrimary(int row, int destination) {
        return paths.rowPrimary(row, row(destination), column(destination));
    }

    /** Columns of the spares of a row's roots, dead cables not regarded: a root knows its own. A fresh set. */
    public BitSet rowSpares(int row, int destination) {
        return Bits.toBitSet(rowSparesOf(row, destination));
    }

    /** Row that the roots of a column send to; −1 if they have to use a spare. */
    public int columnPrimary(int column, int destination) {
        return paths.columnPrimary(column, row(destination), column(destination));
    }

    /** Rows of the spares of a column's roots, dead cables not regarded: a root knows its own. A fresh set. */
    public BitSet columnSpares(int column, int destination) {
        return Bits.toBitSet(columnSparesOf(column, destination));
    }

    /**
     * Which root of its row or column a leaf sends to.
     *
     * @param turn {@link Turn#ROW} or {@link Turn#COLUMN}, as {@link #turn} said
     * @param host of the destination leaf, from 0
     * @return number of the root in its line, or −1 if none leads on
     */
    public int root(int leaf, Turn turn, int destination, int host) {
        long[] roots = rootsOnward(leaf, turn, destination);
        int count = Bits.count(roots);
        return count == 0 ? -1 : Bits.nth(roots, (host + spread(turn, destination)) % count);
    }

    /**
     * The roots among which {@link #root} chooses, ascending: the i-th of n for the host i mod n, counted on by the column of
     * the destination for roots of a row, by its row for roots of a column.
     *
     * @param turn {@link Turn#ROW} or {@link Turn#COLUMN}
     * @return numbers of roots in their line; a fresh set
     */
    public BitSet roots(int leaf, Turn turn, int destination) {
        return Bits.toBitSet(rootsOnward(leaf, turn, destination));
    }

    /** What a destination's hosts are shifted by, so that leaves of a line do not all begin with the same root. */
    int spread(Turn turn, int destination) {
        return turn == Turn.ROW ? column(destination) : row(destination);
    }

    /** Not to be changed. */
    long[] rootsOnward(int leaf, Turn turn, int destination) {
        boolean byRow = turn == Turn.ROW;
        LineState line = byRow ? state.row(row(leaf)) : state.column(column(leaf));
        int from = byRow ? column(leaf) : row(leaf);
        int primary = byRow ? rowPrimary(row(leaf), destination) : columnPrimary(column(leaf), destination);
        long[] roots = line.roots(from);
        if (primary >= 0 && primary != from && Bits.meet(roots, line.roots(primary))) {
            return common(roots, line.roots(primary));
        }
        long[] spares = byRow ? rowSparesOf(row(leaf), destination) : columnSparesOf(column(leaf), destination);
        return rootsToSpares(line, from, spares);
    }

    /** The first of two sets itself, if the other has all of it. */
    private static long[] common(long[] a, long[] b) {
        return Bits.containsAll(b, a) ? a : Bits.and(a, b);
    }

    long[] rowSparesOf(int row, int destination) {
        return paths.rowSpares(row, row(destination), column(destination));
    }

    long[] columnSparesOf(int column, int destination) {
        return paths.columnSpares(column, row(destination), column(destination));
    }

    private static long[] rootsToSpares(LineState line, int from, long[] spares) {
        long[] own = line.roots(from);
        long[] roots = new long[own.length];
        for (int w = 0; w < spares.length; w++) {
            for (long left = spares[w]; left != 0; left &= left - 1) {
                int spare = (w << 6) + Long.numberOfTrailingZeros(left);
                if (spare != from) {
                    Bits.addAll(roots, line.roots(spare));
                }
                if (Bits.containsAll(roots, own)) {
                    return own;
                }
            }
        }
        return Bits.and(own, roots);
    }

    private int row(int leaf) {
        return leaf / state.columns();
    }

    private int column(int leaf) {
        return leaf % state.columns();
    }

    /** Leaves whose injection table differs from the one in other tables of the same grid. */
    public BitSet leavesChangedSince(TurnTables older) {
        BitSet changed = new BitSet();
        for (int leaf = 0; leaf < injection.length; leaf++) {
            changed.set(
                    leaf,
                    injection[leaf] != older.injection[leaf]
                            && !Arrays.deepEquals(injection[leaf], older.injection[leaf]));
        }
        return changed;
    }

    /** True if both hold the very same table of a leaf: nothing was made anew for it. */
    public boolean sharesLeaf(int leaf, TurnTables other) {
        return injection[leaf] == other.injection[leaf];
    }
}

package io.dmodc.routing.vtftr;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.BitSet;

/**
 * What works of a grid in one view: all that tables depend on. Immutable; states of one grid share the lines that are
 * alike.
 *
 * <p>Index spaces: rows and columns of the grid; a leaf is {@code row · columns + column}. A place without a leaf is a dead
 * leaf.
 */
public final class GridState {
    private final RecognisedGrid grid;
    private final LineState[] row;
    private final LineState[] column;
    private final boolean whole;

    private GridState(RecognisedGrid grid, LineState[] row, LineState[] column) {
        this.grid = grid;
        this.row = row;
        this.column = column;
        this.whole = whole(row) && whole(column);
    }

    private static boolean whole(LineState[] lines) {
        boolean whole = true;
        for (LineState line : lines) {
            whole &= line.whole();
        }
        return whole;
    }

    /**
     * Reads a view. O(links).
     *
     * @param grid recognised in this view or in an earlier one of the same switches
     * @throws IllegalArgumentException if the grid is empty or is not of as many switches
     */
    public static GridState of(RecognisedGrid grid, FabricView view) {
        if (grid.rows() == 0 || grid.switchCount() != view.switchCount()) {
            throw new IllegalArgumentException("a grid of " + grid.rows() + " rows and " + grid.switchCount()
                    + " switches does not describe a view of " + view.switchCount() + " switches");
        }
        LineState[] row = new LineState[grid.rows()];
        LineState[] column = new LineState[grid.columns()];
        for (int r = 0; r < row.length; r++) {
            int[] leaves = new int[column.length];
            for (int c = 0; c < leaves.length; c++) {
                leaves[c] = grid.leaf(r, c);
            }
            row[r] = line(grid, view, leaves, GridPlace.Kind.ROW_ROOT, r, grid.rowRootCount(r));
        }
        for (int c = 0; c < column.length; c++) {
            int[] leaves = new int[row.length];
            for (int r = 0; r < leaves.length; r++) {
                leaves[r] = grid.leaf(r, c);
            }
            column[c] = line(grid, view, leaves, GridPlace.Kind.COLUMN_ROOT, c, grid.columnRootCount(c));
        }
        return new GridState(grid, row, column);
    }

    /** The same, sharing with an earlier state of the same grid what did not change. */
    public static GridState of(FabricView view, GridState older) {
        GridState newer = of(older.grid, view);
        for (int r = 0; r < newer.row.length; r++) {
            newer.row[r] = older.row[r].orSame(newer.row[r]);
        }
        for (int c = 0; c < newer.column.length; c++) {
            newer.column[c] = older.column[c].orSame(newer.column[c]);
        }
        return newer;
    }

    private static LineState line(
            RecognisedGrid grid, FabricView view, int[] leaves, GridPlace.Kind kind, int number, int rootCount) {
        long[] alive = Bits.ofSize(leaves.length);
        long[][] roots = new long[leaves.length][];
        for (int i = 0; i < leaves.length; i++) {
            roots[i] = Bits.ofSize(rootCount);
            int leaf = leaves[i];
            // A leaf without any cable is of no use to others, whatever is known of it.
            if (leaf >= 0 && view.alive(leaf) && view.groupStart(leaf) < view.groupEnd(leaf)) {
                Bits.add(alive, i);
                for (int group = view.groupStart(leaf); group < view.groupEnd(leaf); group++) {
                    GridPlace remote = grid.place(view.groupRemote(group));
                    if (remote.kind() == kind && number == lineOf(remote)) {
                        Bits.add(roots[i], remote.root());
                    }
                }
            }
        }
        return new LineState(alive, roots);
    }

    private static int lineOf(GridPlace root) {
        return root.kind() == GridPlace.Kind.ROW_ROOT ? root.row() : root.column();
    }

    public RecognisedGrid grid() {
        return grid;
    }

    public int rows() {
        return row.length;
    }

    public int columns() {
        return column.length;
    }

    public boolean alive(int r, int c) {
        return row[r].isAlive(c);
    }

    /** True when within each line all live leaves reach each other: faults are dead leaves, or matter to one line only. */
    public boolean whole() {
        return whole;
    }

    LineState row(int r) {
        return row[r];
    }

    LineState column(int c) {
        return column[c];
    }

    /** Columns in which every leaf is alive and joined to all others of its row and column: FC. */
    long[] soundColumns() {
        return sound(column, row);
    }

    /** Rows of the same kind: FR. */
    long[] soundRows() {
        return sound(row, column);
    }

    private static long[] sound(LineState[] lines, LineState[] across) {
        long[] sound = Bits.ofSize(lines.length);
        for (int l = 0; l < lines.length; l++) {
            boolean all = true;
            for (int a = 0; all && a < across.length; a++) {
                all = lines[l].sound(a) && across[a].sound(l);
            }
            if (all) {
                Bits.add(sound, l);
            }
        }
        return sound;
    }

    /** Leaves that are dead here and alive there, or the other way round. */
    BitSet leavesChangedSince(GridState older) {
        BitSet changed = new BitSet();
        for (int r = 0; r < row.length; r++) {
            for (int c = 0; row[r] != older.row[r] && c < column.length; c++) {
                changed.set(r * column.length + c, alive(r, c) != older.alive(r, c));
            }
        }
        return changed;
    }
}

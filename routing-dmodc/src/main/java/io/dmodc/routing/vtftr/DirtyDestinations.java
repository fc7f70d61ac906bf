package io.dmodc.routing.vtftr;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which destinations a switch has to look at again after a change of leaves: those that changed themselves, those whose corner in a line
 * of the switch changed or is dead, and at a leaf those it turns to another side, and those in its own lines where other spares than before
 * are to be reached. For two states of one grid whose lines are whole.
 */
final class DirtyDestinations {
    private final TurnTables before;
    private final TurnTables now;
    private final BitSet changed;
    private final BitSet[] columnsOfRow;
    private final BitSet[] rowsOfColumn;

    DirtyDestinations(TurnTables before, TurnTables now) {
        this.before = before;
        this.now = now;
        GridState state = now.state();
        changed = state.leavesChangedSince(before.state());
        columnsOfRow = new BitSet[state.rows()];
        rowsOfColumn = new BitSet[state.columns()];
        Arrays.setAll(columnsOfRow, r -> places(before.state().row(r), state.row(r), state.columns()));
        Arrays.setAll(rowsOfColumn, c -> places(before.state().column(c), state.column(c), state.rows()));
    }

    /** Places of a line that are dead or were, or whose roots are others than before. */
    private static BitSet places(LineState before, LineState now, int size) {
        BitSet places = new BitSet();
        for (int i = 0; i < size; i++) {
            places.set(i, !now.isAlive(i) || !before.isAlive(i) || !now.sameRoots(before, i));
        }
        return places;
    }

    /** At a root of a row, given its ports by column: for leaves it has no cable to it uses spares. */
    BitSet ofRow(int row, byte[][] ports) {
        BitSet places = (BitSet) columnsOfRow[row].clone();
        addUncabled(ports, places);
        return with(places, new BitSet());
    }

    /** At a root of a column, given its ports by row. */
    BitSet ofColumn(int column, byte[][] ports) {
        BitSet places = (BitSet) rowsOfColumn[column].clone();
        addUncabled(ports, places);
        return with(new BitSet(), places);
    }

    private static void addUncabled(byte[][] ports, BitSet places) {
        for (int i = 0; i < ports.length; i++) {
            if (ports[i].length == 0) {
                places.set(i);
            }
        }
    }

    /** At a leaf. */
    BitSet ofLeaf(int row, int column) {
        int columns = now.state().columns();
        BitSet dirty = with(columnsOfRow[row], rowsOfColumn[column]);
        byte[][] injection = now.injection[row * columns + column];
        byte[][] older = before.injection[row * columns + column];
        for (int rd = 0; injection != older && rd < injection.length; rd++) {
            for (int cd = 0; injection[rd] != older[rd] && cd < columns; cd++) {
                if (injection[rd][cd] != older[rd][cd]) {
                    dirty.set(rd * columns + cd);
                }
            }
        }
        addOwnLine(row, column, Turn.ROW, dirty);
        addOwnLine(row, column, Turn.COLUMN, dirty);
        return dirty;
    }

    /** What would turn towards its own place in a line goes to a spare. */
    private void addOwnLine(int row, int column, Turn turn, BitSet dirty) {
        GridState state = now.state();
        boolean byRow = turn == Turn.ROW;
        int others = byRow ? state.rows() : state.columns();
        int own = byRow ? row : column;
        boolean all = now.mode() == SpareMode.PAPER
                ? otherRoots(row * state.columns() + column, turn, destination(row, column, byRow, (own + 1) % others))
                : changedLine(byRow, own);
        for (int other = 0; other < others; other++) {
            if (all || (now.mode() == SpareMode.PAIRWISE && changedLine(byRow, other))) {
                dirty.set(destination(row, column, byRow, other));
            }
        }
    }

    private int destination(int row, int column, boolean inColumn, int other) {
        return inColumn
                ? other * now.state().columns() + column
                : row * now.state().columns() + other;
    }

    private boolean otherRoots(int leaf, Turn turn, int destination) {
        return !Arrays.equals(now.rootsOnward(leaf, turn, destination), before.rootsOnward(leaf, turn, destination));
    }

    private boolean changedLine(boolean row, int number) {
        return row
                ? now.state().row(number) != before.state().row(number)
                : now.state().column(number) != before.state().column(number);
    }

    /** Destinations that changed, those in some columns, and those in some rows. */
    private BitSet with(BitSet inColumns, BitSet inRows) {
        int rows = now.state().rows();
        int columns = now.state().columns();
        BitSet dirty = (BitSet) changed.clone();
        for (int cd = inColumns.nextSetBit(0); cd >= 0; cd = inColumns.nextSetBit(cd + 1)) {
            for (int rd = 0; rd < rows; rd++) {
                dirty.set(rd * columns + cd);
            }
        }
        for (int rd = inRows.nextSetBit(0); rd >= 0; rd = inRows.nextSetBit(rd + 1)) {
            dirty.set(rd * columns, (rd + 1) * columns);
        }
        return dirty;
    }
}

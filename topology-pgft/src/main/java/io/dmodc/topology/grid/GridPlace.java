package io.dmodc.topology.grid;

/**
 * Where a switch stands in a grid.
 *
 * @param row from 0; −1 for the root of a column and for a switch without a place
 * @param column from 0; −1 for the root of a row and for a switch without a place
 * @param root which of its line's roots, from 0; −1 for a leaf and for a switch without a place
 */
public record GridPlace(Kind kind, int row, int column, int root) {
    /** What a switch is for. */
    public enum Kind {
        LEAF,
        ROW_ROOT,
        COLUMN_ROOT,
        /** Nothing in the cabling says where it belongs, or it says two things. */
        UNPLACED
    }

    static final GridPlace NONE = new GridPlace(Kind.UNPLACED, -1, -1, -1);
}

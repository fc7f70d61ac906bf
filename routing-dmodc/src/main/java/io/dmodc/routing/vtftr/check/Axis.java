package io.dmodc.routing.vtftr.check;

/** Along a row or along a column. */
enum Axis {
    /** Rows; a place in the line is a column. */
    X(0),
    /** Columns; a place in the line is a row. */
    Y(1);

    private final int index;

    Axis(int index) {
        this.index = index;
    }

    /** 0 or 1, to number things by. */
    int index() {
        return index;
    }
}

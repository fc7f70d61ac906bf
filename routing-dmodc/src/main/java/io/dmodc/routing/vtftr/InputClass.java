package io.dmodc.routing.vtftr;

/** Where a leaf got a packet from; with the destination the key of a leaf's look-up. */
public enum InputClass {
    /** A host of its own: the injection table says where to. */
    HOST,
    /** A root of its row: on to the column, or to a host. */
    ROW,
    /** A root of its column: on to the row, or to a host. */
    COLUMN
}

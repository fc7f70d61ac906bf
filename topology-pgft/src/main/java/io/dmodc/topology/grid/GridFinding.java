package io.dmodc.topology.grid;

import java.util.List;

/**
 * One way in which a fabric is not the whole grid it looks like.
 *
 * @param kind what sort of difference
 * @param text one line for the person who walks there
 * @param switches indices in the view, in the order the kind says
 */
public record GridFinding(Kind kind, String text, List<Integer> switches) {
    /** Sorts of findings, in the order of a report. */
    public enum Kind {
        /** Fewer than two lines of a kind, or no two lines that meet: nothing is placed; no switches. */
        NO_GRID,
        /** The leaves of a root belong to several lines of its kind; {@code switches}: the root. */
        ROOT_JOINS_LINES,
        /** A cable between a leaf and the root of another row or column; {@code switches}: leaf and root. */
        LEAF_IN_WRONG_LINE,
        /** Two leaves of the same row and the same column; {@code switches}: the one that is placed, the other. */
        PLACE_TAKEN,
        /** A place of the grid without a leaf that works: a ragged grid, or a dead leaf; {@code switches}: that leaf, if there is one. */
        LEAF_MISSING,
        /** A leaf with hosts whose row or column cannot be told; {@code switches}: the leaf. */
        LEAF_UNPLACED,
        /** A root whose line cannot be told, as fewer than two leaves are cabled to it; {@code switches}: the root. */
        ROOT_UNPLACED,
        /** A root of a row or column with hosts of its own, which no leaf leads to; {@code switches}: the root. */
        HOSTS_AT_ROOT,
        /** A line with fewer roots than most of its kind; no switches. */
        ROOTS_MISSING,
        /** A root without a cable to a leaf of its line that works; {@code switches}: leaf and root. */
        CABLE_MISSING
    }

    /** @param switches copied */
    public GridFinding {
        switches = List.copyOf(switches);
    }
}

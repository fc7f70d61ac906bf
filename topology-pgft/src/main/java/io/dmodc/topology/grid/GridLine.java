package io.dmodc.topology.grid;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * Roots that share most of their leaves, and with that a row or a column.
 *
 * @param roots switch indices, ascending
 * @param leaves targets that at least one of the roots is cabled to
 */
record GridLine(List<Integer> roots, BitSet leaves) {
    /** Leaves that both have. */
    int shared(GridLine other) {
        return shared(leaves, other.leaves);
    }

    /** This line with more roots, which bring no leaves of their own. */
    GridLine with(List<Integer> more) {
        return new GridLine(
                Stream.concat(roots.stream(), more.stream()).sorted().toList(), leaves);
    }

    static int shared(BitSet a, BitSet b) {
        BitSet both = (BitSet) a.clone();
        both.and(b);
        return both.cardinality();
    }
}

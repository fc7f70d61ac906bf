package io.dmodc.routing.vtftr;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Computes tables from the last ones: equal to {@link Vtftr#compute}, and every leaf whose table stays the same keeps the
 * same object.
 *
 * <p>A leaf (r, c) that died or came back concerns what the leaves of row r send (it is their corner) and what all leaves
 * send towards row r (it is a destination, or the other corner of column c): O(rows · columns) segments. All else follows
 * from whether there is any spare, so when that changed, and when a line falls into parts, everything is computed again.
 *
 * <p>Not thread-safe.
 */
public final class VtftrRerouter {
    private TurnTables last;

    /** Starts with a full computation. */
    public VtftrRerouter(GridState state, SpareMode mode) {
        last = Vtftr.compute(state, mode);
    }

    /** The tables of the last state. */
    public TurnTables tables() {
        return last;
    }

    /** Tables of the next state of the same grid. */
    public TurnTables reroute(GridState next) {
        Paths paths = new Paths(next, last.mode());
        Segments segments = new Segments(next, last.mode(), paths, Segments.none());
        byte[][][] injection = last.injection.clone();
        boolean all = sparesMayEnd(next, paths);
        BitSet rows = rowsOf(next.leavesChangedSince(last.state()), next.columns());
        for (int leaf = 0; leaf < injection.length; leaf++) {
            int rs = leaf / next.columns();
            int cs = leaf % next.columns();
            for (int rd = 0; rd < next.rows(); rd++) {
                if (all || rows.get(rs) || rows.get(rd)) {
                    put(injection, leaf, rd, segments.segment(rs, cs, rd));
                }
            }
        }
        last = new TurnTables(next, last.mode(), paths, injection);
        return last;
    }

    private void put(byte[][][] injection, int leaf, int rd, byte[] segment) {
        if (!Arrays.equals(injection[leaf][rd], segment)) {
            if (injection[leaf] == last.injection[leaf]) {
                injection[leaf] = injection[leaf].clone();
            }
            injection[leaf][rd] = segment;
        }
    }

    private static BitSet rowsOf(BitSet leaves, int columns) {
        BitSet rows = new BitSet();
        leaves.stream().forEach(leaf -> rows.set(leaf / columns));
        return rows;
    }

    private boolean sparesMayEnd(GridState next, Paths paths) {
        if (!next.whole() || !last.state().whole()) {
            return true;
        }
        if (last.mode() == SpareMode.PAIRWISE) {
            return anyRowsApart(next) || anyRowsApart(last.state());
        }
        return Bits.isEmpty(paths.soundColumns()) != Bits.isEmpty(last.paths().soundColumns())
                || Bits.isEmpty(paths.soundRows()) != Bits.isEmpty(last.paths().soundRows());
    }

    /** Some two rows have no column in which both have a live leaf: then columns decide. */
    private static boolean anyRowsApart(GridState state) {
        for (int a = 0; a < state.rows(); a++) {
            for (int b = 0; b < a; b++) {
                if (!Bits.meet(state.row(a).alive(), state.row(b).alive())) {
                    return true;
                }
            }
        }
        return false;
    }
}

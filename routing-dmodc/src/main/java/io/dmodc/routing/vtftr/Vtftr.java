package io.dmodc.routing.vtftr;

/**
 * VTFTR: row first, then column; column first where only that way round the corner is alive; where both corners are dead a
 * detour over a spare leaf (Liu et al., section 2.1).
 *
 * <p>Idea: a packet turns at most three times, row–column–row or column–row–column, and changes to the second virtual
 * channel when it turns from a column to a row. That is deadlock-free whatever the faults, so only the question remains
 * which corners are alive.
 *
 * <p>Layout: {@link Segments} for the leaves; roots follow from the live leaves of their lines ({@link Paths}). Time:
 * O(rows² · columns²) bytes written, of which equal ones are kept once; where a line fell into parts, each pair is looked
 * at, O(rows² · columns² · (rows + columns)) at worst.
 */
public final class Vtftr {
    private Vtftr() {}

    /** All tables of a state, from nothing. */
    public static TurnTables compute(GridState state, SpareMode mode) {
        Paths paths = new Paths(state, mode);
        Segments segments = new Segments(state, mode, paths, Segments.none());
        byte[][][] injection = new byte[state.rows() * state.columns()][state.rows()][];
        for (int leaf = 0; leaf < injection.length; leaf++) {
            for (int rd = 0; rd < state.rows(); rd++) {
                injection[leaf][rd] = segments.segment(leaf / state.columns(), leaf % state.columns(), rd);
            }
        }
        return new TurnTables(state, mode, paths, injection);
    }
}

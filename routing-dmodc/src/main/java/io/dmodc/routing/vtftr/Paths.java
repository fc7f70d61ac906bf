package io.dmodc.routing.vtftr;

/**
 * The rules of VTFTR, one pair at a time, for grids in any state (VTFTR paper, section 2.1; faults of leaves are its
 * subject, joined and unjoined leaves of a line are what roots and cables add to it).
 *
 * <p>A row leg (r, c → c') works when both leaves are joined in row r, a column leg likewise. A row root's primary leaf for
 * a destination is the corner; in pairwise mode only while the leg after it works, too.
 */
final class Paths {
    private final GridState state;
    private final boolean pairwise;
    private final long[] soundColumns;
    private final long[] soundRows;

    Paths(GridState state, SpareMode mode) {
        this.state = state;
        this.pairwise = mode == SpareMode.PAIRWISE;
        this.soundColumns = state.soundColumns();
        this.soundRows = state.soundRows();
    }

    long[] soundColumns() {
        return soundColumns;
    }

    long[] soundRows() {
        return soundRows;
    }

    /** True if roots send to the corner wherever that and the destination are alive. */
    boolean byCornersOnly() {
        return !pairwise || state.whole();
    }

    private boolean rowLeg(int r, int from, int to) {
        return state.row(r).joined(from, to);
    }

    private boolean columnLeg(int c, int from, int to) {
        return state.column(c).joined(from, to);
    }

    /** Where a leaf sends what its own hosts send to a leaf. */
    Turn injection(int rs, int cs, int rd, int cd) {
        if (!state.alive(rs, cs) || !state.alive(rd, cd)) {
            return Turn.NONE;
        }
        if (rs == rd && cs == cd) {
            return Turn.DELIVER;
        }
        if (rs == rd && rowLeg(rs, cs, cd)) {
            return Turn.ROW;
        }
        if (cs == cd && columnLeg(cs, rs, rd)) {
            return Turn.COLUMN;
        }
        if (rs != rd && cs != cd && rowLeg(rs, cs, cd) && columnLeg(cd, rs, rd)) {
            return Turn.ROW;
        }
        if (rs != rd && cs != cd && columnLeg(cs, rs, rd) && rowLeg(rd, cs, cd)) {
            return Turn.COLUMN;
        }
        return misroute(rs, cs, rd, cd);
    }

    private Turn misroute(int rs, int cs, int rd, int cd) {
        if (cs != cd && rs != rd && rowMisroutes(rs, cs, rd, cd)) {
            return Turn.ROW;
        }
        if (cs == cd && rowMisroutes(rs, cs, rd, cd) && pairwise) {
            return Turn.ROW;
        }
        boolean byColumn = rs == rd ? pairwise : cs != cd;
        return byColumn && columnMisroutes(rs, cs, rd, cd) ? Turn.COLUMN : Turn.NONE;
    }

    /** The roots of the row that the source reaches have to use spares, and have one. */
    private boolean rowMisroutes(int rs, int cs, int rd, int cd) {
        int primary = rowPrimary(rs, rd, cd);
        return (primary < 0 || !rowLeg(rs, cs, primary)) && anyJoined(state.row(rs), cs, rowSpares(rs, rd, cd));
    }

    private boolean columnMisroutes(int rs, int cs, int rd, int cd) {
        int primary = columnPrimary(cs, rd, cd);
        return (primary < 0 || !columnLeg(cs, rs, primary))
                && anyJoined(state.column(cs), rs, columnSpares(cs, rd, cd));
    }

    private static boolean anyJoined(LineState line, int from, long[] spares) {
        for (int w = 0; w < spares.length; w++) {
            for (long left = spares[w]; left != 0; left &= left - 1) {
                int spare = (w << 6) + Long.numberOfTrailingZeros(left);
                if (spare != from && line.joined(from, spare)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Column that a root of row r sends to, for the leaf (rd, cd); −1 if it has to use a spare. */
    int rowPrimary(int r, int rd, int cd) {
        boolean onward = !pairwise || r == rd || columnLegOrDead(cd, r, rd);
        return state.alive(r, cd) && onward ? cd : -1;
    }

    /** Row that a root of column c sends to. */
    int columnPrimary(int c, int rd, int cd) {
        boolean onward = !pairwise || c == cd || rowLegOrDead(rd, c, cd);
        return state.alive(rd, c) && onward ? rd : -1;
    }

    /** A dead destination decides nothing: entries for it are those of one that is alive. */
    private boolean columnLegOrDead(int c, int from, int rd) {
        return !state.alive(rd, c) || columnLeg(c, from, rd);
    }

    private boolean rowLegOrDead(int r, int from, int cd) {
        return !state.alive(r, cd) || rowLeg(r, from, cd);
    }

    /** Columns that a root of row r may send to in place of the primary one; a fresh set. */
    long[] rowSpares(int r, int rd, int cd) {
        long[] spares = pairwise ? Bits.and(state.row(r).alive(), state.row(rd).alive()) : soundColumns.clone();
        for (int c = 0; pairwise && !state.whole() && c < state.columns(); c++) {
            if (Bits.get(spares, c) && !((r == rd || columnLeg(c, r, rd)) && rowLegOrDead(rd, c, cd))) {
                Bits.remove(spares, c);
            }
        }
        Bits.remove(spares, cd);
        return spares;
    }

    /** Rows that a root of column c may send to in place of the primary one; a fresh set. */
    long[] columnSpares(int c, int rd, int cd) {
        long[] spares =
                pairwise ? Bits.and(state.column(c).alive(), state.column(cd).alive()) : soundRows.clone();
        for (int r = 0; pairwise && !state.whole() && r < state.rows(); r++) {
            if (Bits.get(spares, r) && !((c == cd || rowLeg(r, c, cd)) && columnLegOrDead(cd, r, rd))) {
                Bits.remove(spares, r);
            }
        }
        Bits.remove(spares, rd);
        return spares;
    }
}

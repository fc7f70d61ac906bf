package io.dmodc.routing.vtftr.check;

import java.util.BitSet;

/**
 * The rules of VTFTR for the faults that tables know, each written as it is defined (VTFTR paper, section 2.1, and
 * docs/algorithms/vtftr.md for pairwise spares), to compare tables with.
 */
final class SpareRules {
    private final TurnDump dump;
    private final boolean pairwise;

    SpareRules(TurnDump dump) {
        this.dump = dump;
        this.pairwise = dump.pairwise();
    }

    /** Some spare serves a pair whose corners are both dead; or a corner is alive, or none is needed. */
    boolean servable(int source, int destination) {
        int rs = source / dump.columns;
        int cs = source % dump.columns;
        int rd = destination / dump.columns;
        int cd = destination % dump.columns;
        return rs == rd
                || cs == cd
                || dump.knownAlive(rs, cd)
                || dump.knownAlive(rd, cs)
                || !rowSpares(rs, rd, cd).isEmpty()
                || !columnSpares(cs, rd, cd).isEmpty();
    }

    /** Corners that both have to be dead before there are three routings. */
    boolean bothCornersDead(int source, int destination) {
        return !dump.knownAlive(source / dump.columns, destination % dump.columns)
                && !dump.knownAlive(destination / dump.columns, source % dump.columns);
    }

    /** Letter a leaf has to have, or 0 where the rules leave it to spares. */
    char turn(int source, int destination) {
        int rs = source / dump.columns;
        int cs = source % dump.columns;
        int rd = destination / dump.columns;
        int cd = destination % dump.columns;
        if (!dump.knownAlive(rd, cd)) {
            return '-';
        }
        if (source == destination) {
            return 'L';
        }
        if (rs == rd || cs == cd) {
            return rs == rd ? 'X' : 'Y';
        }
        if (dump.knownAlive(rs, cd)) {
            return 'X';
        }
        return dump.knownAlive(rd, cs) ? 'Y' : 0;
    }

    /** Columns that roots of row r may use for (rd, cd). */
    BitSet rowSpares(int r, int rd, int cd) {
        BitSet spares = new BitSet();
        for (int c = 0; c < dump.columns; c++) {
            boolean usable = pairwise ? dump.knownAlive(r, c) && dump.knownAlive(rd, c) : columnIsWhole(c);
            spares.set(c, usable && c != cd);
        }
        return spares;
    }

    /** Rows that roots of column c may use for (rd, cd). */
    BitSet columnSpares(int c, int rd, int cd) {
        BitSet spares = new BitSet();
        for (int r = 0; r < dump.rows; r++) {
            boolean usable = pairwise ? dump.knownAlive(r, c) && dump.knownAlive(r, cd) : rowIsWhole(r);
            spares.set(r, usable && r != rd);
        }
        return spares;
    }

    private boolean columnIsWhole(int c) {
        for (int r = 0; r < dump.rows; r++) {
            if (!dump.knownAlive(r, c)) {
                return false;
            }
        }
        return true;
    }

    private boolean rowIsWhole(int r) {
        for (int c = 0; c < dump.columns; c++) {
            if (!dump.knownAlive(r, c)) {
                return false;
            }
        }
        return true;
    }
}

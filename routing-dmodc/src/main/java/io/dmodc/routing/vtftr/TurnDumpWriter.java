package io.dmodc.routing.vtftr;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes tables as text of the form {@code vtftr 1}: one record a line, described in docs/algorithms/vtftr.md.
 *
 * <p>Every record is written out; nothing is left to a reader's knowledge of the rules. In paper mode a root's entry is for
 * a whole line of destinations, in pairwise mode for each of them.
 */
public final class TurnDumpWriter {
    private final TurnTables tables;
    private final GridState state;
    private final Appendable out;

    private TurnDumpWriter(TurnTables tables, Appendable out) {
        this.tables = tables;
        this.state = tables.state();
        this.out = out;
    }

    /**
     * Writes tables.
     *
     * @param bursts leaves that are dead without the tables' knowledge, to be told to whoever checks
     * @throws IllegalArgumentException if some line fell into parts: the form tells faults of leaves only
     */
    public static void write(TurnTables tables, List<Integer> bursts, Appendable out) throws IOException {
        if (!tables.state().whole()) {
            throw new IllegalArgumentException(
                    "roots or cables are lost so that leaves of a line do not reach each other; the form vtftr 1 tells"
                            + " faults of leaves only");
        }
        new TurnDumpWriter(tables, out).writeAll(bursts);
    }

    private void writeAll(List<Integer> bursts) throws IOException {
        line("vtftr 1");
        line("grid " + state.rows() + " " + state.columns());
        line("vcs " + VcMap.VC_COUNT);
        for (int leaf = 0; leaf < state.rows() * state.columns(); leaf++) {
            if (!alive(leaf)) {
                line("fault " + place(leaf));
            }
        }
        for (int leaf : bursts) {
            line("burst " + place(leaf));
        }
        for (int leaf = 0; leaf < state.rows() * state.columns(); leaf++) {
            if (alive(leaf)) {
                line("leaf " + place(leaf) + " " + letters(leaf));
            }
        }
        writeRoots();
        writeVcMap();
    }

    private boolean alive(int leaf) {
        return state.alive(leaf / state.columns(), leaf % state.columns());
    }

    private String place(int leaf) {
        return leaf / state.columns() + " " + leaf % state.columns();
    }

    private String letters(int leaf) {
        StringBuilder letters = new StringBuilder();
        for (int destination = 0; destination < state.rows() * state.columns(); destination++) {
            letters.append(tables.injection(leaf, destination).letter());
        }
        return letters.toString();
    }

    private void writeRoots() throws IOException {
        boolean pairwise = tables.mode() == SpareMode.PAIRWISE;
        for (int r = 0; r < state.rows(); r++) {
            for (int rd = 0; rd < (pairwise ? state.rows() : 1); rd++) {
                for (int cd = 0; cd < state.columns(); cd++) {
                    int destination = rd * state.columns() + cd;
                    String key = (pairwise ? String.valueOf(rd) : "*") + "," + cd;
                    entry("rsw", r, key, tables.rowPrimary(r, destination), tables.rowSpares(r, destination));
                }
            }
        }
        for (int c = 0; c < state.columns(); c++) {
            for (int rd = 0; rd < state.rows(); rd++) {
                for (int cd = 0; cd < (pairwise ? state.columns() : 1); cd++) {
                    int destination = rd * state.columns() + cd;
                    String key = rd + "," + (pairwise ? String.valueOf(cd) : "*");
                    entry("csw", c, key, tables.columnPrimary(c, destination), tables.columnSpares(c, destination));
                }
            }
        }
    }

    private void entry(String kind, int line, String key, int primary, BitSet spares) throws IOException {
        String list = spares.isEmpty()
                ? "-"
                : spares.stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
        line(kind + " " + line + " * " + key + " " + (primary < 0 ? "-" : String.valueOf(primary)) + " " + list);
    }

    private void writeVcMap() throws IOException {
        for (InputClass from : InputClass.values()) {
            for (Turn to : List.of(Turn.ROW, Turn.COLUMN)) {
                for (int vc = 0; vc < (from == InputClass.HOST ? 1 : VcMap.VC_COUNT); vc++) {
                    int next = VcMap.next(from, vc, to);
                    if (next != VcMap.DROP) {
                        line("vc " + letter(from) + " " + vc + " " + to.letter() + " " + next);
                    }
                }
            }
        }
    }

    private static char letter(InputClass from) {
        return switch (from) {
            case HOST -> 'H';
            case ROW -> 'X';
            case COLUMN -> 'Y';
        };
    }

    private void line(String record) throws IOException {
        out.append(record).append('\n');
    }
}

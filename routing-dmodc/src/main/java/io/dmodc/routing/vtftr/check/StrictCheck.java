package io.dmodc.routing.vtftr.check;

import java.util.List;

/** Compares tables with the rules, entry by entry ({@link TurnProperty#STRICT}). */
final class StrictCheck {
    private final TurnDump dump;
    private final SpareRules rules;
    private final TurnCheckReport report;

    StrictCheck(TurnDump dump, SpareRules rules, TurnCheckReport report) {
        this.dump = dump;
        this.rules = rules;
        this.report = report;
    }

    void run() {
        for (int source = 0; source < dump.leafCount(); source++) {
            for (int destination = 0; !dump.faults.get(source) && destination < dump.leafCount(); destination++) {
                compareTurn(source, destination);
            }
        }
        for (int r = 0; r < dump.rows; r++) {
            for (int destination = 0; destination < dump.leafCount(); destination++) {
                compareRow(r, destination / dump.columns, destination % dump.columns);
            }
        }
        for (int c = 0; c < dump.columns; c++) {
            for (int destination = 0; destination < dump.leafCount(); destination++) {
                compareColumn(c, destination / dump.columns, destination % dump.columns);
            }
        }
    }

    private void compareTurn(int source, int destination) {
        char expected = rules.turn(source, destination);
        char is = dump.turn(0, source, destination);
        if (expected != 0 && is != expected) {
            report.fail(
                    TurnProperty.STRICT,
                    "leaf " + name(source) + " sends to " + name(destination) + " by " + is + ", expected " + expected);
        }
    }

    private void compareRow(int r, int rd, int cd) {
        RootEntry expected = new RootEntry(dump.knownAlive(r, cd) ? cd : -1, rules.rowSpares(r, rd, cd));
        compare(Axis.X, r, rd, cd, expected);
    }

    private void compareColumn(int c, int rd, int cd) {
        RootEntry expected = new RootEntry(dump.knownAlive(rd, c) ? rd : -1, rules.columnSpares(c, rd, cd));
        compare(Axis.Y, c, rd, cd, expected);
    }

    private void compare(Axis axis, int line, int rd, int cd, RootEntry expected) {
        for (int root : TurnCheck.roots(List.of(dump))) {
            RootEntry is = dump.roots(axis).entry(axis, line, root, rd, cd);
            if (is != null && !is.equals(expected)) {
                report.fail(
                        TurnProperty.STRICT,
                        "roots of " + (axis == Axis.X ? "row " : "column ") + line + " have for " + rd + "," + cd
                                + " primary " + is.primary() + " and spares " + is.spares() + ", expected "
                                + expected.primary() + " and " + expected.spares());
            }
        }
    }

    private String name(int leaf) {
        return leaf / dump.columns + "," + leaf % dump.columns;
    }
}

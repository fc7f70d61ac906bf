package io.dmodc.ctl.study;

import io.dmodc.ctl.client.TextTable;
import io.dmodc.ctl.study.StudyFigure.Curve;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.LoadResult.Spread;
import io.dmodc.routing.cycles.RunResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A study's figures as text for people: what arrives and how long it takes, ± half of what seeds differ by. */
public final class StudyTables {
    /** Of the table of probabilities, which is written in full to a file. */
    private static final List<Integer> SHOWN = List.of(16, 17, 18, 20, 24, 29, 30, 32, 40, 60);

    private StudyTables() {}

    /** Prints all figures, then the probabilities. */
    public static void print(VtftrStudy.Answer answer, PrintWriter out) {
        for (StudyFigure figure : answer.figures()) {
            out.println(String.format(
                    Locale.ROOT, "%s: %,d cycles after %,d", figure.title(), figure.measured(), figure.warmUp()));
            figure(figure).print(out);
            out.println();
        }
        out.println(
                "Dead leaves that hit every row and every column of 16x16: probability, and by the paper's formula");
        coverage().print(out);
        out.println(
                "That formula counts the placements that hit one given diagonal; any of 16! diagonals does, and others"
                        + " without any.");
    }

    private static TextTable figure(StudyFigure figure) {
        List<String> header = new ArrayList<>(List.of("accepted, latency at load"));
        figure.curves().get(0).loads().forEach(load -> header.add(String.format(Locale.ROOT, "%.1f", load.load())));
        TextTable table = new TextTable(header.toArray(new String[0]));
        for (Curve curve : figure.curves()) {
            List<Object> cells = new ArrayList<>(List.of(curve.scenario().name()));
            for (LoadResult load : curve.loads()) {
                cells.add(cell("%.4f", load.of(RunResult::accepted))
                        + ", "
                        + cell("%.1f", load.of(RunResult::meanLatency)));
            }
            table.row(cells.toArray());
        }
        return table;
    }

    private static String cell(String format, Spread spread) {
        return String.format(Locale.ROOT, format + " ±" + format, spread.mean(), (spread.max() - spread.min()) / 2);
    }

    private static TextTable coverage() {
        TextTable table = new TextTable("dead leaves", "exact", "paper");
        CoverageTable.rows().stream()
                .filter(row -> SHOWN.contains(row.faults()))
                .forEach(row -> table.row(
                        row.faults(),
                        String.format(Locale.ROOT, "%.4g", row.exact()),
                        String.format(Locale.ROOT, "%.4g", row.paper())));
        return table;
    }
}

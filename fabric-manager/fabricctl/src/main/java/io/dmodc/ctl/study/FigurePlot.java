package io.dmodc.ctl.study;

import io.dmodc.ctl.study.PlotSeries.Point;
import io.dmodc.ctl.study.StudyFigure.Curve;
import io.dmodc.ctl.study.SvgPlot.Panel;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.LoadResult.Spread;
import io.dmodc.routing.cycles.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A figure as three panels: what arrives and how long it takes, by offered load, and what arrives at the highest load alone,
 * where curves that look alike can be told apart.
 */
final class FigurePlot {
    private final StudyFigure figure;

    private FigurePlot(StudyFigure figure) {
        this.figure = figure;
    }

    /** SVG. */
    static String draw(StudyFigure figure) {
        return new FigurePlot(figure).draw();
    }

    /** The table of probabilities, on logarithmic scale. */
    static String draw(List<CoverageTable.Row> rows) {
        PlotSeries exact = new PlotSeries(
                "exact, by inclusion and exclusion",
                rows.stream().map(row -> point(row.faults(), row.exact())).toList());
        PlotSeries paper = new PlotSeries(
                "the paper's formula: one diagonal of n!",
                rows.stream().map(row -> point(row.faults(), row.paper())).toList());
        double least = rows.stream().mapToDouble(CoverageTable.Row::paper).min().orElse(0.1);
        return SvgPlot.draw(
                "Dead leaves that hit every row and every column of 16x16",
                "With fewer than 31 dead leaves the paper's spares lose a pair only then.",
                List.of(new Panel(
                        "probability",
                        PlotAxis.linear("dead leaves", 15, 60),
                        PlotAxis.logarithmic("probability", least, 1),
                        true,
                        List.of(exact, paper))));
    }

    private static Point point(double x, double y) {
        return new Point(x, y, y, y);
    }

    private String draw() {
        List<PlotSeries> accepted = series(RunResult::accepted);
        List<PlotSeries> latency = series(RunResult::meanLatency);
        List<PlotSeries> saturated = new ArrayList<>();
        for (int i = 0; i < figure.curves().size(); i++) {
            Curve curve = figure.curves().get(i);
            saturated.add(new PlotSeries(
                    curve.scenario().name(), List.of(point(i, curve.last().of(RunResult::accepted)))));
        }
        LoadResult last = figure.curves().get(0).last();
        String note = String.format(
                Locale.ROOT,
                "uniform traffic, %d virtual channels of 16 packets, %,d cycles after %,d; means of %d seeds, whiskers from"
                        + " the lowest to the highest; latency beyond saturation grows with the cycles simulated",
                GridScenario.VCS,
                figure.measured(),
                figure.warmUp(),
                last.runs().size());
        return SvgPlot.draw(
                figure.title(),
                note,
                List.of(
                        panel("accepted", "packets a node and cycle", accepted, false),
                        panel("mean latency", "cycles", latency, true),
                        new Panel(
                                String.format(Locale.ROOT, "accepted at load %.1f", last.load()),
                                PlotAxis.categories("in the order of the legend", saturated.size()),
                                PlotAxis.linear("packets a node and cycle", least(saturated, 1), most(saturated, 1)),
                                false,
                                saturated)));
    }

    private Panel panel(String title, String unit, List<PlotSeries> series, boolean logarithmic) {
        PlotAxis loads = PlotAxis.linear("offered load", 0, 1);
        PlotAxis y = logarithmic
                ? PlotAxis.logarithmic(unit, least(series, 1), most(series, 1))
                : PlotAxis.linear(unit, 0, most(series, 1));
        return new Panel(title, loads, y, true, series);
    }

    private List<PlotSeries> series(ToDoubleFunction<RunResult> what) {
        return figure.curves().stream()
                .map(curve -> new PlotSeries(
                        curve.scenario().name(),
                        curve.loads().stream()
                                .map(load -> point(load.load(), load.of(what)))
                                .toList()))
                .toList();
    }

    private static Point point(double x, Spread spread) {
        return new Point(x, spread.mean(), spread.min(), spread.max());
    }

    private static double least(List<PlotSeries> series, double otherwise) {
        return series.stream()
                .flatMap(one -> one.points().stream())
                .mapToDouble(Point::low)
                .min()
                .orElse(otherwise);
    }

    private static double most(List<PlotSeries> series, double otherwise) {
        return series.stream()
                .flatMap(one -> one.points().stream())
                .mapToDouble(Point::high)
                .max()
                .orElse(otherwise);
    }
}

package io.dmodc.ctl.study;

import io.dmodc.ctl.study.DamageStudy.Answer;
import io.dmodc.ctl.study.DamageStudy.Risk;
import io.dmodc.ctl.study.DamageStudy.Row;
import io.dmodc.ctl.study.PlotSeries.Point;
import io.dmodc.ctl.study.SvgPlot.Panel;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Three panels, all-to-all, permutations and shifts, against damage: means of the seeds that have tables. */
final class DamagePlot {
    private final Answer answer;

    private DamagePlot(Answer answer) {
        this.answer = answer;
    }

    /** SVG. */
    static String draw(Answer answer) {
        DamagePlot plot = new DamagePlot(answer);
        String note = String.format(
                Locale.ROOT,
                "1 is the best there is; means of %d seeds, whiskers from the lowest to the highest; %d permutations a fabric,"
                        + " all shifts; top switches named as roots; no point where an engine makes no tables",
                answer.settings().seeds(),
                answer.settings().permutations());
        return SvgPlot.draw(
                "Congestion risk of " + answer.settings().shape() + " that lost switches",
                note,
                List.of(
                        plot.panel("all-to-all", Risk::allToAll),
                        plot.panel("permutations, median", Risk::permutations),
                        plot.panel("shifts, mean", Risk::shiftsMean)));
    }

    private Panel panel(String title, ToDoubleFunction<Risk> figure) {
        List<PlotSeries> series = answer.settings().engines().stream()
                .map(engine -> new PlotSeries(engine, points(engine, figure)))
                .toList();
        double most = series.stream()
                .flatMap(one -> one.points().stream())
                .mapToDouble(Point::high)
                .max()
                .orElse(1);
        int highest =
                answer.settings().percents().stream().max(Integer::compare).orElse(1);
        return new Panel(
                title,
                PlotAxis.linear("% of switches above the leaves lost", 0, highest),
                PlotAxis.linear("congestion risk", 0, most),
                true,
                series);
    }

    private List<Point> points(String engine, ToDoubleFunction<Risk> figure) {
        List<Point> points = new ArrayList<>();
        for (int percent :
                answer.settings().percents().stream().sorted().distinct().toList()) {
            DoubleSummaryStatistics risks = answer.rows().stream()
                    .filter(row -> row.engine().equals(engine) && row.percent() == percent)
                    .map(Row::risk)
                    .flatMap(Stream::ofNullable)
                    .mapToDouble(figure)
                    .summaryStatistics();
            if (risks.getCount() > 0) {
                points.add(new Point(percent, risks.getAverage(), risks.getMin(), risks.getMax()));
            }
        }
        return points;
    }
}

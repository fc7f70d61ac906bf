package io.dmodc.ctl.study;

import io.dmodc.ctl.study.StudyFigure.Curve;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Judges the shape of figures 6 to 9: rows S4 to S7. */
final class FigureRows {
    private static final double HALF_LOAD = 0.5;

    private FigureRows() {}

    /**
     * Rows of one figure, of one size.
     *
     * @param large figures 7 to 9 are judged there only: of 64 leaves 10 dead ones are another matter than of 256
     */
    static List<StudyRow> of(StudyFigure figure, boolean large) {
        return switch (figure.number()) {
            case 6 -> List.of(belowHalf(figure), saturated(figure));
            case 7 -> large ? List.of(placements(figure, "S5", 5, 0.02)) : List.of();
            case 8 -> large ? List.of(placements(figure, "S6", 10, 0.03)) : List.of();
            default -> large ? List.of(numbers(figure)) : List.of();
        };
    }

    private static String size(StudyFigure figure) {
        return figure.grid().rows() + "x" + figure.grid().columns() + "x"
                + figure.grid().hosts();
    }

    private static double accepted(LoadResult load) {
        return load.of(RunResult::accepted).mean();
    }

    private static double latency(LoadResult load) {
        return load.of(RunResult::meanLatency).mean();
    }

    private static double loss(Curve before, Curve after) {
        return 1 - after.saturation() / before.saturation();
    }

    private static double differsBy(
            StudyFigure figure, GridScenario other, int load, ToDoubleFunction<RunResult> what) {
        double none =
                figure.curve(GridScenario.WHOLE).loads().get(load).of(what).mean();
        return Math.abs(figure.curve(other).loads().get(load).of(what).mean() / none - 1);
    }

    private static StudyRow belowHalf(StudyFigure figure) {
        double accepted = 0;
        double latency = 0;
        String atHalf = "";
        for (GridScenario other : List.of(GridScenario.ONE_FAULT, GridScenario.ONE_FAULT_FIXED)) {
            for (int i = 0; i < figure.curves().get(0).loads().size(); i++) {
                double offered = figure.curves().get(0).loads().get(i).load();
                double acceptedHere = differsBy(figure, other, i, RunResult::accepted);
                double latencyHere = differsBy(figure, other, i, RunResult::meanLatency);
                if (offered < HALF_LOAD) {
                    accepted = Math.max(accepted, acceptedHere);
                    latency = Math.max(latency, latencyHere);
                } else if (offered == HALF_LOAD) {
                    atHalf += text("; at 0.5 %s %.2f %%, %.1f %%", other.name(), 100 * acceptedHere, 100 * latencyHere);
                }
            }
        }
        return new StudyRow(
                "S4",
                "Figure 6, " + size(figure) + ", below load 0.5: one fault, VTFTR or fixed detour, beside none",
                text("accepted differs by %.2f %%, latency by %.1f %%%s", 100 * accepted, 100 * latency, atHalf),
                "accepted within 2 %, latency within 10 %",
                accepted <= 0.02 && latency <= 0.10);
    }

    private static StudyRow saturated(StudyFigure figure) {
        Curve shared = figure.curve(GridScenario.SHARED);
        Curve whole = figure.curve(GridScenario.WHOLE);
        Curve one = figure.curve(GridScenario.ONE_FAULT);
        Curve fixed = figure.curve(GridScenario.ONE_FAULT_FIXED);
        double oneLoss = loss(whole, one);
        double fixedLoss = loss(whole, fixed);
        double noise = figure.spread(RunResult::meanLatency);
        boolean order =
                latency(whole.last()) <= latency(one.last()) + noise && latency(one.last()) < latency(fixed.last());
        return new StudyRow(
                "S4",
                "Figure 6, " + size(figure) + ", saturated: what one fault and kept channels cost",
                text(
                        "accepted: shared %.4f, no fault %.4f, VTFTR %.4f (%+.2f %%), fixed %.4f (%+.2f %%), seeds ±%.4f;"
                                + " latency %.1f, %.1f, %.1f, seeds ±%.1f",
                        shared.saturation(),
                        whole.saturation(),
                        one.saturation(),
                        -100 * oneLoss,
                        fixed.saturation(),
                        -100 * fixedLoss,
                        figure.spread(RunResult::accepted),
                        latency(whole.last()),
                        latency(one.last()),
                        latency(fixed.last()),
                        noise),
                "VTFTR loses at most 3 %, the fixed detour at least twice as much; latency none <= VTFTR (seeds apart) < fixed; shared"
                        + " accepts more",
                oneLoss <= 0.03
                        && fixedLoss >= 2 * Math.max(0, oneLoss)
                        && fixedLoss > 0
                        && order
                        && shared.saturation() > whole.saturation());
    }

    private static StudyRow placements(StudyFigure figure, String row, int faults, double bound) {
        double most = 0;
        for (int i = 0; i < figure.curves().get(0).loads().size(); i++) {
            int load = i;
            double[] accepted = figure.curves().stream()
                    .mapToDouble(curve -> accepted(curve.loads().get(load)))
                    .sorted()
                    .toArray();
            most = Math.max(most, 1 - accepted[0] / accepted[accepted.length - 1]);
        }
        double[] last =
                figure.curves().stream().mapToDouble(Curve::saturation).sorted().toArray();
        return new StudyRow(
                row,
                text("Figure %d, %s: where %d dead leaves stand", figure.number(), size(figure), faults),
                text(
                        "accepted differs by %.2f %% at most; saturated %.4f to %.4f, seeds ±%.4f",
                        100 * most, last[0], last[last.length - 1], figure.spread(RunResult::accepted)),
                text("any two placements within %.0f %%", 100 * bound),
                most <= bound);
    }

    private static StudyRow numbers(StudyFigure figure) {
        Curve none = figure.curves().get(0);
        Curve five = figure.curves().get(1);
        Curve ten = figure.curves().get(2);
        double noise = figure.spread(RunResult::accepted);
        boolean falls = five.saturation() <= none.saturation() + noise && ten.saturation() <= five.saturation() + noise;
        return new StudyRow(
                "S7",
                "Figure 9, " + size(figure) + ", saturated: 0, 5 and 10 dead leaves on the diagonal",
                text(
                        "accepted %.4f, %.4f (%+.2f %%), %.4f (%+.2f %%), seeds ±%.4f",
                        none.saturation(),
                        five.saturation(),
                        -100 * loss(none, five),
                        ten.saturation(),
                        -100 * loss(none, ten),
                        noise),
                "does not grow beyond the noise; 5 cost at most 2 %, 10 at most 4 % (paper: 1 %, 2 %)",
                falls && loss(none, five) <= 0.02 && loss(none, ten) <= 0.04);
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}

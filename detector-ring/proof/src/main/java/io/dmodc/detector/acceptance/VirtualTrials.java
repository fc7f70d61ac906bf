package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.Scenario;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import io.dmodc.detector.theory.RingBounds;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What rows proven in virtual time share: times, sizes, and how a trial becomes a line. */
final class VirtualTrials {
    static final long ETA = TimeUnit.MILLISECONDS.toNanos(100);
    static final long DELTA = TimeUnit.SECONDS.toNanos(1);
    static final double ETA_DELTA = (double) ETA / DELTA;

    /** Above this size only the largest f is tried. */
    static final int MANY = 1_024;

    static final long SEED = 4;
    private static final List<Integer> SIZES = List.of(64, 1_024, 16_384, 100_000);

    private VirtualTrials() {}

    static RingRules standard(int nodes) {
        return RingRules.standard(ETA, DELTA, nodes);
    }

    static TrialReport trial(ProbeContext context, int nodes, int faults, Scenario scenario, RingRules rules) {
        return trial(context, nodes, faults, scenario, rules, NetworkConditions.calm(), SEED);
    }

    static TrialReport trial(
            ProbeContext context,
            int nodes,
            int faults,
            Scenario scenario,
            RingRules rules,
            NetworkConditions conditions,
            long seed) {
        TrialPlan plan = new TrialPlan(nodes, faults, scenario, seed, rules, conditions, 0);
        return context.trial(plan, IntStream.range(0, nodes).toArray());
    }

    static int largest(ProbeContext context) {
        return Math.min(context.effort().nodesMost(), SIZES.get(SIZES.size() - 1));
    }

    static List<Integer> sizes(ProbeContext context) {
        return SIZES.stream().filter(nodes -> nodes <= largest(context)).toList();
    }

    static RingBounds bounds(int nodes) {
        return RingBounds.of(nodes, standard(nodes), TimeUnit.MILLISECONDS.toNanos(1));
    }

    static int provenFaults(int nodes) {
        return bounds(nodes).provenFaults();
    }

    /** Holds if every report does; the figure is the slowest one's. */
    static void judgeAll(ProbeContext context, String row, String claim, String bound, List<TrialReport> reports) {
        judgeAll(context, row, claim, bound, reports, Double.POSITIVE_INFINITY);
    }

    /** The same, and no report may be slower than so many δ. */
    static void judgeAll(
            ProbeContext context, String row, String claim, String bound, List<TrialReport> reports, double mostDelta) {
        List<TrialReport> broken =
                reports.stream().filter(report -> !report.holds()).toList();
        TrialReport slowest = reports.stream()
                .max(Comparator.comparingDouble(TrialReport::allKnowDelta))
                .orElseThrow();
        context.judge(
                row,
                claim,
                broken.isEmpty() && slowest.allKnowDelta() <= mostDelta,
                bound,
                "%d of %d hold, slowest %.2f delta%s",
                reports.size() - broken.size(),
                reports.size(),
                slowest.allKnowDelta(),
                broken.isEmpty() ? "" : complaint(broken.get(0)));
    }

    /** What was wrong, to be put behind a figure; nothing if nothing was. */
    static String complaint(TrialReport report) {
        return report.holds()
                ? ""
                : "; " + report.failures().get(0) + " (of " + report.failures().size() + ")";
    }
}

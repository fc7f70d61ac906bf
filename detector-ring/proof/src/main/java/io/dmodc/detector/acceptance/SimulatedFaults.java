package io.dmodc.detector.acceptance;

import static io.dmodc.detector.acceptance.VirtualTrials.DELTA;
import static io.dmodc.detector.acceptance.VirtualTrials.ETA;
import static io.dmodc.detector.acceptance.VirtualTrials.ETA_DELTA;
import static io.dmodc.detector.acceptance.VirtualTrials.MANY;
import static io.dmodc.detector.acceptance.VirtualTrials.SEED;
import static io.dmodc.detector.acceptance.VirtualTrials.bounds;
import static io.dmodc.detector.acceptance.VirtualTrials.complaint;
import static io.dmodc.detector.acceptance.VirtualTrials.judgeAll;
import static io.dmodc.detector.acceptance.VirtualTrials.largest;
import static io.dmodc.detector.acceptance.VirtualTrials.provenFaults;
import static io.dmodc.detector.acceptance.VirtualTrials.sizes;
import static io.dmodc.detector.acceptance.VirtualTrials.standard;
import static io.dmodc.detector.acceptance.VirtualTrials.trial;

import io.dmodc.detector.FailureDomains;
import io.dmodc.detector.RingOrder;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.Scenario;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import io.dmodc.detector.theory.BinomialGraph;
import io.dmodc.detector.theory.RingBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Rows A6 to A8: many deaths at one instant or one after the other, in virtual time. */
final class SimulatedFaults {
    private static final int HUGE = 16_384;

    /** PGFT(3; 24,16,32; 1,16,16; 1,1,1): 32 pods of 16 leaves and 16 upper switches below 256 spines. */
    private static final int PODS = 32;

    private static final int POD_SWITCHES = 32;
    private static final int SPINES = 256;
    private static final int POD_TRIALS = 5;

    /** Its members sit apart, so each is found as if it were the only one. */
    private static final double POD_DELTA = 1.1;

    private SimulatedFaults() {}

    /** A6: f at one instant, and cascades, in both forms. */
    static void walls(ProbeContext context) {
        for (int nodes : sizes(context)) {
            RingBounds bounds = bounds(nodes);
            int most = bounds.provenFaults();
            int least = nodes <= (context.effort().whole() ? HUGE : MANY) ? 1 : most;
            context.tell("%,d nodes, f = %d..%d", nodes, least, most);
            wall(context, nodes, least, most, Scenario.BURST, standard(nodes), "asking width 2 log2 n", bounds);
            if (nodes <= HUGE || context.effort().whole()) {
                RingRules published = RingRules.published(ETA, DELTA);
                wall(context, nodes, least, most, Scenario.BURST, published, "as published", bounds);
                wall(context, nodes, least, most, Scenario.CASCADE, published, "as published", bounds);
                wall(context, nodes, least, most, Scenario.CASCADE, standard(nodes), "asking width 2 log2 n", bounds);
            } else {
                context.put(AcceptanceRow.notRun(
                        "A6",
                        String.format(Locale.ROOT, "burst as published and cascade, %,d nodes", nodes),
                        "takes minutes; --full"));
            }
        }
    }

    /** The worst of all f, each against what is expected of so many and against T(f), which is far above it. */
    private static void wall(
            ProbeContext context,
            int nodes,
            int least,
            int most,
            Scenario scenario,
            RingRules rules,
            String form,
            RingBounds bounds) {
        List<String> broken = new ArrayList<>();
        double worst = 0;
        for (int f = least; f <= most; f++) {
            TrialReport report = trial(context, nodes, f, scenario, rules);
            worst = Math.max(worst, report.allKnowDelta());
            double wall = (double) bounds.stableNanos(f) / DELTA;
            double expected = expected(bounds, f, scenario, rules);
            if (report.allKnowDelta() > Math.min(wall, expected) || !report.holds()) {
                broken.add(String.format(
                        Locale.ROOT, "f = %d: %.2f delta%s", f, report.allKnowDelta(), complaint(report)));
            }
        }
        context.judge(
                "A6",
                String.format(
                        Locale.ROOT,
                        "%s of f = %d..%d, %s, %,d nodes",
                        scenario.name().toLowerCase(Locale.ROOT),
                        least,
                        most,
                        form,
                        nodes),
                broken.isEmpty(),
                String.format(
                        Locale.ROOT,
                        "<= %s = %.1f delta; proven T(f) = %.1f",
                        form(scenario, rules),
                        expected(bounds, most, scenario, rules),
                        (double) bounds.stableNanos(most) / DELTA),
                "worst %.2f delta%s",
                worst,
                broken.isEmpty() ? "" : ": " + String.join("; ", broken));
    }

    private static String form(Scenario scenario, RingRules rules) {
        boolean published = rules.askingWidth() == 0;
        if (scenario == Scenario.BURST) {
            return published ? "(2 f - 1) delta + eta" : "3 delta + 2 eta";
        }
        return published ? "3 f delta" : "(f + 2) delta";
    }

    private static double expected(RingBounds bounds, int faults, Scenario scenario, RingRules rules) {
        if (scenario == Scenario.CASCADE) {
            return (double) bounds.cascadeNanos(faults, rules.askingWidth()) / DELTA;
        }
        double burst = (double) bounds.burstNanos(faults, rules.askingWidth()) / DELTA;
        return burst + (rules.askingWidth() == 0 ? 1 : 2) * ETA_DELTA;
    }

    /** A7: more faults than the theorem covers, up to what cannot cut the overlay, and beyond. */
    static void beyond(ProbeContext context) {
        int biggest = context.effort().whole() ? largest(context) : Math.min(largest(context), MANY);
        for (int nodes :
                sizes(context).stream().filter(n -> n <= biggest && n != HUGE).toList()) {
            int tolerated = BinomialGraph.toleratedFaults(nodes);
            int covered = provenFaults(nodes);
            int from = nodes <= MANY ? covered + 1 : tolerated;
            context.tell("%,d nodes, f = %d..%d", nodes, from, tolerated);
            knownByAll(context, nodes, IntStream.rangeClosed(from, tolerated), "f up to degree - 1 = " + tolerated);
            if (nodes <= MANY) {
                knownByAll(context, nodes, IntStream.of(tolerated + 1, 2 * tolerated), "f up to 2 (degree - 1)");
            }
        }
    }

    private static void knownByAll(ProbeContext context, int nodes, IntStream faults, String claim) {
        List<TrialReport> reports = new ArrayList<>();
        faults.forEach(f -> {
            reports.add(trial(context, nodes, f, Scenario.BURST, standard(nodes)));
            reports.add(trial(context, nodes, f, Scenario.SPREAD, standard(nodes)));
        });
        judgeAll(
                context,
                "A7",
                String.format(Locale.ROOT, "%s, bursts and spread, %,d nodes", claim, nodes),
                "all live nodes know all dead ones, ring closed",
                reports);
    }

    /** A8: the switches of one pod die at once, and the ring order had scattered them. */
    static void pod(ProbeContext context) {
        int nodes = PODS * POD_SWITCHES + SPINES;
        context.tell("loss of a pod among %,d switches", nodes);
        FailureDomains domains = new FailureDomains(nodes);
        for (int member = 0; member < PODS * POD_SWITCHES; member++) {
            domains.put(member, "pod", "pod " + member / POD_SWITCHES);
        }
        RingOrder order = RingOrder.of(
                SEED, LongStream.range(0, nodes).map(i -> 0xA000 + i).toArray(), domains);
        context.judge(
                "A8",
                String.format(Locale.ROOT, "ring order of a PGFT with %,d switches in %d pods", nodes, PODS),
                order.violations().isEmpty(),
                "no two ring neighbours in one pod",
                "%d violations",
                order.violations().size());
        int[] podOfSlot =
                IntStream.range(0, nodes).map(slot -> podOf(order.member(slot))).toArray();
        List<TrialReport> reports = LongStream.iterate(0, seed -> seed + 1)
                .mapToObj(seed -> new TrialPlan(
                        nodes, POD_SWITCHES, Scenario.POD, seed, standard(nodes), NetworkConditions.calm(), POD_DELTA))
                .map(plan -> context.trial(plan, podOfSlot))
                .filter(report -> report.deaths() == POD_SWITCHES) // not a spine, which is alone in its domain
                .limit(POD_TRIALS)
                .toList();
        judgeAll(
                context,
                "A8",
                "a whole pod of " + POD_SWITCHES + " switches dies at one instant",
                "<= " + POD_DELTA + " delta",
                reports,
                POD_DELTA);
    }

    /** Each spine is a domain of its own. */
    private static int podOf(int member) {
        return member < PODS * POD_SWITCHES ? member / POD_SWITCHES : member;
    }
}

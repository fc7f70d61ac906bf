package io.dmodc.detector.acceptance;

import static io.dmodc.detector.acceptance.VirtualTrials.MANY;
import static io.dmodc.detector.acceptance.VirtualTrials.complaint;
import static io.dmodc.detector.acceptance.VirtualTrials.largest;
import static io.dmodc.detector.acceptance.VirtualTrials.standard;

import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.Scenario;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Row A15: what is worse than a death. Members that hear nobody, or are heard by nobody, must not make others believe
 * that the living are dead; and whatever happened, alone or all at once, leaves no trace once it is over.
 */
final class HostileWorld {
    /** Datagrams a member, heartbeats aside, that one which is deaf, mute or alone may cost. */
    private static final double MESSAGES_MOST = 50;

    private static final double WHOLE_DELTA = 12;
    private static final int SMALL = 64;
    private static final int LONG_DELTA = 600;
    private static final int SEEDS = 5;
    private static final int LATE = 4;
    private static final int SWARM = 24;
    private static final int LARGE_SWARM = 512;
    private static final int LARGE_SWARM_SEEDS = 2;
    private static final int LARGE_SWARM_SEEDS_FULL = 200;
    private static final int NAMED_MOST = 10;

    private HostileWorld() {}

    static void run(ProbeContext context) {
        for (Scenario scenario : List.of(Scenario.DEAF, Scenario.MUTE, Scenario.ISOLATED)) {
            for (int nodes :
                    IntStream.of(SMALL, MANY).filter(n -> n <= largest(context)).toArray()) {
                oneSided(context, nodes, scenario, TrialPlan.LENGTH_STANDARD);
            }
        }
        oneSided(context, SMALL, Scenario.ISOLATED, LONG_DELTA);
        for (Scenario scenario : List.of(Scenario.SPLIT_HALF, Scenario.MIXED_EPOCHS, Scenario.ROLLING_RESTART)) {
            recovers(context, scenario);
        }
        swarm(context, SWARM, context.effort().swarmSeeds());
        if (LARGE_SWARM <= largest(context)) {
            swarm(context, LARGE_SWARM, context.effort().whole() ? LARGE_SWARM_SEEDS_FULL : LARGE_SWARM_SEEDS);
        }
    }

    private static void oneSided(ProbeContext context, int nodes, Scenario scenario, int lengthDelta) {
        context.tell("%s for %d delta, %,d nodes", scenario, lengthDelta, nodes);
        List<TrialReport> reports = reports(context, nodes, 1, scenario, lengthDelta);
        int heldDead =
                reports.stream().mapToInt(TrialReport::falseSuspicions).max().orElse(0);
        double messages = reports.stream()
                .mapToDouble(TrialReport::recoveryMessages)
                .max()
                .orElse(0);
        context.judge(
                "A15",
                String.format(
                        Locale.ROOT,
                        "one member %s for %d delta, %,d members, %d seeds",
                        scenario,
                        lengthDelta,
                        nodes,
                        SEEDS),
                heldDead == 0 && messages <= MESSAGES_MOST && isClean(reports),
                String.format(
                        Locale.ROOT,
                        "0 living held dead, <= %.0f datagrams a member, whole <= %.0f delta after it",
                        MESSAGES_MOST,
                        WHOLE_DELTA),
                "%d others held dead, %.1f datagrams a member beside heartbeats, whole after %.1f delta%s",
                heldDead,
                messages,
                wholeDelta(reports),
                firstComplaint(reports));
    }

    private static void recovers(ProbeContext context, Scenario scenario) {
        context.tell("%s, %,d nodes", scenario, SMALL);
        List<TrialReport> reports = reports(context, SMALL, LATE, scenario, TrialPlan.LENGTH_STANDARD);
        context.judge(
                "A15",
                String.format(Locale.ROOT, "%s, %d members, %d seeds", scenario, SMALL, SEEDS),
                isClean(reports),
                String.format(Locale.ROOT, "0 violations, whole <= %.0f delta after it", WHOLE_DELTA),
                "%d violations, whole after %.1f delta%s",
                reports.stream().mapToInt(report -> report.failures().size()).sum(),
                wholeDelta(reports),
                firstComplaint(reports));
    }

    private static List<TrialReport> reports(
            ProbeContext context, int nodes, int faults, Scenario scenario, int lengthDelta) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> trial(context, nodes, faults, scenario, seed, lengthDelta))
                .toList();
    }

    /** Each seed is another story; what fails is named, so that it can be told again. */
    private static void swarm(ProbeContext context, int nodes, int seeds) {
        context.tell("%,d seeds of a swarm of faults, %,d nodes", seeds, nodes);
        List<TrialReport> broken = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            TrialReport report = trial(context, nodes, 1, Scenario.SWARM, seed, TrialPlan.LENGTH_STANDARD);
            if (!report.holds() || report.wholeDelta() > WHOLE_DELTA) {
                broken.add(report);
            }
        }
        List<Long> named = broken.stream()
                .limit(NAMED_MOST)
                .map(report -> report.plan().seed())
                .toList();
        context.judge(
                "A15",
                String.format(Locale.ROOT, "40 random faults of all kinds, %d members, seeds 1..%,d", nodes, seeds),
                broken.isEmpty(),
                String.format(Locale.ROOT, "0 seeds with a violation, whole <= %.0f delta after the last", WHOLE_DELTA),
                "%d of %,d seeds with a violation%s",
                broken.size(),
                seeds,
                broken.isEmpty() ? "" : ": " + named + firstComplaint(broken));
    }

    /** Not remembered: there are thousands, and no other row asks for them. */
    private static TrialReport trial(
            ProbeContext context, int nodes, int faults, Scenario scenario, long seed, int lengthDelta) {
        TrialPlan plan =
                new TrialPlan(nodes, faults, scenario, seed, standard(nodes), NetworkConditions.calm(), lengthDelta, 0);
        return context.freshTrial(plan, IntStream.range(0, nodes).toArray());
    }

    private static boolean isClean(List<TrialReport> reports) {
        return reports.stream().allMatch(TrialReport::holds) && wholeDelta(reports) <= WHOLE_DELTA;
    }

    private static double wholeDelta(List<TrialReport> reports) {
        return reports.stream().mapToDouble(TrialReport::wholeDelta).max().orElse(0);
    }

    private static String firstComplaint(List<TrialReport> reports) {
        return reports.stream()
                .filter(report -> !report.holds())
                .findFirst()
                .map(report -> "; seed " + report.plan().seed() + complaint(report))
                .orElse("");
    }
}

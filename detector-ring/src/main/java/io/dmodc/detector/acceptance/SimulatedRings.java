package io.dmodc.detector.acceptance;

import io.dmodc.detector.FailureDomains;
import io.dmodc.detector.RingOrder;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.acceptance.Workbench.TimedTrial;
import io.dmodc.detector.sim.Conditions;
import io.dmodc.detector.sim.Scenario;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import io.dmodc.detector.theory.BinomialGraph;
import io.dmodc.detector.theory.RingBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Rows A3 and A5 to A12 as far as rings in virtual time tell them: what no machine can hold, or no loopback shows. */
final class SimulatedRings {
    private static final long ETA = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long DELTA = TimeUnit.SECONDS.toNanos(1);
    private static final double ETA_DELTA = (double) ETA / DELTA;
    private static final long SEED = 4;
    private static final List<Integer> SIZES = List.of(64, 1_024, 16_384, 100_000);

    /** Above this size only the largest f is tried, and the slow published form only at full length. */
    private static final int MANY = 1_024;

    private static final int HUGE = 16_384;
    private static final double WALL_SECONDS = 60;
    private static final long HEAP_MIB = 4_096;
    private static final double TRAFFIC_TOLERANCE = 0.03;
    private static final double LOSS = 0.05;
    private static final int LOSSY_NODES = 64;
    private static final int LOSSY_FAULTS = 5;
    private static final int REJOINS = 10;

    /** PGFT(3; 24,16,32; 1,16,16; 1,1,1): 32 pods of 16 leaves and 16 upper switches below 256 spines. */
    private static final int PODS = 32;

    private static final int POD_SWITCHES = 32;
    private static final int SPINES = 256;
    private static final int POD_TRIALS = 5;

    private SimulatedRings() {}

    private static RingRules standard(int nodes) {
        return RingRules.standard(ETA, DELTA, nodes);
    }

    private static TrialReport trial(Workbench bench, int nodes, int faults, Scenario scenario, RingRules rules) {
        return trial(bench, nodes, faults, scenario, rules, Conditions.calm(), SEED);
    }

    private static TrialReport trial(
            Workbench bench,
            int nodes,
            int faults,
            Scenario scenario,
            RingRules rules,
            Conditions conditions,
            long seed) {
        TrialPlan plan = new TrialPlan(nodes, faults, scenario, seed, rules, conditions, 0);
        return bench.trial(plan, IntStream.range(0, nodes).toArray());
    }

    private static int largest(Workbench bench) {
        return Math.min(bench.effort().nodesMost(), SIZES.get(SIZES.size() - 1));
    }

    private static List<Integer> sizes(Workbench bench) {
        return SIZES.stream().filter(nodes -> nodes <= largest(bench)).toList();
    }

    private static TrialReport largestBurst(Workbench bench) {
        int nodes = largest(bench);
        int faults = provenFaults(nodes);
        bench.tell("%,d nodes in virtual time, burst of %d", nodes, faults);
        return trial(bench, nodes, faults, Scenario.BURST, standard(nodes));
    }

    private static int provenFaults(int nodes) {
        return RingBounds.of(nodes, standard(nodes), TimeUnit.MILLISECONDS.toNanos(1))
                .provenFaults();
    }

    /** A3: heartbeats of the largest ring. */
    static void traffic(Workbench bench) {
        TrialReport report = largestBurst(bench);
        double perSecond = 1e9 / ETA;
        bench.judge(
                "A3",
                String.format(Locale.ROOT, "steady traffic of each member, %,d in virtual time", largest(bench)),
                Math.abs(report.heartbeatsMin() - perSecond) <= TRAFFIC_TOLERANCE * perSecond
                        && Math.abs(report.heartbeatsMax() - perSecond) <= TRAFFIC_TOLERANCE * perSecond,
                "10.0/s +-3 %",
                "%.2f..%.2f/s",
                report.heartbeatsMin(),
                report.heartbeatsMax());
    }

    /** A5: hops in lock-step, time with random delays, messages. */
    static void propagation(Workbench bench) {
        for (int nodes : sizes(bench)) {
            bench.tell("%,d nodes in lock-step", nodes);
            int faults = 1;
            Conditions calm = Conditions.calm();
            Conditions lockStep = new Conditions(calm.delayMicros(), calm.sendCostMicros(), 0, 0, 0, true);
            TrialReport report = trial(bench, nodes, faults, Scenario.ONE, standard(nodes), lockStep, SEED);
            int most = (33 - Integer.numberOfLeadingZeros(nodes - 1)) / 2 + 1;
            bench.judge(
                    "A5",
                    String.format(Locale.ROOT, "hops of first copies in lock-step, %,d nodes", nodes),
                    report.hopsMax() <= most && report.holds(),
                    "<= " + most,
                    "%d hops%s",
                    report.hopsMax(),
                    complaint(report));
        }
        TrialReport report = largestBurst(bench);
        int degree = BinomialGraph.degree(largest(bench));
        bench.judge(
                "A5",
                String.format(
                        Locale.ROOT, "time from first to last knowledge, %,d nodes, random delays", largest(bench)),
                report.propagationMicros() <= report.broadcastMicros(),
                String.format(Locale.ROOT, "<= B(n) = %.1f ms", report.broadcastMicros() / 1e3),
                "%.1f ms, %d hops",
                report.propagationMicros() / 1e3,
                report.hopsMax());
        bench.judge(
                "A5",
                String.format(Locale.ROOT, "messages for each fault and node, %,d nodes", largest(bench)),
                report.messagesPerFault() <= degree,
                "<= degree " + degree,
                "%.2f",
                report.messagesPerFault());
    }

    /** A6: f at one instant, and cascades, in both forms. */
    static void walls(Workbench bench) {
        for (int nodes : sizes(bench)) {
            RingBounds bounds = RingBounds.of(nodes, standard(nodes), TimeUnit.MILLISECONDS.toNanos(1));
            int most = bounds.provenFaults();
            int least = nodes <= MANY ? 1 : most;
            bench.tell("%,d nodes, f = %d..%d", nodes, least, most);
            wall(bench, nodes, least, most, Scenario.BURST, standard(nodes), "asking width 2 log2 n", bounds);
            if (nodes <= HUGE || bench.effort().whole()) {
                RingRules published = RingRules.published(ETA, DELTA);
                wall(bench, nodes, least, most, Scenario.BURST, published, "as published", bounds);
                wall(bench, nodes, least, most, Scenario.CASCADE, published, "as published", bounds);
                wall(bench, nodes, least, most, Scenario.CASCADE, standard(nodes), "asking width 2 log2 n", bounds);
            } else {
                bench.put(AcceptanceRow.notRun(
                        "A6",
                        String.format(Locale.ROOT, "burst as published and cascade, %,d nodes", nodes),
                        "takes minutes; --full"));
            }
        }
    }

    /** The worst of all f, each against its own bound: expected for bursts, T(f) for all. */
    private static void wall(
            Workbench bench,
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
            TrialReport report = trial(bench, nodes, f, scenario, rules);
            worst = Math.max(worst, report.allKnowDelta());
            double wall = (double) bounds.stableNanos(f) / DELTA;
            double expected = scenario == Scenario.BURST ? expected(bounds, f, rules) : wall;
            if (report.allKnowDelta() > Math.min(wall, expected) || !report.holds()) {
                broken.add(String.format(
                        Locale.ROOT, "f = %d: %.2f delta%s", f, report.allKnowDelta(), complaint(report)));
            }
        }
        bench.judge(
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
                scenario == Scenario.BURST
                        ? String.format(
                                Locale.ROOT,
                                "<= %s, and T(f) = %.1f",
                                rules.askingWidth() == 0 ? "(2 f - 1) delta + eta" : "3 delta + 2 eta",
                                (double) bounds.stableNanos(most) / DELTA)
                        : String.format(Locale.ROOT, "<= T(f) = %.1f delta", (double) bounds.stableNanos(most) / DELTA),
                "worst %.2f delta%s",
                worst,
                broken.isEmpty() ? "" : ": " + String.join("; ", broken));
    }

    private static double expected(RingBounds bounds, int faults, RingRules rules) {
        double burst = (double) bounds.burstNanos(faults, rules.askingWidth()) / DELTA;
        return burst + (rules.askingWidth() == 0 ? 1 : 2) * ETA_DELTA;
    }

    /** A7: more faults than the theorem covers, up to what cannot cut the overlay, and beyond. */
    static void beyond(Workbench bench) {
        int biggest = bench.effort().whole() ? largest(bench) : Math.min(largest(bench), MANY);
        for (int nodes :
                sizes(bench).stream().filter(n -> n <= biggest && n != HUGE).toList()) {
            int tolerated = BinomialGraph.toleratedFaults(nodes);
            int covered = provenFaults(nodes);
            int from = nodes <= MANY ? covered + 1 : tolerated;
            bench.tell("%,d nodes, f = %d..%d", nodes, from, tolerated);
            knownByAll(bench, nodes, IntStream.rangeClosed(from, tolerated), "f up to degree - 1 = " + tolerated);
            if (nodes <= MANY) {
                knownByAll(bench, nodes, IntStream.of(tolerated + 1, 2 * tolerated), "f up to 2 (degree - 1)");
            }
        }
    }

    private static void knownByAll(Workbench bench, int nodes, IntStream faults, String claim) {
        List<TrialReport> reports = new ArrayList<>();
        faults.forEach(f -> {
            reports.add(trial(bench, nodes, f, Scenario.BURST, standard(nodes)));
            reports.add(trial(bench, nodes, f, Scenario.SPREAD, standard(nodes)));
        });
        judgeAll(
                bench,
                "A7",
                String.format(Locale.ROOT, "%s, bursts and spread, %,d nodes", claim, nodes),
                "all live nodes know all dead ones, ring closed",
                reports);
    }

    /** Holds if every report does; the figure is the slowest one's. */
    private static void judgeAll(Workbench bench, String row, String claim, String bound, List<TrialReport> reports) {
        List<TrialReport> broken =
                reports.stream().filter(report -> !report.holds()).toList();
        TrialReport slowest = reports.stream()
                .max(Comparator.comparingDouble(TrialReport::allKnowDelta))
                .orElseThrow();
        bench.judge(
                row,
                claim,
                broken.isEmpty(),
                bound,
                "%d of %d hold, slowest %.2f delta%s",
                reports.size() - broken.size(),
                reports.size(),
                slowest.allKnowDelta(),
                broken.isEmpty() ? "" : complaint(broken.get(0)));
    }

    /** A8: the switches of one pod die at once, and the ring order had scattered them. */
    static void pod(Workbench bench) {
        int nodes = PODS * POD_SWITCHES + SPINES;
        bench.tell("loss of a pod among %,d switches", nodes);
        FailureDomains domains = new FailureDomains(nodes);
        for (int member = 0; member < PODS * POD_SWITCHES; member++) {
            domains.put(member, "pod", "pod " + member / POD_SWITCHES);
        }
        RingOrder order = RingOrder.of(
                SEED, LongStream.range(0, nodes).map(i -> 0xA000 + i).toArray(), domains);
        bench.judge(
                "A8",
                String.format(Locale.ROOT, "ring order of a PGFT with %,d switches in %d pods", nodes, PODS),
                order.violations().isEmpty(),
                "no two ring neighbours in one pod",
                "%d violations",
                order.violations().size());
        int[] podOfSlot =
                IntStream.range(0, nodes).map(slot -> podOf(order.member(slot))).toArray();
        List<TrialReport> reports = LongStream.iterate(0, seed -> seed + 1)
                .mapToObj(seed ->
                        new TrialPlan(nodes, POD_SWITCHES, Scenario.POD, seed, standard(nodes), Conditions.calm(), 3))
                .map(plan -> bench.trial(plan, podOfSlot))
                .filter(report -> report.deaths() == POD_SWITCHES) // not a spine, which is alone in its domain
                .limit(POD_TRIALS)
                .toList();
        judgeAll(
                bench, "A8", "a whole pod of " + POD_SWITCHES + " switches dies at one instant", "<= 3 delta", reports);
    }

    /** Each spine is a domain of its own. */
    private static int podOf(int member) {
        return member < PODS * POD_SWITCHES ? member / POD_SWITCHES : member;
    }

    /** A10: loss. */
    static void loss(Workbench bench) {
        bench.tell("%d seeds with 5 %% loss", bench.effort().lossSeeds());
        List<TrialReport> reports = LongStream.rangeClosed(1, bench.effort().lossSeeds())
                .mapToObj(seed -> trial(
                        bench,
                        LOSSY_NODES,
                        LOSSY_FAULTS,
                        Scenario.BURST,
                        standard(LOSSY_NODES),
                        Conditions.calm().losing(LOSS),
                        seed))
                .toList();
        judgeAll(
                bench,
                "A10",
                "5 % loss, burst f = 5, n = 64, " + reports.size() + " seeds",
                "0 false suspicions, ring closed, all know",
                reports);
    }

    /** A11: how fast the simulator is, and that it repeats itself. */
    static void simulator(Workbench bench) {
        int nodes = largest(bench);
        int faults = provenFaults(nodes);
        TrialPlan plan = new TrialPlan(nodes, faults, Scenario.BURST, SEED, standard(nodes), Conditions.calm(), 0);
        bench.tell("%,d nodes in virtual time, timed", nodes);
        TimedTrial timed = bench.timedTrial(plan, IntStream.range(0, nodes).toArray());
        TrialReport report = timed.report();
        long heapMib = Runtime.getRuntime().totalMemory() >> 20;
        bench.judge(
                "A11",
                String.format(Locale.ROOT, "burst of %d among %,d nodes in virtual time", faults, nodes),
                timed.seconds() <= WALL_SECONDS && heapMib <= HEAP_MIB && report.holds(),
                String.format(Locale.ROOT, "<= %.0f s, <= %,d MiB", WALL_SECONDS, HEAP_MIB),
                "%.1f s for %,d events, heap of %,d MiB%s",
                timed.seconds(),
                report.events(),
                heapMib,
                complaint(report));
        repeats(bench);
    }

    private static void repeats(Workbench bench) {
        int nodes = Math.min(largest(bench), MANY);
        TrialPlan plan =
                new TrialPlan(nodes, provenFaults(nodes), Scenario.BURST, SEED, standard(nodes), Conditions.calm(), 0);
        int[] domains = IntStream.range(0, nodes).toArray();
        long once = bench.freshTrial(plan, domains).eventHash();
        long again = bench.freshTrial(plan, domains).eventHash();
        TrialPlan otherSeed = new TrialPlan(
                nodes, provenFaults(nodes), Scenario.BURST, SEED + 1, standard(nodes), Conditions.calm(), 0);
        long other = bench.freshTrial(otherSeed, domains).eventHash();
        bench.judge(
                "A11",
                String.format(Locale.ROOT, "the same seed twice, %,d nodes", nodes),
                once == again && once != other,
                "equal event hashes, another one for another seed",
                "%016x, %016x; other seed %016x",
                once,
                again,
                other);
    }

    /** A12: rejoin. */
    static void rejoin(Workbench bench) {
        for (int nodes : sizes(bench).stream().filter(n -> n <= MANY).toList()) {
            TrialReport report = trial(bench, nodes, REJOINS, Scenario.RESTART, standard(nodes));
            double bound = ETA_DELTA + report.broadcastMicros() * 1e3 / DELTA;
            bench.judge(
                    "A12",
                    String.format(Locale.ROOT, "%d rounds of death and return, %,d nodes", REJOINS, nodes),
                    report.returnKnowDelta() <= bound && report.holds(),
                    String.format(
                            Locale.ROOT,
                            "new incarnation known <= eta + B(n) = %.3f delta, ring closed, no residue",
                            bound),
                    "%.3f delta%s",
                    report.returnKnowDelta(),
                    complaint(report));
        }
    }

    private static String complaint(TrialReport report) {
        return report.holds()
                ? ""
                : "; " + report.failures().get(0) + " (of " + report.failures().size() + ")";
    }
}

package io.dmodc.detector.acceptance;

import static io.dmodc.detector.acceptance.VirtualTrials.DELTA;
import static io.dmodc.detector.acceptance.VirtualTrials.ETA;
import static io.dmodc.detector.acceptance.VirtualTrials.ETA_DELTA;
import static io.dmodc.detector.acceptance.VirtualTrials.MANY;
import static io.dmodc.detector.acceptance.VirtualTrials.SEED;
import static io.dmodc.detector.acceptance.VirtualTrials.complaint;
import static io.dmodc.detector.acceptance.VirtualTrials.judgeAll;
import static io.dmodc.detector.acceptance.VirtualTrials.largest;
import static io.dmodc.detector.acceptance.VirtualTrials.provenFaults;
import static io.dmodc.detector.acceptance.VirtualTrials.sizes;
import static io.dmodc.detector.acceptance.VirtualTrials.standard;
import static io.dmodc.detector.acceptance.VirtualTrials.trial;

import io.dmodc.detector.acceptance.ProbeContext.TimedTrial;
import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.Scenario;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import io.dmodc.detector.theory.BinomialGraph;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Rows A3, A5 and A10 to A12 as far as rings in virtual time tell them: what no machine can hold, or no loopback shows.
 */
final class SimulatedRings {
    private static final double WALL_SECONDS = 60;
    private static final long HEAP_MIB = 4_096;
    private static final double TRAFFIC_TOLERANCE = 0.03;
    private static final double LOSS = 0.05;
    private static final int LOSSY_NODES = 64;
    private static final int LOSSY_FAULTS = 5;
    private static final int REJOINS = 10;

    /** B(n) allows for two broadcasts on a busy port, one hop after the other. So much less it takes, and some more. */
    private static final double NEWS_PART = 1 / 20.0;

    private static final double RETURN_PART = 1 / 32.0;

    /** What is not news: doubts and questions. */
    private static final double BESIDE_NEWS = 0.1;

    private SimulatedRings() {}

    private static TrialReport largestBurst(ProbeContext context) {
        int nodes = largest(context);
        int faults = provenFaults(nodes);
        context.tell("%,d nodes in virtual time, burst of %d", nodes, faults);
        return trial(context, nodes, faults, Scenario.BURST, standard(nodes));
    }

    /** A3: heartbeats of the largest ring. */
    static void traffic(ProbeContext context) {
        TrialReport report = largestBurst(context);
        double perSecond = 1e9 / ETA;
        context.judge(
                "A3",
                String.format(Locale.ROOT, "steady traffic of each member, %,d in virtual time", largest(context)),
                Math.abs(report.heartbeatsMin() - perSecond) <= TRAFFIC_TOLERANCE * perSecond
                        && Math.abs(report.heartbeatsMax() - perSecond) <= TRAFFIC_TOLERANCE * perSecond,
                "10.0/s +-3 %",
                "%.2f..%.2f/s",
                report.heartbeatsMin(),
                report.heartbeatsMax());
    }

    /** A5: hops in lock-step, time with random delays, messages. */
    static void propagation(ProbeContext context) {
        for (int nodes : sizes(context)) {
            context.tell("%,d nodes in lock-step", nodes);
            int faults = 1;
            NetworkConditions calm = NetworkConditions.calm();
            NetworkConditions lockStep =
                    new NetworkConditions(calm.delayMicros(), calm.sendCostMicros(), 0, 0, 0, true);
            TrialReport report = trial(context, nodes, faults, Scenario.ONE, standard(nodes), lockStep, SEED);
            int most = (33 - Integer.numberOfLeadingZeros(nodes - 1)) / 2 + 1;
            context.judge(
                    "A5",
                    String.format(Locale.ROOT, "hops of first copies in lock-step, %,d nodes", nodes),
                    report.hopsMax() <= most && report.holds(),
                    "<= " + most,
                    "%d hops%s",
                    report.hopsMax(),
                    complaint(report));
        }
        spread(context, largestBurst(context));
    }

    private static void spread(ProbeContext context, TrialReport report) {
        double bound = NEWS_PART * report.broadcastMicros() / 1e3;
        int degree = BinomialGraph.degree(largest(context));
        double most = (1 + BESIDE_NEWS) * (degree - 1);
        double all = report.recoveryMessages() / report.deaths();
        context.judge(
                "A5",
                String.format(
                        Locale.ROOT, "time from first to last knowledge, %,d nodes, random delays", largest(context)),
                report.propagationMicros() / 1e3 <= bound,
                String.format(
                        Locale.ROOT,
                        "<= B(n) / 20 = %.1f ms; proven B(n) = %.1f",
                        bound,
                        report.broadcastMicros() / 1e3),
                "%.1f ms, %d hops",
                report.propagationMicros() / 1e3,
                report.hopsMax());
        context.judge(
                "A5",
                String.format(
                        Locale.ROOT,
                        "datagrams beside heartbeats for each fault and node, %,d nodes",
                        largest(context)),
                all <= most,
                String.format(
                        Locale.ROOT,
                        "<= %.1f: news to all neighbours but where it came from, %d, and a tenth; proven degree %d of news",
                        most,
                        degree - 1,
                        degree),
                "%.2f, of them %.2f news",
                all,
                report.messagesPerFault());
    }

    /** A10: loss. */
    static void loss(ProbeContext context) {
        context.tell("%d seeds with 5 %% loss", context.effort().lossSeeds());
        List<TrialReport> reports = LongStream.rangeClosed(1, context.effort().lossSeeds())
                .mapToObj(seed -> trial(
                        context,
                        LOSSY_NODES,
                        LOSSY_FAULTS,
                        Scenario.BURST,
                        standard(LOSSY_NODES),
                        NetworkConditions.calm().losing(LOSS),
                        seed))
                .toList();
        judgeAll(
                context,
                "A10",
                "5 % loss, burst f = 5, n = 64, " + reports.size() + " seeds",
                "0 false suspicions, ring closed, all know",
                reports);
    }

    /** A11: how fast the simulator is, and that it repeats itself. */
    static void simulator(ProbeContext context) {
        int nodes = largest(context);
        int faults = provenFaults(nodes);
        TrialPlan plan =
                new TrialPlan(nodes, faults, Scenario.BURST, SEED, standard(nodes), NetworkConditions.calm(), 0);
        context.tell("%,d nodes in virtual time, timed", nodes);
        TimedTrial timed = context.timedTrial(plan, IntStream.range(0, nodes).toArray());
        TrialReport report = timed.report();
        long heapMib = Runtime.getRuntime().totalMemory() >> 20;
        context.judge(
                "A11",
                String.format(Locale.ROOT, "burst of %d among %,d nodes in virtual time", faults, nodes),
                timed.seconds() <= WALL_SECONDS && heapMib <= HEAP_MIB && report.holds(),
                String.format(Locale.ROOT, "<= %.0f s, <= %,d MiB", WALL_SECONDS, HEAP_MIB),
                "%.1f s for %,d events, heap of %,d MiB%s",
                timed.seconds(),
                report.events(),
                heapMib,
                complaint(report));
        repeats(context);
    }

    private static void repeats(ProbeContext context) {
        int nodes = Math.min(largest(context), MANY);
        TrialPlan plan = new TrialPlan(
                nodes, provenFaults(nodes), Scenario.BURST, SEED, standard(nodes), NetworkConditions.calm(), 0);
        int[] domains = IntStream.range(0, nodes).toArray();
        long once = context.freshTrial(plan, domains).eventHash();
        long again = context.freshTrial(plan, domains).eventHash();
        TrialPlan otherSeed = new TrialPlan(
                nodes, provenFaults(nodes), Scenario.BURST, SEED + 1, standard(nodes), NetworkConditions.calm(), 0);
        long other = context.freshTrial(otherSeed, domains).eventHash();
        context.judge(
                "A11",
                String.format(Locale.ROOT, "the same seed twice, %,d nodes", nodes),
                once == again && once != other,
                "equal event hashes, another one for another seed",
                "%016x, %016x; other seed %016x",
                once,
                again,
                other);
    }

    /** A12: rejoin, of a node that knows its membership at once; what a manager adds to that is not measured here. */
    static void rejoin(ProbeContext context) {
        for (int nodes : sizes(context).stream().filter(n -> n <= MANY).toList()) {
            TrialReport report = trial(context, nodes, REJOINS, Scenario.RESTART, standard(nodes));
            double tookMicros = report.returnKnowDelta() * DELTA / 1e3;
            double bound = RETURN_PART * report.broadcastMicros();
            context.judge(
                    "A12",
                    String.format(
                            Locale.ROOT,
                            "%d rounds of death and return, membership known at once, %,d nodes",
                            REJOINS,
                            nodes),
                    tookMicros <= bound && report.holds(),
                    String.format(
                            Locale.ROOT,
                            "new incarnation known <= B(n) / 32 = %.2f ms, ring closed, no residue; proven eta + B(n) = %.0f ms",
                            bound / 1e3,
                            (ETA_DELTA * DELTA / 1e3 + report.broadcastMicros()) / 1e3),
                    "%.2f ms%s",
                    tookMicros / 1e3,
                    complaint(report));
        }
    }
}

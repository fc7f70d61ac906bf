package io.dmodc.ctl;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.Datagram;
import io.dmodc.detector.theory.BinomialGraph;
import io.dmodc.detector.theory.RandomPinging;
import io.dmodc.detector.theory.RingBounds;
import io.dmodc.detector.theory.SimultaneousFaultRisk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ring will do, as {@code fabricctl detector plan} prints it. Times in nanoseconds unless the name says seconds.
 *
 * @param detection what one silent agent takes
 * @param traffic   per agent
 * @param faults    f agents silent at once
 * @param risk      null below four nodes, where the theorem covers nothing
 * @param warnings  what an operator should change or know
 */
record PlanReport(
        int nodes,
        long etaNanos,
        long deltaNanos,
        long tauNanos,
        Detection detection,
        Traffic traffic,
        Faults faults,
        @Nullable IndependentFaults risk,
        Pinging randomPinging,
        List<String> warnings) {
    private static final int DATAGRAM_BYTES = Datagram.LENGTH;

    /** IPv4 and UDP around it. */
    private static final int HEADER_BYTES = 28;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double RISK_BOUND = 1e-9;
    private static final long SHORT_HEARTBEAT_NANOS = 10_000_000;

    record Detection(
            long leastNanos, long meanNanos, long mostNanos, long broadcastNanos, int hops, long allKnowMostNanos) {}

    record Traffic(
            double datagramsPerSecond,
            double bytesPerSecond,
            double bytesPerSecondWithHeaders,
            int datagramsPerFault,
            int askingWidth) {}

    /**
     * Faults at one instant, of agents that are neighbours on the ring.
     *
     * @param provenMost  most faults the theorem covers
     * @param provenNanos T(f), null if it does not cover f
     * @param tolerated   dead agents that can never cut the broadcast
     */
    record Faults(
            int count,
            long spreadNanos,
            long publishedNanos,
            long askingNanos,
            int provenMost,
            @Nullable Long provenNanos,
            int tolerated) {}

    record IndependentFaults(
            double meanBetweenFaultsYears,
            int faultsNotCovered,
            double probability,
            double bound,
            double largestDeltaSeconds) {}

    record Pinging(double ignoredPerRound, int rounds) {}

    static PlanReport of(
            int nodes, RingRules rules, long tauNanos, double meanBetweenFaultsNanos, @Nullable Integer wantedFaults) {
        RingBounds ring = RingBounds.of(nodes, rules, tauNanos);
        int count = wantedFaults == null ? Math.max(1, ring.provenFaults()) : wantedFaults;
        Faults faults = faults(ring, rules, count);
        IndependentFaults risk = nodes < SimultaneousFaultRisk.NODES_MIN ? null : risk(ring, meanBetweenFaultsNanos);
        return new PlanReport(
                nodes,
                rules.heartbeatNanos(),
                rules.suspicionNanos(),
                tauNanos,
                detection(ring),
                traffic(nodes, rules),
                faults,
                risk,
                new Pinging(RandomPinging.ignoredPerRound(nodes), RandomPinging.rounds(RISK_BOUND)),
                warnings(ring, faults, risk));
    }

    private static Detection detection(RingBounds ring) {
        return new Detection(
                ring.detectionLeastNanos(),
                ring.detectionMeanNanos(),
                ring.detectionMostNanos(),
                ring.broadcastNanos(),
                BinomialGraph.diameter(ring.liveCount()),
                ring.detectionMostNanos() + ring.broadcastNanos());
    }

    private static Traffic traffic(int nodes, RingRules rules) {
        double perSecond = NANOS_PER_SECOND / rules.heartbeatNanos();
        return new Traffic(
                perSecond,
                perSecond * DATAGRAM_BYTES,
                perSecond * (DATAGRAM_BYTES + HEADER_BYTES),
                BinomialGraph.degree(nodes),
                rules.askingWidth());
    }

    private static Faults faults(RingBounds ring, RingRules rules, int count) {
        return new Faults(
                count,
                ring.suspicionNanos(),
                ring.burstNanos(count, 0),
                ring.burstNanos(count, rules.askingWidth()),
                ring.provenFaults(),
                count <= ring.provenFaults() ? ring.stableNanos(count) : null,
                BinomialGraph.toleratedFaults(ring.liveCount()));
    }

    private static IndependentFaults risk(RingBounds ring, double meanNanos) {
        return new IndependentFaults(
                meanNanos / SimultaneousFaultRisk.yearNanos(),
                ring.logarithm(),
                SimultaneousFaultRisk.probability(ring, meanNanos),
                RISK_BOUND,
                SimultaneousFaultRisk.largestSuspicionNanos(
                                ring.liveCount(), (double) ring.delayNanos(), meanNanos, RISK_BOUND)
                        / NANOS_PER_SECOND);
    }

    private static List<String> warnings(RingBounds ring, Faults faults, @Nullable IndependentFaults risk) {
        List<String> warnings = new ArrayList<>();
        if (!ring.isFeasible()) {
            warnings.add("delta is not above eta + tau: heartbeats that are only late will be taken for deaths");
        } else if (ring.suspicionNanos() < 3 * ring.heartbeatNanos()) {
            warnings.add("delta is below 3 eta: two lost heartbeats in a row are a death; the sources use 10 eta");
        }
        if (10 * ring.delayNanos() > ring.suspicionNanos()) {
            warnings.add("tau is above delta / 10: the theorem assumes that delays are small against delta");
        }
        if (ring.heartbeatNanos() < SHORT_HEARTBEAT_NANOS) {
            warnings.add("eta is below 10 ms: pauses of an ordinary agent process are longer than that");
        }
        addFaultWarnings(warnings, faults);
        if (risk != null && risk.probability >= risk.bound) {
            warnings.add("more faults than the theorem covers are likelier than " + risk.bound + ": delta is too long");
        }
        return warnings;
    }

    private static void addFaultWarnings(List<String> warnings, Faults faults) {
        if (faults.provenNanos == null) {
            warnings.add(faults.count + " faults at once are more than the " + faults.provenMost
                    + " the theorem covers: no worst case is proven");
        }
        if (faults.count > faults.tolerated) {
            warnings.add(faults.count + " dead can cut the broadcast, which bears " + faults.tolerated
                    + ": the rest comes from neighbour to neighbour with the heartbeats");
        }
    }
}

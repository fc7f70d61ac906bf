package io.dmodc.detector.sim;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.theory.BinomialGraph;
import io.dmodc.detector.theory.RingBounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One scenario from the first heartbeat to the verdict: the ring starts, is counted in its calm, suffers the script,
 * runs until all is known and the ring is whole again, and is judged.
 *
 * <p>Runs on the caller's thread. At 100,000 nodes about 700 MiB with the serial collector and, for 63 million
 * events, less than a minute.
 */
public final class Trial {
    /** Heartbeat periods until a started ring is calm, and over which it is then counted. */
    static final int WARM_UP_PERIODS = 5;

    static final int CALM_PERIODS = 20;

    /** A storm is calm after the last late one has joined. */
    private static final int STORM_DELTA = 3;

    /** After this many δ beyond the wall nothing is waited for any more. */
    private static final int PATIENCE_DELTA = 40;

    /** Loss up to this share must not lead to an accusation of the living. */
    private static final double HARMLESS_LOSS = 0.3;

    /** After so many δ without a fault the ring is whole, whatever happened to it. */
    private static final int WHOLE_DELTA = 12;

    /** Datagrams a member, heartbeats aside, that each node which is deaf, mute or alone for a time may cost. */
    private static final int RECOVERY_MESSAGES = 50;

    /** How long what is over is still an excuse: who was silent for δ may be accused up to 2 δ later. */
    private static final int GRACE_DELTA = 3;

    private static final double HEARTBEAT_TOLERANCE = 0.03;

    private static final long NANOS_PER_MICRO = 1_000;

    /** Told of virtual time as it passes. */
    public interface Progress {
        /** So many heartbeat periods of about as many are over. */
        void reached(int periods, int expected);
    }

    private final TrialPlan plan;
    private final Progress progress;
    private final KnowledgeTracker knowledge;
    private final VirtualRing ring;
    private final ScriptContext context;
    private final ScenarioScripts scripts;
    private final long eta;
    private final long delta;
    private final RingBounds bounds;
    private final int[] calmHeartbeats;
    private int periods;
    private long whole;
    private double recoveryMessages;

    private Trial(TrialPlan plan, int[] domainOfSlot, Progress progress) {
        this.plan = plan;
        this.progress = progress;
        eta = plan.rules().heartbeatNanos();
        delta = plan.rules().suspicionNanos();
        bounds = RingBounds.of(plan.nodes(), plan.rules(), plan.conditions().delayMicros() * NANOS_PER_MICRO);
        SplittableRandom random = new SplittableRandom(plan.seed());
        knowledge = new KnowledgeTracker(plan.nodes(), GRACE_DELTA * delta, eta);
        ring = new VirtualRing(plan.nodes(), plan.rules(), plan.conditions(), random.nextLong(), knowledge);
        context = new ScriptContext(ring, knowledge);
        scripts = new ScenarioScripts(plan, context, domainOfSlot, random);
        calmHeartbeats = new int[plan.nodes()];
    }

    /**
     * Runs a plan.
     *
     * @param domainOfSlot failure domain of each slot, any numbers: which nodes {@link Scenario#POD} kills together
     */
    public static TrialReport run(TrialPlan plan, int[] domainOfSlot, Progress progress) {
        if (domainOfSlot.length != plan.nodes()) {
            throw new IllegalArgumentException("simulation: failure domains of " + domainOfSlot.length
                    + " slots, expected " + plan.nodes() + " as there are nodes");
        }
        return new Trial(plan, domainOfSlot, progress).run();
    }

    private TrialReport run() {
        start();
        countCalm();
        long deadMessages = ring.sent(MessageType.DEAD);
        long otherMessages = sentOtherThanHeartbeats();
        scripts.play();
        RingInspection inspection = settle();
        long flooded = ring.sent(MessageType.DEAD) - deadMessages;
        recoveryMessages = (double) (sentOtherThanHeartbeats() - otherMessages) / plan.nodes();
        return report(inspection, flooded);
    }

    private long sentOtherThanHeartbeats() {
        return Arrays.stream(MessageType.values())
                .filter(type -> type != MessageType.HEARTBEAT)
                .mapToLong(ring::sent)
                .sum();
    }

    private void start() {
        if (plan.scenario() == Scenario.STORM) {
            long[] moments = scripts.stormMoments();
            for (int node = 0; node < moments.length; node++) {
                ring.installAt(moments[node], node);
            }
            runFor(STORM_DELTA * delta);
        } else {
            ring.installEverywhere(VirtualRing.membership(plan.nodes(), 1), eta);
            runFor(WARM_UP_PERIODS * eta);
        }
    }

    private void countCalm() {
        int[] before = IntStream.range(0, plan.nodes()).map(ring::heartbeats).toArray();
        runFor(CALM_PERIODS * eta);
        for (int node = 0; node < before.length; node++) {
            calmHeartbeats[node] = ring.heartbeats(node) - before[node];
        }
    }

    private RingInspection settle() {
        long begun = ring.now();
        long limit = Math.max(begun, context.lastAct()) + wall() + PATIENCE_DELTA * delta;
        while ((ring.now() < context.lastAct() || isAwaited()) && ring.now() < limit) {
            runFor(eta);
        }
        runFor(delta);
        RingInspection inspection = RingInspection.of(ring);
        while (!inspection.faults().isEmpty() && ring.now() < limit) {
            runFor(delta);
            inspection = RingInspection.of(ring);
        }
        whole = ring.now() - Math.min(ring.now(), Math.max(begun, context.lastAct()));
        return inspection;
    }

    private boolean isAwaited() {
        return plan.scenario().isTold() && !knowledge.isComplete();
    }

    /** T(f) where the theorem covers f, else what the faults are expected to take one after the other. */
    private long wall() {
        int faults = plan.faults();
        return faults <= bounds.provenFaults() ? bounds.stableNanos(faults) : bounds.burstNanos(faults, 0);
    }

    /** In steps of one heartbeat period, so that progress can be told. */
    private void runFor(long nanos) {
        long end = ring.now() + nanos;
        while (ring.now() < end) {
            ring.runFor(Math.min(eta, end - ring.now()));
            periods++;
            progress.reached(periods, Math.max(periods, expectedPeriods()));
        }
    }

    private int expectedPeriods() {
        long detecting = bounds.burstNanos(plan.faults(), plan.rules().askingWidth());
        long calm = (WARM_UP_PERIODS + CALM_PERIODS) * eta;
        return (int) (WARM_UP_PERIODS + CALM_PERIODS + (Math.max(detecting, context.lastAct() - calm) + delta) / eta);
    }

    private TrialReport report(RingInspection inspection, long flooded) {
        KnowledgeTimes deaths = knowledge.times(FactSpread.Kind.DEATH);
        KnowledgeTimes returns = knowledge.times(FactSpread.Kind.RETURN);
        KnowledgeTimes revocations = knowledge.times(FactSpread.Kind.REVOCATION);
        double periodSeconds = CALM_PERIODS * eta / 1e9;
        return new TrialReport(
                plan,
                failures(inspection),
                deaths.count(),
                inDelta(deaths.longestEpisode()),
                inDelta(deaths.longestUntilFirst()),
                inDelta(returns.longestEpisode()),
                revocations.longestEpisode() / NANOS_PER_MICRO,
                deaths.longestFromFirst() / NANOS_PER_MICRO,
                inDelta(bound()),
                bounds.broadcastNanos() / NANOS_PER_MICRO,
                knowledge.hopsMax(),
                IntStream.of(calmHeartbeats).average().orElse(0) / periodSeconds,
                IntStream.of(calmHeartbeats).min().orElse(0) / periodSeconds,
                IntStream.of(calmHeartbeats).max().orElse(0) / periodSeconds,
                deaths.count() == 0 ? 0 : (double) flooded / deaths.count() / plan.nodes(),
                recoveryMessages,
                inDelta(whole),
                knowledge.falseSuspicions(),
                knowledge.disturbedSuspicions(),
                knowledge.refutations(),
                lateWakeUps(),
                inspection.isClosed(),
                ring.overflows(),
                ring.eventHash(),
                ring.events());
    }

    private double inDelta(long nanos) {
        return (double) nanos / delta;
    }

    private long lateWakeUps() {
        return IntStream.range(0, plan.nodes())
                .mapToObj(ring::detector)
                .mapToLong(RingDetector::lateWakeUps)
                .sum();
    }

    private List<String> failures(RingInspection inspection) {
        List<String> failures = new ArrayList<>(inspection.faults());
        for (FactSpread.Kind kind : FactSpread.Kind.values()) {
            if (plan.scenario().isTold() && knowledge.times(kind).pending() > 0) {
                failures.add(knowledge.times(kind).pending() + " of "
                        + knowledge.times(kind).count() + " times not all knew of a " + kind);
            }
        }
        boolean isLossHarmless = plan.conditions().loss() <= HARMLESS_LOSS;
        if (isLossHarmless && knowledge.falseSuspicions() > 0) {
            failures.add(knowledge.falseSuspicions() + " times one that lived was held dead, expected never; first "
                    + knowledge.firstFalse());
        }
        if (!plan.scenario().isOnlyDeaths() && whole > WHOLE_DELTA * delta) {
            failures.add(
                    "whole only " + inDelta(whole) + " delta after the last fault, expected at most " + WHOLE_DELTA);
        }
        if (plan.scenario().isOneSided() && recoveryMessages > RECOVERY_MESSAGES * plan.faults()) {
            failures.add(String.format(
                    "%.1f datagrams a member beside heartbeats, expected at most %d",
                    recoveryMessages, RECOVERY_MESSAGES * plan.faults()));
        }
        failures.addAll(unevenHeartbeats());
        failures.addAll(tooLate());
        return failures;
    }

    /** A node that heard of loss may send more; without loss each sends one per period. */
    private List<String> unevenHeartbeats() {
        if (plan.conditions().loss() > 0) {
            return List.of();
        }
        return IntStream.range(0, plan.nodes())
                .filter(node -> Math.abs(calmHeartbeats[node] - CALM_PERIODS) > HEARTBEAT_TOLERANCE * CALM_PERIODS)
                .limit(RingInspection.FAULTS_MAX)
                .mapToObj(node -> node + " has sent " + calmHeartbeats[node] + " heartbeats in " + CALM_PERIODS
                        + " periods of calm, expected one each within 3 %")
                .toList();
    }

    /** 0 where nothing is asked and nothing is proven. */
    private long bound() {
        if (plan.boundDelta() > 0) {
            return (long) (plan.boundDelta() * delta);
        }
        return plan.faults() <= bounds.provenFaults() ? wall() : 0;
    }

    private List<String> tooLate() {
        List<String> failures = new ArrayList<>();
        KnowledgeTimes deaths = knowledge.times(FactSpread.Kind.DEATH);
        if (plan.scenario().isOnlyDeaths() && bound() > 0 && deaths.longestEpisode() > bound()) {
            failures.add("all knew after " + inDelta(deaths.longestEpisode()) + " delta, expected at most "
                    + inDelta(bound()));
        }
        if (plan.conditions().loss() == 0) {
            failures.addAll(slowNews(deaths.longestFromFirst(), "death"));
            failures.addAll(slowNews(knowledge.times(FactSpread.Kind.REVOCATION).longestEpisode(), "revocation"));
        }
        if (plan.conditions().lockStep() && knowledge.hopsMax() > hopsMost()) {
            failures.add("news made " + knowledge.hopsMax() + " hops, expected at most " + hopsMost());
        }
        return failures;
    }

    private List<String> slowNews(long nanos, String what) {
        return plan.scenario().isUndisturbed() && nanos > bounds.broadcastNanos()
                ? List.of("news of a " + what + " took " + nanos / NANOS_PER_MICRO + " us, expected at most "
                        + bounds.broadcastNanos() / NANOS_PER_MICRO)
                : List.of();
    }

    /** One more than the overlay's diameter: dead nodes make detours. */
    private int hopsMost() {
        return BinomialGraph.diameter(plan.nodes()) + 1;
    }
}

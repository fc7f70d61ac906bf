package io.dmodc.detector.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A check that never fails proves nothing: each is shown a ring that is broken in its way. */
class ChecksCanFailTest {
    private static final long ETA = 100_000_000;
    private static final long DELTA = 1_000_000_000;
    private static final RingRules STANDARD = RingRules.standard(ETA, DELTA, 32);

    private static TrialReport run(Scenario scenario, RingRules rules, NetworkConditions conditions, double bound) {
        TrialPlan plan = new TrialPlan(32, 3, scenario, 1, rules, conditions, bound);
        return Trial.run(plan, new int[32], (periods, expected) -> {});
    }

    private static VirtualRing calmRing(int nodes) {
        VirtualRing ring =
                new VirtualRing(nodes, STANDARD, NetworkConditions.calm(), 1, new KnowledgeTracker(nodes, DELTA, ETA));
        ring.installEverywhere(VirtualRing.membership(nodes, 1), ETA);
        ring.runFor(DELTA);
        return ring;
    }

    @Test
    void shouldSeeADeathThatNobodyKnowsAndTheGapItLeaves() {
        VirtualRing ring = calmRing(8);
        assertThat(RingInspection.of(ring).faults()).isEmpty();

        ring.kill(3);
        RingInspection inspection = RingInspection.of(ring);

        assertThat(inspection.unknownDeaths()).isEqualTo(7);
        assertThat(inspection.isClosed()).isFalse();
        assertThat(inspection.faults()).contains("0 holds 3 alive, which is dead", "4 watches 3, expected 2");
        ring.runFor(2 * DELTA);
        assertThat(RingInspection.of(ring).faults()).isEmpty();
    }

    @Test
    void shouldSeeTheLivingHeldDead() {
        VirtualRing ring = calmRing(8);
        Cut deaf = new Cut(Cut.allBut(5, 8), Cut.only(5), false);
        Cut mute = new Cut(Cut.only(5), Cut.allBut(5, 8), false);
        ring.cut(deaf);
        ring.cut(mute);

        ring.runFor(2 * DELTA);
        RingInspection inspection = RingInspection.of(ring);

        assertThat(inspection.falselyDead()).isGreaterThanOrEqualTo(7);
        assertThat(inspection.faults()).contains("0 holds 5 dead, which lives");
        ring.mend(deaf);
        ring.mend(mute);
        ring.runFor(6 * DELTA);
        assertThat(RingInspection.of(ring).faults()).isEmpty();
    }

    @Test
    void shouldSeeAnIncarnationThatHasNotGotAround() {
        VirtualRing ring = calmRing(8);
        ring.kill(3);
        ring.runFor(2 * DELTA);

        ring.restart(3, 9);

        assertThat(RingInspection.of(ring).faults()).contains("0 knows 3 in incarnation 0, which is in 9");
    }

    @Test
    void shouldSeeAHeartbeatThatGoesElsewhere() {
        VirtualRing ring = calmRing(8);
        ring.cut(new Cut(Cut.only(4), Cut.only(3), false));
        ring.kill(2);
        ring.restart(2, 1);
        ring.runFor(DELTA / 2);
        assertThat(RingInspection.of(ring).isClosed()).isTrue();

        ring.kill(3);
        ring.runFor(DELTA + ETA);
        ring.conditions(NetworkConditions.calm().losing(1));
        ring.restart(3, 1);

        assertThat(RingInspection.of(ring).faults()).contains("2 sends its heartbeats to 4, expected 3");
    }

    @Test
    void shouldSeeABoundBroken() {
        assertThat(run(Scenario.BURST, STANDARD, NetworkConditions.calm(), 0).holds())
                .isTrue();
        assertThat(run(Scenario.BURST, STANDARD, NetworkConditions.calm(), 2).failures())
                .singleElement()
                .asString()
                .startsWith("all knew after ")
                .endsWith("delta, expected at most 2.0");
    }

    /**
     * δ must be above η + τ: else a heartbeat that takes its time is a death, and asking for it brings more of them.
     */
    @Test
    void shouldSeeFalseSuspicionsAndUnevenHeartbeats() {
        RingRules tooShort = RingRules.published(ETA, ETA + 1_000_000);
        NetworkConditions slow = new NetworkConditions(90_000, 5, 0, 0, 0, false);

        TrialReport report = run(Scenario.ONE, tooShort, slow, 0);

        assertThat(report.falseSuspicions()).isPositive();
        assertThat(report.failures())
                .anyMatch(failure -> failure.contains(" times one that lived was held dead, expected never"))
                .anyMatch(failure -> failure.contains("heartbeats in 20 periods of calm"));
    }

    @Test
    void shouldSeeNewsThatTakesTooLong() {
        NetworkConditions narrow = new NetworkConditions(1, 1_000, 0, 0, 0, false);

        assertThat(run(Scenario.SPREAD, STANDARD, narrow, 0).failures())
                .anyMatch(failure -> failure.startsWith("news of a death took "));
    }

    /** Copies on disjoint paths go all dimensions; the binomial graph is half as wide. */
    @Test
    void shouldSeeTooManyHops() {
        RingRules hypercube = new RingRules(ETA, DELTA, 10, 2, Overlay.Kind.HYPERCUBE);
        NetworkConditions lockStep = new NetworkConditions(1_000, 0, 0, 0, 0, true);
        TrialPlan plan = new TrialPlan(256, 1, Scenario.ONE, 1, hypercube, lockStep, 0);

        TrialReport report = Trial.run(plan, new int[256], (periods, expected) -> {});

        assertThat(report.failures()).singleElement().asString().matches("news made \\d+ hops, expected at most \\d");
    }

    @Test
    void shouldSeeWhatNotAllCameToKnow() {
        NetworkConditions deaf = NetworkConditions.calm().losing(0.97);

        TrialReport report = run(Scenario.REVOKE, STANDARD, deaf, 0);

        assertThat(report.failures()).hasSizeGreaterThan(1).anyMatch(failure -> failure.contains("not all knew of a "));
    }

    @Test
    void shouldCountDeathsOfOneEpisodeTogether() {
        KnowledgeTracker knowledge = new KnowledgeTracker(4, 100, 20);
        knowledge.dies(1_000, 0, 0);
        knowledge.dies(2_000, 1, 0);
        IntStream.of(2, 3).forEach(node -> knowledge.silent(5_000, node, 0, 0, 2, node - 2));
        knowledge.silent(6_000, 2, 1, 0, 2, 0);
        assertThat(knowledge.isComplete()).isFalse();

        knowledge.silent(9_000, 3, 1, 0, 2, 1);

        KnowledgeTimes deaths = knowledge.times(FactSpread.Kind.DEATH);
        assertThat(knowledge.isComplete()).isTrue();
        assertThat(deaths.longestEpisode()).isEqualTo(8_000);
        assertThat(deaths.longestUntilFirst()).isEqualTo(4_000);
        assertThat(deaths.longestFromFirst()).isEqualTo(3_000);
        assertThat(knowledge.falseSuspicions()).isZero();
        assertThat(knowledge.hopsMax()).isEqualTo(1);
    }

    @Test
    void shouldNotWaitForTheDeadNorBelieveOldNews() {
        KnowledgeTracker knowledge = new KnowledgeTracker(4, 100, 20);
        knowledge.dies(1_000, 0, 7);
        knowledge.silent(2_000, 1, 0, 6, 1, 1);
        knowledge.silent(3_000, 2, 0, 7, 1, 1);
        knowledge.silent(4_000, 3, 0, 7, 1, 1);
        assertThat(knowledge.isComplete())
                .as("1 knows of an earlier death only")
                .isFalse();

        knowledge.dies(5_000, 1, 0);

        assertThat(knowledge.times(FactSpread.Kind.DEATH).known()).isEqualTo(1);
        assertThat(knowledge.isComplete()).as("of 1 itself nobody knows").isFalse();
    }

    @Test
    void shouldExcuseOnlyWhatIsSaidOfTheDisturbedNotWhatTheySay() {
        KnowledgeTracker knowledge = new KnowledgeTracker(8, 100, 20);
        knowledge.disturbs(1);

        knowledge.silent(1, 3, 1, 0, 2, 1);
        assertThat(knowledge.disturbedSuspicions()).isEqualTo(1);
        assertThat(knowledge.falseSuspicions()).isZero();

        knowledge.silent(1, 1, 7, 0, 1, 0);
        assertThat(knowledge.falseSuspicions()).as("1 blames its own stop on 7").isEqualTo(1);
        knowledge.silent(1, 3, 7, 0, 1, 1);
        assertThat(knowledge.falseSuspicions()).as("3 believes it").isEqualTo(2);

        knowledge.calms(50, 1);
        knowledge.silent(150, 3, 1, 1, 2, 1);
        assertThat(knowledge.falseSuspicions())
                .as("1 is to be left alone later")
                .isEqualTo(2);
        knowledge.silent(151, 3, 1, 2, 2, 1);
        assertThat(knowledge.falseSuspicions())
                .as("1 was left alone for too short")
                .isEqualTo(3);
    }

    /** What a node reads after a stop is old; what it hears after it was mute is not. */
    @Test
    void shouldKeepApartThatANodeWasStoppedAndThatItWasMute() {
        KnowledgeTracker knowledge = new KnowledgeTracker(4, 100, 20);
        Cut split = new Cut(Cut.only(0), Cut.only(1), true);
        knowledge.splits(split);
        knowledge.silent(1, 1, 0, 0, 1, 0);
        knowledge.disturbs(2);
        knowledge.stops(2);

        knowledge.calms(10, 2);

        knowledge.silent(200, 2, 0, 0, 1, 1);
        assertThat(knowledge.falseSuspicions()).as("2 is stopped yet").isZero();
        knowledge.resumes(210, 2);
        knowledge.silent(250, 3, 2, 0, 1, 1);
        assertThat(knowledge.falseSuspicions()).as("2 was stopped until now").isZero();
        knowledge.stops(2);
        knowledge.dies(300, 2, 1);
        knowledge.returns(310, 2, 2);
        knowledge.silent(411, 3, 2, 2, 1, 1);
        assertThat(knowledge.falseSuspicions())
                .as("2 has run since it started anew")
                .isEqualTo(1);
    }

    @Test
    void shouldExcuseWhomASplitSeparates() {
        KnowledgeTracker knowledge = new KnowledgeTracker(4, 100, 20);
        Cut split = new Cut(Cut.only(0), Cut.only(1), true);
        knowledge.splits(split);

        knowledge.silent(1, 1, 0, 0, 1, 0);
        knowledge.silent(1, 2, 0, 0, 1, 1);
        assertThat(knowledge.falseSuspicions())
                .as("2 believes 1, which cannot hear 0")
                .isZero();
        knowledge.silent(1, 2, 0, 0, 3, 1);
        assertThat(knowledge.falseSuspicions()).as("3 can hear 0").isEqualTo(1);

        knowledge.heals(10, split);
        knowledge.silent(22, 2, 0, 0, 1, 1);
        assertThat(knowledge.falseSuspicions())
                .as("what 1 said during the split")
                .isEqualTo(2);
        knowledge.silent(110, 1, 0, 0, 1, 0);
        assertThat(knowledge.falseSuspicions())
                .as("1 has some time to find out")
                .isEqualTo(2);
        knowledge.silent(111, 1, 0, 0, 1, 0);
        assertThat(knowledge.falseSuspicions()).isEqualTo(3);
    }
}

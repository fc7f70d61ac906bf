package io.dmodc.detector.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingRules;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outside the model of the sources: agents that hear nobody or are heard by nobody, splits, and all of it at once. */
class HostileNetworkTest {
    private static final long ETA = 100_000_000;
    private static final long DELTA = 1_000_000_000;

    private static TrialReport run(int nodes, Scenario scenario, long seed, int lengthDelta) {
        RingRules rules = RingRules.standard(ETA, DELTA, nodes);
        TrialPlan plan = new TrialPlan(nodes, 1, scenario, seed, rules, NetworkConditions.calm(), lengthDelta, 0);
        return Trial.run(plan, new int[nodes], (periods, expected) -> {});
    }

    /** Nobody else suffers, and it costs at most 50 datagrams a member: the trial itself judges both. */
    @ParameterizedTest
    @CsvSource({
        "64, DEAF, 60",
        "64, MUTE, 60",
        "64, ISOLATED, 60",
        "64, ISOLATED, 600",
        "1024, DEAF, 60",
        "1024, MUTE, 60",
        "1024, ISOLATED, 60"
    })
    void shouldHoldNobodyElseDeadForOneThatCannotHearOrBeHeard(int nodes, Scenario scenario, int lengthDelta) {
        TrialReport report = run(nodes, scenario, 1, lengthDelta);

        assertThat(report.failures()).isEmpty();
        assertThat(report.falseSuspicions()).isZero();
        assertThat(report.refutations()).as("only its own").isEqualTo(1);
    }

    @Test
    void shouldSurviveASplitAManagersChangeAndARollingRestart() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(run(64, Scenario.SPLIT_HALF, seed, 60).failures()).isEmpty();
            assertThat(run(64, Scenario.MIXED_EPOCHS, seed, 60).failures()).isEmpty();
            assertThat(run(64, Scenario.ROLLING_RESTART, seed, 60).failures()).isEmpty();
        }
    }

    @Test
    void shouldLetAStoppedNodeDoNothing() {
        VirtualRing ring = new VirtualRing(
                8, RingRules.standard(ETA, DELTA, 8), NetworkConditions.calm(), 1, new VirtualRingListener() {});
        ring.installEverywhere(VirtualRing.membership(8, 1), ETA);
        ring.runFor(DELTA);
        ring.pause(3);
        int heartbeats = ring.heartbeats(3);

        ring.revoke(3, 1, 7);
        ring.runFor(5 * DELTA);

        assertThat(ring.heartbeats(3)).isEqualTo(heartbeats);
        assertThat(ring.sent(MessageType.REVOKE)).isZero();
    }

    /** More seeds: {@code fabricctl detector simulate --scenario swarm --nodes 24 --seed 1..10000}. */
    @Test
    void shouldSurviveSwarms() {
        assertThat(LongStream.rangeClosed(1, 60)
                        .filter(seed -> !run(24, Scenario.SWARM, seed, 60).holds()))
                .isEmpty();
    }
}

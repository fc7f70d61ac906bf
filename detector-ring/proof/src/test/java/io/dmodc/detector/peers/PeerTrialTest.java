package io.dmodc.detector.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The benchmark measures what it says, on the real systems. Times are only held against what cannot be undercut. */
class PeerTrialTest {
    private static final int MEMBERS = 4;
    private static final int ATTEMPTS = 3;
    private static final PeerTiming PACE = new PeerTiming(100, 800, 100);

    @Test
    void shouldKillAndTakeBackAMemberOfTheRing() throws TrialNotRunException {
        double least = PACE.silenceMillis() - PACE.heartbeatMillis() - 1.0;
        TrialResult result = runUnstarved(plan(TrialPlan.Contender.RING), least);

        assertThat(result.knownMillis()).hasSize(1);
        assertThat(result.min()).isGreaterThan(least);
        assertThat(result.sentPerSecond()).isPositive();
        assertThat(result.cores())
                .as("processor time is counted in steps longer than what the ring may need here")
                .isBetween(0.0, (double) Runtime.getRuntime().availableProcessors());
    }

    @Test
    void shouldKillAndTakeBackAMemberOfTheJGroupsCluster() throws TrialNotRunException {
        double least = PACE.silenceMillis() - PACE.heartbeatMillis() + PACE.verifyMillis() - 1.0;
        TrialResult result = runUnstarved(plan(TrialPlan.Contender.FD_ALL3), least);

        assertThat(result.knownMillis()).hasSize(1);
        assertThat(result.min()).as("suspected, then verified").isGreaterThan(least);
        assertThat(result.receivedPerSecond())
                .as("everybody hears everybody")
                .isGreaterThan(1.5 * 1_000 / PACE.heartbeatMillis());
        assertThat(result.cores()).isPositive();
    }

    /** Its classes alone take seconds to load, so not in each build; rows and reasons are tried with figures given to them. */
    @Test
    @EnabledIfSystemProperty(named = "trials", matches = "|true")
    void shouldKillAndTakeBackAMemberOfThePekkoCluster() throws TrialNotRunException {
        double least = PACE.silenceMillis() - 1.5 * PACE.heartbeatMillis();
        TrialResult result = runUnstarved(plan(TrialPlan.Contender.PEKKO), least);

        assertThat(result.knownMillis()).hasSize(1);
        assertThat(result.min()).as("a pause, on top of the mean").isGreaterThan(least);
        assertThat(result.receivedPerSecond())
                .as("everybody asks and answers everybody")
                .isGreaterThan(3.0 * 1_000 / PACE.heartbeatMillis());
        assertThat(result.cores()).isPositive();
    }

    @Test
    void shouldCallAKillNotRunThatNotEverybodyLearnsOf() {
        KillWatch watch = new KillWatch(MEMBERS);
        watch.begin(2);
        watch.learnt(0, 2, 100);
        watch.learnt(2, 0, 110);
        watch.learnt(3, 2, 120);
        watch.learnt(3, 2, 130);

        assertThatThrownBy(() -> watch.awaitAll(1))
                .isInstanceOf(TrialNotRunException.class)
                .hasMessage("silent member 2: 2 of 3 others knew after 1 ms");
        assertThat(watch.falseAccusations()).isZero();
    }

    @Test
    void shouldTakeTheMomentTheLastOfTheOthersLearnt() throws Exception {
        KillWatch watch = new KillWatch(MEMBERS);
        watch.begin(2);
        watch.learnt(0, 2, 100);
        watch.learnt(3, 2, 130);
        watch.learnt(1, 2, 150);
        watch.learnt(0, 2, 190);
        watch.learnt(0, 1, 200);

        assertThat(watch.awaitAll(1)).isEqualTo(150);
        assertThat(watch.falseAccusations()).isEqualTo(1);
    }

    @Test
    void shouldGiveTheResultOfAChildUnchanged() {
        TrialResult result = new TrialResult(List.of(458.25, 460.0, 1.5), 10.0, 9.99, 0.06, 2);

        assertThat(TrialResult.ofProperties(result.toProperties())).isEqualTo(result);
        assertThat(result.median()).isEqualTo(458.25);
    }

    @Test
    void shouldMergeRounds() {
        TrialResult merged = TrialResult.merge(List.of(
                new TrialResult(List.of(4.0, 1.0), 10, 20, 0.1, 1),
                new TrialResult(List.of(3.0, 2.0), 12, 22, 0.3, 2)));

        assertThat(merged.min()).isEqualTo(1.0);
        assertThat(merged.median()).isEqualTo(2.5);
        assertThat(merged.max()).isEqualTo(4.0);
        assertThat(merged.cores()).isEqualTo(0.2, within(1e-9));
        assertThat(merged.falseAccusations()).isEqualTo(3);
    }

    @Test
    void shouldHandItsPlanToAChildUnchanged() {
        TrialPlan plan = plan(TrialPlan.Contender.FD_ALL3);

        assertThat(TrialPlan.ofArguments(plan.toArguments().toArray(String[]::new)))
                .isEqualTo(plan);
    }

    /**
     * A member whose thread gets no processor time is late with its heartbeats: the peers take it for dead, and when it is killed
     * then, its silence has begun before. Another try usually finds some.
     */
    private static TrialResult runUnstarved(TrialPlan plan, double leastMillis) throws TrialNotRunException {
        for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
            try {
                TrialResult result = Trial.run(plan);
                if (result.min() > leastMillis) {
                    return result;
                }
            } catch (TrialNotRunException starved) {
                assertThat(starved).hasMessageContaining("false accusations");
            }
        }
        return Trial.run(plan);
    }

    private static TrialPlan plan(TrialPlan.Contender system) {
        return new TrialPlan(system, MEMBERS, 1, 500, 7, PACE);
    }
}

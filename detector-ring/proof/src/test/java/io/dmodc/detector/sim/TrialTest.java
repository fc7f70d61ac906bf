package io.dmodc.detector.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each scenario on small rings; what must hold, holds on every seed. */
class TrialTest {
    private static final long ETA = 100_000_000;
    private static final long DELTA = 1_000_000_000;

    private static RingRules standard(int nodes) {
        return RingRules.standard(ETA, DELTA, nodes);
    }

    private static TrialReport run(
            int nodes, int faults, Scenario scenario, long seed, RingRules rules, NetworkConditions conditions) {
        TrialPlan plan = new TrialPlan(nodes, faults, scenario, seed, rules, conditions, 0);
        int[] domains =
                IntStream.range(0, nodes).map(slot -> slot % (nodes / faults)).toArray();
        return Trial.run(
                plan, domains, (periods, expected) -> assertThat(periods).isLessThanOrEqualTo(expected));
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void shouldHoldOnACalmNetwork(Scenario scenario) {
        for (int seed = 0; seed < 5; seed++) {
            TrialReport report = run(64, 4, scenario, seed, standard(64), NetworkConditions.calm());

            assertThat(report.failures()).as("seed %d", seed).isEmpty();
            assertThat(report.falseSuspicions()).as("seed %d", seed).isZero();
            assertThat(report.heartbeatsMin()).isEqualTo(10).isEqualTo(report.heartbeatsMax());
        }
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void shouldHoldOnANetworkThatLosesDoublesAndReorders(Scenario scenario) {
        for (int seed = 0; seed < 5; seed++) {
            NetworkConditions bad = new NetworkConditions(1_000, 5, 0.05, 0.05, 0.1, false);

            TrialReport report = run(48, 3, scenario, seed, standard(48), bad);

            assertThat(report.failures()).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void shouldHoldOverTheHypercube(Scenario scenario) {
        RingRules rules = new RingRules(ETA, DELTA, 12, 2, Overlay.Kind.HYPERCUBE);

        assertThat(run(50, 4, scenario, 1, rules, NetworkConditions.calm()).failures())
                .isEmpty();
    }

    /** Published form: (2 f - 1) δ. Asking in parallel: 3 δ. */
    @ParameterizedTest
    @CsvSource({"64, 5", "256, 7", "1024, 9"})
    void shouldFindABurstInTheExpectedTime(int nodes, int faults) {
        RingRules published = RingRules.published(ETA, DELTA);

        double oneByOne = run(nodes, faults, Scenario.BURST, 3, published, NetworkConditions.calm())
                .allKnowDelta();
        double together = run(nodes, faults, Scenario.BURST, 3, standard(nodes), NetworkConditions.calm())
                .allKnowDelta();

        assertThat(oneByOne).isBetween(2 * faults - 1.15, 2 * faults - 0.9);
        assertThat(together).isBetween(2.85, 3.1);
    }

    /**
     * Each observer dies just before it would accuse, so every death costs a δ of its own and more; T(f) still holds.
     */
    @Test
    void shouldTakeLongerForACascadeThanForABurst() {
        TrialReport cascade = run(64, 5, Scenario.CASCADE, 1, standard(64), NetworkConditions.calm());
        TrialReport burst = run(64, 5, Scenario.BURST, 1, standard(64), NetworkConditions.calm());

        assertThat(cascade.deaths()).isEqualTo(5);
        assertThat(cascade.allKnowDelta())
                .isGreaterThan(burst.allKnowDelta() + 1)
                .isLessThan(cascade.boundDelta());
    }

    @Test
    void shouldFindASpreadOrScatteredDomainLikeASingleDeath() {
        assertThat(run(64, 8, Scenario.SPREAD, 2, standard(64), NetworkConditions.calm())
                        .allKnowDelta())
                .isLessThan(1.05);
        assertThat(run(64, 8, Scenario.POD, 2, standard(64), NetworkConditions.calm())
                        .allKnowDelta())
                .isLessThan(1.05);
    }

    /** All hold the new incarnation within η + B(n). */
    @Test
    void shouldKnowOfAReturnWithinABroadcast() {
        TrialReport report = run(64, 10, Scenario.RESTART, 1, standard(64), NetworkConditions.calm());

        assertThat(report.deaths()).isEqualTo(10);
        assertThat(report.returnKnowDelta()).isPositive().isLessThan(0.1 + 8 * 0.001 * 6);
    }

    /** Lock step: hops are rounds, so no first copy travels farther than the diameter and a detour. */
    @ParameterizedTest
    @ValueSource(ints = {16, 64, 128, 1024})
    void shouldNeedNoMoreHopsThanTheDiameterInLockStep(int nodes) {
        NetworkConditions lockStep = new NetworkConditions(1_000, 0, 0, 0, 0, true);

        TrialReport report = run(nodes, 3, Scenario.BURST, 1, standard(nodes), lockStep);

        assertThat(report.failures()).isEmpty();
        int logarithm = 32 - Integer.numberOfLeadingZeros(nodes - 1);
        assertThat(report.hopsMax()).isBetween(1, (logarithm + 1) / 2 + 1);
    }

    @Test
    void shouldRefuteWhatWasSaidOfThoseThatWereCutOff() {
        TrialReport report = run(32, 2, Scenario.REFUTE, 4, standard(32), NetworkConditions.calm());

        assertThat(report.disturbedSuspicions()).isPositive();
        assertThat(report.refutations()).isPositive();
        assertThat(report.failures()).isEmpty();
    }

    @Test
    void shouldRunTheSameTwiceWithTheSameSeed() {
        Set<Long> hashes = new HashSet<>();
        for (Scenario scenario : Scenario.values()) {
            TrialReport once = run(32, 3, scenario, 7, standard(32), NetworkConditions.calm());
            TrialReport again = run(32, 3, scenario, 7, standard(32), NetworkConditions.calm());
            TrialReport other = run(32, 3, scenario, 8, standard(32), NetworkConditions.calm());

            assertThat(again).as(scenario.toString()).isEqualTo(once);
            assertThat(other.eventHash()).as(scenario.toString()).isNotEqualTo(once.eventHash());
            hashes.add(once.eventHash());
        }
        assertThat(hashes).hasSize(Scenario.values().length);
    }

    @Test
    void shouldNameTheValueThatCannotBe() {
        assertThatThrownBy(() -> run(3, 1, Scenario.ONE, 1, standard(3), NetworkConditions.calm()))
                .hasMessage("simulation: nodes 3, expected 4..1048576");
        assertThatThrownBy(() -> run(8, 7, Scenario.ONE, 1, standard(8), NetworkConditions.calm()))
                .hasMessage("simulation: faults 7, expected 1..6 of 8 nodes");
        assertThatThrownBy(() -> NetworkConditions.calm().losing(1.5))
                .hasMessage("simulation: loss 1.5, expected 0..1");
    }
}

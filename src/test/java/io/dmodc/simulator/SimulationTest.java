package io.dmodc.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Histories of a whole site. {@code -Dsimulate=SECONDS} runs for that long, {@code -Dsimulate.from=N} begins with another seed,
 * {@code -Dsimulate.seed=N} prints one history, with {@code -Dsimulate.acts=true} one in which operators act, with
 * {@code -Dsimulate.plans=true} one in which they also apply plans, with {@code -Dsimulate.exchanges=true} one in which adapters are exchanged.
 */
class SimulationTest {
    private static final long HISTORIES = 2_000;
    private static final long SECONDS = 4;

    @Test
    void shouldRepeatAHistoryFromItsSeed() {
        for (long seed = 1; seed <= 3; seed++) {
            Simulation.Outcome first = Simulation.run(seed, Simulation.Options.all());
            Simulation.Outcome again = Simulation.run(seed, Simulation.Options.all());

            assertThat(again).isEqualTo(first);
            assertThat(first.events()).as("events of seed %d", seed).isGreaterThan(100);
        }
    }

    /** Plays as many histories as fit into some seconds, or into {@code -Dsimulate=SECONDS}. */
    private static SimulationRun keepTheEnforcedLaws(long seconds, Simulation.Options options) {
        Long asked = Long.getLong("simulate");
        SimulationRun run = new SimulationRun()
                .run(
                        Long.getLong("simulate.from", 1),
                        asked == null ? HISTORIES : Long.MAX_VALUE,
                        (asked == null ? seconds : asked) * Simulation.SECOND,
                        options);
        run.print(System.out);

        assertThat(run.histories()).as("histories that fitted").isPositive();
        assertThat(run.broken(Law::isEnforced))
                .as("enforced laws that were broken")
                .isEmpty();
        return run;
    }

    @Test
    void shouldKeepTheEnforcedLawsWhateverFails() {
        keepTheEnforcedLaws(SECONDS, Simulation.Options.all());
    }

    @Test
    void shouldKeepTheEnforcedLawsWhileOperatorsAct() {
        keepTheEnforcedLaws(SECONDS / 2, Simulation.Options.acting());
    }

    @Test
    void shouldKeepTheEnforcedLawsWhileOperatorsApplyPlans() {
        SimulationRun run = keepTheEnforcedLaws(SECONDS / 2, Simulation.Options.planning());

        assertThat(run.histories() < 10 || run.plansCompared() > 0)
                .as("of ten histories some compare a plan with what came of it")
                .isTrue();
    }

    @Test
    void shouldKeepTheEnforcedLawsWhileAdaptersAreExchanged() {
        keepTheEnforcedLaws(SECONDS / 2, Simulation.Options.exchanging());
    }

    /** {@code docs/reliability.md} says what each of them found. */
    @Test
    void shouldKeepTheEnforcedLawsInHistoriesThatBrokeThemOnce() {
        SimulationRun run = new SimulationRun();
        for (long seed : new long[] {
            20745, 21793, 24645, 60156, 210304, 212384, 400078, 501043, 601645, 7703733, 9101419, 12000336, 12000676,
            15100610, 15110024, 15110082, 15122842
        }) {
            run.run(seed, 1, Long.MAX_VALUE, Simulation.Options.all());
        }
        for (long seed : new long[] {
            2173, 200324, 201935, 301140, 5004372, 9300909, 15000362, 15100610, 15110082, 15121476, 15121778, 15140196
        }) {
            run.run(seed, 1, Long.MAX_VALUE, Simulation.Options.acting());
        }
        for (long seed : new long[] {730077, 14100151, 15020002, 15121748}) {
            run.run(seed, 1, Long.MAX_VALUE, Simulation.Options.exchanging());
        }
        for (long seed : new long[] {811370, 5002394, 9100160, 15110082, 15110120, 15121759, 15122243, 15122253}) {
            run.run(seed, 1, Long.MAX_VALUE, Simulation.Options.planning());
        }

        assertThat(run.histories()).isEqualTo(41);
        assertThat(run.broken(Law::isEnforced))
                .as("enforced laws that were broken")
                .isEmpty();
    }

    /** Laws that faults still hide by breaking others hold where those faults are left out. */
    @Test
    void shouldKeepTheLawsOfPlainFaults() {
        SimulationRun run =
                new SimulationRun().run(1, HISTORIES, SECONDS / 2 * Simulation.SECOND, Simulation.Options.plain());
        run.print(System.out);

        assertThat(run.histories()).as("histories that fitted").isPositive();
        assertThat(run.broken(Law::isEnforcedForPlainFaults))
                .as("laws that were broken by plain faults")
                .isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "simulate.seed", matches = "\\d+")
    void shouldPrintTheHistoryAskedFor() {
        long seed = Long.getLong("simulate.seed", 1);
        String kind = Stream.of("plans", "acts", "exchanges")
                .filter(named -> Boolean.getBoolean("simulate." + named))
                .findFirst()
                .orElse("all");
        Simulation.Options options = Simulation.Options.named(kind);
        Simulation.Outcome outcome = Simulation.run(seed, options.printing(System.out::println));
        outcome.violations().forEach(System.out::println);
        List<Violation> enforced = outcome.violations().stream()
                .filter(violation -> violation.law().isEnforced())
                .toList();

        assertThat(enforced).as("enforced laws broken by seed %d", seed).isEmpty();
    }
}

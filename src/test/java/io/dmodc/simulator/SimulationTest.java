package io.dmodc.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Histories of a whole site. {@code -Dsimulate=SECONDS} runs for that long, {@code -Dsimulate.seed=N} prints one. */
class SimulationTest {
    @Test
    void shouldRepeatAHistoryFromItsSeed() {
        Simulation.Outcome first = Simulation.run(1, Simulation.Options.all());
        Simulation.Outcome again = Simulation.run(1, Simulation.Options.all());

        assertThat(again).isEqualTo(first);
    }
}

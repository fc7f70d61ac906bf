package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Nothing is written or sent: what is rehearsed can be told by what would have been. */
class RepairRehearsalTest {
    @Test
    void shouldRepairAllTheWhile() {
        assertThat(new RepairRehearsal().run()).isGreaterThan(1_000);
    }
}

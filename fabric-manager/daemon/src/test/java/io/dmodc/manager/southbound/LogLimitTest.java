package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogLimitTest {
    private final LogLimit limit = new LogLimit(100);

    @Test
    void shouldLetOneLineThroughInAWhileAndCountTheOthers() {
        assertThat(limit.admit(-1_000)).as("the first, whatever the clock says").isZero();
        assertThat(limit.admit(-999)).isEqualTo(LogLimit.LEAVE_OUT);
        assertThat(limit.admit(-901)).isEqualTo(LogLimit.LEAVE_OUT);

        assertThat(limit.admit(-900)).isEqualTo(2);
        assertThat(limit.admit(-801)).isEqualTo(LogLimit.LEAVE_OUT);
        assertThat(limit.admit(5_000)).isEqualTo(1);
    }
}

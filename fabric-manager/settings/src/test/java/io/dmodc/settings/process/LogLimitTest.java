package io.dmodc.settings.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogLimitTest {
    @Test
    void shouldLetSeveralLinesThroughInAWhile() {
        LogLimit limit = new LogLimit(100, 3);
        for (long now : new long[] {0, 50, 99}) {
            assertThat(limit.admit(now)).as("at %d", now).isZero();
        }
        assertThat(limit.admit(99)).isEqualTo(LogLimit.LEAVE_OUT);

        assertThat(limit.admit(100)).isEqualTo(1);
        assertThat(limit.admit(150)).isZero();
        assertThat(limit.admit(199)).isZero();
        assertThat(limit.admit(199)).isEqualTo(LogLimit.LEAVE_OUT);
    }

    @Test
    void shouldLetOneLineThroughInAWhileAndCountTheOthers() {
        LogLimit limit = new LogLimit(100, 1);
        assertThat(limit.admit(-1_000)).as("the first, whatever the clock says").isZero();
        assertThat(limit.admit(-999)).isEqualTo(LogLimit.LEAVE_OUT);
        assertThat(limit.admit(-901)).isEqualTo(LogLimit.LEAVE_OUT);

        assertThat(limit.admit(-900)).isEqualTo(2);
        assertThat(limit.admit(-801)).isEqualTo(LogLimit.LEAVE_OUT);
        assertThat(limit.admit(5_000)).isEqualTo(1);
    }
}

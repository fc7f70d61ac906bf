package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweepTimesTest {
    private final SweepTimes sweeps = new SweepTimes(seconds(30));

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    private void sweep(long begun, long took) {
        sweeps.changed(seconds(begun));
        sweeps.changed(seconds(begun) + 1); // From the other end of the cable.
        sweeps.sent(seconds(begun + took));
    }

    @Test
    void shouldWaitForHalfOfTheLoadTimeoutAtMost() {
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(5));
        sweep(100, 9);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(15));
        assertThat(new SweepTimes(seconds(4)).waitNanos()).isEqualTo(seconds(2));
    }

    @Test
    void shouldRiseAtOnceAndSinkSlowly() {
        sweep(100, 3);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(6));
        sweep(200, 7);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(14));
        sweep(300, 5);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(12));
    }

    /** Where nothing follows a change, a wait must not become part of the next one; and the rest of a sweep tells that it takes so long at least. */
    @Test
    void shouldCountFromASignalAndNotSinkByWhatMayBeTheRestOfASweep() {
        sweeps.changed(seconds(100));
        sweeps.signalled(seconds(105));
        sweeps.sent(seconds(112));
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(14));

        sweeps.changed(seconds(200));
        sweeps.signalled(seconds(214));
        sweeps.sent(seconds(215));
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(14));
    }

    /** One that no sweep follows, as of a bad cable. */
    @Test
    void shouldForgetAChangeThatNothingFollowed() {
        sweeps.changed(seconds(100));
        sweep(120, 3);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(6));
    }

    @Test
    void shouldLearnNothingFromLinesThatAreReadTogether() {
        sweep(100, 7);
        sweep(200, 0);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(14));
    }

    @Test
    void shouldNotTakeForASweepWhatNothingCausedOrWhatTakesTooLong() {
        sweeps.sent(seconds(100));
        sweep(200, 31);
        assertThat(sweeps.waitNanos()).isEqualTo(seconds(5));
    }
}

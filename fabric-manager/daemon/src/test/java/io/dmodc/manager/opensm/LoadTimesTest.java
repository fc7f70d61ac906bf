package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadTimesTest {
    private static final long MILLI = 1_000_000;
    private static final long SEEN = 100 * MILLI;

    @Test
    void shouldTellWhenEachStepWasAfterTheLook() {
        LoadTimes times = new LoadTimes(
                7, SEEN, SEEN + 54 * MILLI, SEEN + 65 * MILLI, 0, SEEN + 700 * MILLI, SEEN + 1900 * MILLI, 120, 167);

        assertThat(times.text())
                .isEqualTo("epoch 7: 120 switches, 167 blocks; computed 54 ms, written 65 ms, loaded by OpenSM itself,"
                        + " OpenSM done 700 ms, read back 1900 ms after the fabric was seen so");
    }

    /** As where OpenSM has dealt LIDs anew, and the tables are those of before. */
    @Test
    void shouldCallNoTimeNegative() {
        LoadTimes times = new LoadTimes(7, SEEN, SEEN - 15 * MILLI, SEEN + 5 * MILLI, SEEN + 6 * MILLI, 0, 0, 1, 1);

        assertThat(times.text())
                .isEqualTo("epoch 7: 1 switches, 1 blocks; computed 15 ms before, written 5 ms, told 6 ms, OpenSM done"
                        + " unknown after the fabric was seen so; the next dump came before all was read back");
    }
}

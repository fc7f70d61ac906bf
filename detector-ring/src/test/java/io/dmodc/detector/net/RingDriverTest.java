package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingDriverTest {
    /** due, origin, grid: the instant on the grid. */
    @ParameterizedTest
    @CsvSource({
        "1000, 0, 100, 1000",
        "1001, 0, 100, 1100",
        "1099, 0, 100, 1100",
        "1000, 30, 100, 1070",
        "1070, 30, 100, 1070",
        "1000, -30, 100, 1030",
        "1000, -5030, 100, 1030",
        "1003, 7, 1, 1003",
        "9223372036854775807, 12345, 100, 9223372036854775807"
    })
    void shouldWakeAtTheNextInstantOnTheGrid(long due, long origin, long gridNanos, long expected) {
        assertThat(RingDriver.onGrid(due, origin, gridNanos)).isEqualTo(expected);
    }

    /** Endpoints with different origins wake at the same instants of the clock, never early, never a whole step late. */
    @Test
    void shouldShareTheGridWhateverTheOrigin() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 10_000; i++) {
            long grid = random.nextLong(1, 50_000_000);
            long origin = random.nextLong(-(1L << 60), 1L << 60);
            long due = random.nextLong(0, 1L << 50);

            long wake = RingDriver.onGrid(due, origin, grid);

            assertThat(wake - due)
                    .as("grid %d, origin %d, due %d", grid, origin, due)
                    .isBetween(0L, grid - 1);
            assertThat(Math.floorMod(origin + wake, grid)).isZero();
        }
    }
}

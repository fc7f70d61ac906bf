package io.dmodc.detector.net;

import static io.dmodc.detector.net.ReplayWindows.Standing.NEW;
import static io.dmodc.detector.net.ReplayWindows.Standing.OUTDATED;
import static io.dmodc.detector.net.ReplayWindows.Standing.REPEATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.net.ReplayWindows.Standing;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayWindowsTest {
    private final ReplayWindows windows = new ReplayWindows();

    @Test
    void shouldTakeEachNumberOnceInAnyOrder() {
        assertThat(windows.admit(7, 1, 100)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, 100)).isEqualTo(REPEATED);
        assertThat(windows.admit(7, 1, 37)).as("63 back").isEqualTo(NEW);
        assertThat(windows.admit(7, 1, 36)).as("64 back: cannot be told").isEqualTo(REPEATED);
        assertThat(windows.admit(7, 1, 103)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, 102)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, 100)).isEqualTo(REPEATED);
        assertThat(windows.admit(8, 1, 100)).as("another sender").isEqualTo(NEW);
    }

    @Test
    void shouldStartOverWithAHigherIncarnationAndNeverWithALowerOne() {
        assertThat(windows.admit(7, 1, 100)).isEqualTo(NEW);
        assertThat(windows.admit(7, 2, 0)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, 101)).isEqualTo(OUTDATED);
        assertThat(windows.admit(7, 2, 0)).isEqualTo(REPEATED);
        assertThat(windows.admit(7, -2, 5)).as("incarnations are unsigned").isEqualTo(NEW);
        assertThat(windows.admit(7, 2, 1)).isEqualTo(OUTDATED);
    }

    @Test
    void shouldGoOnWhenNumbersWrap() {
        assertThat(windows.admit(7, 1, -2)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, 1)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, -1)).isEqualTo(NEW);
        assertThat(windows.admit(7, 1, -1)).isEqualTo(REPEATED);
        assertThat(windows.admit(7, 1, Integer.MIN_VALUE + 1)).as("2^31 back").isEqualTo(REPEATED);
    }

    /** The bound: two tables of SENDERS_MAX, so the last SENDERS_MAX senders are always remembered. */
    @Test
    void shouldRememberTheLatestSendersWhenThereAreTooMany() {
        long many = 5L * ReplayWindows.SENDERS_MAX;
        for (long guid = 0; guid < many; guid++) {
            assertThat(windows.admit(guid, 1, 1)).isEqualTo(NEW);
            assertThat(windows.admit(0, 1, (int) (guid + 2))).as("always heard").isEqualTo(NEW);
        }

        for (long guid = many - ReplayWindows.SENDERS_MAX + 1; guid < many; guid++) {
            assertThat(windows.admit(guid, 1, 1)).as("sender %d", guid).isEqualTo(REPEATED);
        }
        assertThat(windows.admit(0, 1, 2)).as("always heard").isEqualTo(REPEATED);
        assertThat(windows.admit(1, 1, 1)).as("long forgotten").isEqualTo(NEW);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAgreeWithItsSlowTwin(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Twin twin = new Twin();
        long[] guids = random.longs(1 + random.nextInt(500)).toArray();
        int[] incarnations = new int[guids.length];
        long[] sequences = random.longs(guids.length, 0, 1L << 32).toArray();

        for (int i = 0; i < 100_000; i++) {
            int who = random.nextInt(guids.length);
            incarnations[who] += random.nextInt(2_000) == 0 ? 1 : 0;
            sequences[who] += random.nextInt(20) == 0 ? random.nextInt(200) : 1;
            long sequence = sequences[who] - random.nextInt(random.nextBoolean() ? 1 : 90);
            int incarnation = incarnations[who] - (random.nextInt(50) == 0 ? 1 : 0);

            assertThat(windows.admit(guids[who], incarnation, (int) sequence))
                    .as("seed %d, datagram %d", seed, i)
                    .isEqualTo(twin.admit(guids[who], incarnation, sequence));
        }
    }

    /** Keeps all numbers of all senders, and is told them without the wrap. */
    private static final class Twin {
        private final Map<Long, Run> runs = new HashMap<>();

        Standing admit(long guid, int incarnation, long sequence) {
            Run known = runs.get(guid);
            if (known == null || Integer.compareUnsigned(incarnation, known.incarnation) > 0) {
                runs.put(guid, new Run(incarnation, sequence));
                return NEW;
            }
            if (incarnation != known.incarnation) {
                return OUTDATED;
            }
            return known.isRepeated(sequence) ? REPEATED : NEW;
        }
    }

    /** One run of a sender. */
    private static final class Run {
        final int incarnation;
        private final SortedSet<Long> heard = new TreeSet<>();

        Run(int incarnation, long sequence) {
            this.incarnation = incarnation;
            heard.add(sequence);
        }

        boolean isRepeated(long sequence) {
            return sequence <= heard.last() - 64 || !heard.add(sequence);
        }
    }
}

package io.dmodc.demo.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.demo.linux.Outages.Pair;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LossCounterTest {
    private static final long ALL = -1;

    private static @Nullable Pair count(long[] sent, long[] came) {
        return LossCounter.count(3, 5, sent, came, 0, 127, 1_000);
    }

    private static long without(int... slots) {
        return IntStream.of(slots).mapToLong(slot -> ~(1L << slot)).reduce(ALL, (a, b) -> a & b);
    }

    @Test
    void shouldFindNothingWhereAllCame() {
        assertThat(count(new long[] {ALL, ALL}, new long[] {ALL, ALL})).isNull();
    }

    @Test
    void shouldTellTheLongestRunAndAllThatWasLost() {
        Pair pair = count(new long[] {ALL, ALL}, new long[] {without(4, 62, 63), without(0, 20)});

        assertThat(pair).isEqualTo(new Pair(3, 5, 5, 3 * Probes.PERIOD_NANOS, 1_000 + 62 * Probes.PERIOD_NANOS, false));
    }

    @Test
    void shouldNotCountWhatWasNotSentButTheTimeWithoutIt() {
        Pair pair = count(new long[] {without(10, 12), ALL}, new long[] {without(10, 11, 12, 13), ALL});

        assertThat(pair).isEqualTo(new Pair(3, 5, 2, 3 * Probes.PERIOD_NANOS, 1_000 + 11 * Probes.PERIOD_NANOS, false));
    }

    @Test
    void shouldSayWhenNothingCameUntilTheEnd() {
        Pair pair = count(new long[] {ALL, ALL}, new long[] {ALL, 0x0f});

        assertThat(pair)
                .isEqualTo(new Pair(3, 5, 60, 60 * Probes.PERIOD_NANOS, 1_000 + 68 * Probes.PERIOD_NANOS, true));
    }

    @Test
    void shouldSumUpWhatPairsLost() {
        Pair little = new Pair(0, 1, 2, 2 * Probes.PERIOD_NANOS, 0, false);
        Pair much = new Pair(1, 0, 40, 30 * Probes.PERIOD_NANOS, 0, false);

        Outages outages = new Outages(12, List.of(much, little), 0, 0);

        assertThat(outages.medianMillis()).isEqualTo(10);
        assertThat(outages.maxMillis()).isEqualTo(150);
        assertThat(outages.lostPairMillis()).isEqualTo(210);
        assertThat(outages.leaving("leaf0", host -> host == much.from()))
                .isEqualTo("of those that leave leaf0 1 were hit, and lost " + much.lost() + " probes at most");
        assertThat(new Outages(12, List.of(), 0, 0).text()).isEqualTo("none of 12 pairs lost a probe");
    }
}

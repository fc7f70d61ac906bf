package io.dmodc.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaderEpochsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 1024",
        "0, 1023, 2047",
        "57, 5, 1029",
        "1023, 0, 1024",
        "1029, 5, 2053",
        "1030, 5, 2053",
        "2147482623, 1023, 2147483647",
        "57, -1, 58",
    })
    void shouldTakeTheNextTerm(long held, int number, long next) {
        assertThat(LeaderEpochs.above(held, number)).isEqualTo(next);
    }

    /** Whatever they have heard of each other, in whatever order they start and outbid. */
    @Test
    void shouldNeverGiveTwoManagersTheSame() {
        SplittableRandom random = new SplittableRandom(20_261_123);
        Map<Long, Integer> taken = new HashMap<>();
        long[] last = new long[8];
        for (int i = 0; i < 100_000; i++) {
            int manager = random.nextInt(last.length);
            long heard = last[random.nextInt(last.length)];
            long next = LeaderEpochs.above(Math.max(last[manager], heard), manager);

            assertThat(next).isGreaterThan(Math.max(last[manager], heard));
            assertThat(taken.put(next, manager)).isNull();
            last[manager] = next;
        }
    }
}

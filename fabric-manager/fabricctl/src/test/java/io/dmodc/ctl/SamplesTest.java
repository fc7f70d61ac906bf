package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplesTest {
    /** 1 to {@code count} milliseconds, the largest first. */
    private static Samples descending(int count) {
        Samples samples = new Samples();
        for (int millis = count; millis >= 1; millis--) {
            samples.addMillis(millis);
        }
        return samples;
    }

    @Test
    void shouldTakeTheNearestRank() {
        assertThat(descending(1).median()).isEqualTo(1);
        assertThat(descending(1).p99()).isEqualTo(1);
        assertThat(descending(3).median()).isEqualTo(2);
        assertThat(descending(3).p99()).isEqualTo(3);
        assertThat(descending(100).median()).isEqualTo(50);
        assertThat(descending(100).p99()).isEqualTo(99);
        assertThat(descending(101).p99()).isEqualTo(100);
        assertThat(descending(200).p99()).isEqualTo(198);
    }

    @Test
    void shouldStartAnewWhenCleared() {
        Samples samples = descending(70);
        assertThat(samples.last()).isEqualTo(1);

        samples.clear();
        assertThat(samples.median()).isZero();

        samples.addMillis(5.0000004);
        assertThat(samples.p99()).isEqualTo(5);
    }
}

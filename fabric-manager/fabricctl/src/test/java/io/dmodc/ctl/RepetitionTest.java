package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepetitionTest {
    private long now;
    private int runs;

    private int run(int count, long nanos) {
        return new Repetition(count, nanos, () -> now).run(() -> {
            runs++;
            now += 10;
        });
    }

    @Test
    void shouldRunAsOftenAsItIsTo() {
        assertThat(run(7, 1_000)).isEqualTo(7);
        assertThat(runs).isEqualTo(7);
    }

    @Test
    void shouldBeginNothingMoreOnceTheTimeIsOver() {
        assertThat(run(7, 25)).isEqualTo(3);
        assertThat(runs).isEqualTo(3);
        assertThat(run(7, 0)).isEqualTo(1);
    }
}

package io.dmodc.manager.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.routing.quality.CongestionSummary.Sampled;
import java.util.List;
import org.junit.jupiter.api.Test;

class CongestionHistoryTest {
    private static MeasuredCongestion epoch(long number) {
        Sampled none = new Sampled(0, 0, 0);
        return new MeasuredCongestion(number, 1, new CongestionSummary(2, 0, 1, none, none, List.of()), List.of());
    }

    @Test
    void shouldKnowNothingAtFirst() {
        assertThat(new CongestionHistory().latest()).isNull();
        assertThat(new CongestionHistory().of(1)).isNull();
    }

    @Test
    void shouldForgetTheOldestAtItsBound() {
        CongestionHistory history = new CongestionHistory();
        for (int number = 1; number <= CongestionHistory.KEPT + 2; number++) {
            history.add(epoch(number));
        }

        assertThat(history.of(2)).isNull();
        assertThat(history.of(3)).isEqualTo(epoch(3));
        assertThat(history.latest()).isEqualTo(epoch(CongestionHistory.KEPT + 2));
    }
}

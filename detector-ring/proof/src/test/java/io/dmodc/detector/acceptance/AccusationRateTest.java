package io.dmodc.detector.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates and their bounds. */
class AccusationRateTest {
    /** Two-sided 95 % limits as tables of the Poisson distribution print them (Garwood 1936; Ulm 1990). */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 3.689",
        "1, 0.0253, 5.572",
        "2, 0.2422, 7.225",
        "3, 0.6187, 8.767",
        "4, 1.0899, 10.242",
        "5, 1.6235, 11.668",
        "10, 4.7954, 18.390",
        "20, 12.2165, 30.888",
        "50, 37.1110, 65.919",
        "100, 81.364, 121.627"
    })
    void shouldBoundAsThePublishedTables(int events, double lowest, double highest) {
        AccusationRate rate = new AccusationRate(events, 1);

        assertThat(rate.lowest()).isCloseTo(lowest, within(0.0006));
        assertThat(rate.highest()).isCloseTo(highest, within(0.0006));
    }

    /** Far out a Poisson count is a normal one: the limits are 1.96 roots away, and a little more above than below. */
    @Test
    void shouldBoundManyEvents() {
        AccusationRate rate = new AccusationRate(10_000, 1);

        assertThat(rate.lowest()).isCloseTo(10_000 - 196, within(3.0));
        assertThat(rate.highest()).isCloseTo(10_000 + 196, within(3.0));
    }

    /** 64 members for a minute without an event still allow 3.5 an hour each. */
    @Test
    void shouldTellTheRateOfAMemberHour() {
        AccusationRate none = new AccusationRate(0, 64 * 60 / 3600.0);
        AccusationRate some = new AccusationRate(19, 960 / 3600.0);

        assertThat(none).hasToString("0.0 per member-hour (95 %, two-sided: 0.00 to 3.5)");
        assertThat(some).hasToString("71.3 per member-hour (95 %, two-sided: 42.90 to 111.3)");
    }

    @Test
    void shouldRefuseWhatIsNoObservation() {
        assertThatThrownBy(() -> new AccusationRate(-1, 1)).hasMessageContaining("-1 events");
        assertThatThrownBy(() -> new AccusationRate(0, 0)).hasMessageContaining("0.0 h");
    }
}

package io.dmodc.ctl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments as people write them, and filters on names. */
class PastMomentTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:30:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T02:40:00Z, 2026-01-31T02:40:00Z",
        "2026-01-31T02:40:00.5Z, 2026-01-31T02:40:00.5Z",
        "12:30, 2026-03-01T12:30:00Z",
        "02:40, 2026-03-01T02:40:00Z",
        "02:40:05, 2026-03-01T02:40:05Z",
        "12:31, 2026-02-28T12:31:00Z",
        "30min, 2026-03-01T12:00:00Z",
        "1.5h, 2026-03-01T11:00:00Z",
        "2d, 2026-02-27T12:30:00Z"
    })
    void shouldUnderstand(String text, String moment) {
        assertThat(PastMoment.parse(text, NOW)).isEqualTo(moment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "25:00", "2:40", "2026-01-31", "2026-13-31T02:40:00Z", "30"})
    void shouldSayWhatItExpects(String text) {
        assertThatThrownBy(() -> PastMoment.parse(text, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "'" + text + "' is no moment; expected as 2026-01-31T02:40:00Z, 02:40 (UTC) or 30min (ago)");
    }

    @ParameterizedTest
    @CsvSource({
        "leaf, LEAF0, true",
        "eaf, leaf0, true",
        "l*0, leaf0, true",
        "l*1, leaf0, false",
        "*, '', true",
        "a.c, abc, false",
        "spine, leaf0, false"
    })
    void shouldFindNamesAsTheManagerDoes(String filter, String name, boolean found) {
        assertThat(EventFilter.matches(filter, name)).isEqualTo(found);
    }
}

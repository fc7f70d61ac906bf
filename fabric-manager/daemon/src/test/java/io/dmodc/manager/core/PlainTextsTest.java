package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers and mistakes as people read them. */
class PlainTextsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 µs",
        "632000, 632 µs",
        "999999, 1000 µs",
        "1000000, 1.0 ms",
        "15800000, 15.8 ms",
        "999900000, 999.9 ms",
        "1000000000, 1.00 s",
        "6580000000, 6.58 s"
    })
    void shouldTellATimeInTheUnitThatFits(long nanos, String text) {
        assertThat(ElapsedText.text(nanos)).isEqualTo(text);
    }

    @Test
    void shouldTellAMistakeInOneLineOfAtMostTwoHundredCharacters() {
        String head = "java.lang.IllegalStateException: ";

        assertThat(Defects.text(new IllegalStateException("one\n\t two"))).isEqualTo(head + "one two");
        String fits = "x".repeat(200 - head.length());
        assertThat(Defects.text(new IllegalStateException(fits))).isEqualTo(head + fits);
        assertThat(Defects.text(new IllegalStateException(fits + "x"))).isEqualTo(head + fits + "…");
    }

    @Test
    void shouldTellOfAllPartsThatFailAndOfTheLastThatWasDropped() {
        Defects defects = new Defects();
        assertThat(defects.alarmText()).isEmpty();

        defects.dropped("event A");
        defects.dropped("event B");
        assertThat(defects.alarmText())
                .isEqualTo("defect in the manager: 2 dropped since the start, the last: event B");

        defects.fails("ring", "ring failed");
        defects.fails("agents", "agents failed");
        assertThat(defects.alarmText())
                .isEqualTo("defect in the manager: agents failed; ring failed; tried again; "
                        + "2 dropped since the start, the last: event B");

        defects.works("ring");
        defects.works("agents");
        assertThat(defects.alarmText())
                .isEqualTo("defect in the manager: 2 dropped since the start, the last: event B");
    }
}

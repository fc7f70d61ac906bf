package io.dmodc.detector.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row as JSON, there and back. */
class AcceptanceRowTest {
    @Test
    void shouldPrintTheFormOfTheContract() {
        AcceptanceRow row = AcceptanceRow.judged("A13", "port down", "p99 12.3 ms", "<= 50 ms", true);

        assertThat(row.toJson())
                .isEqualTo("{\"row\":\"A13\",\"claim\":\"port down\",\"figure\":\"p99 12.3 ms\",\"bound\":\"<= 50 ms\","
                        + "\"verdict\":\"pass\"}");
    }

    @Test
    void shouldReadBackWhatItPrints() {
        for (Verdict verdict : Verdict.values()) {
            AcceptanceRow row = new AcceptanceRow("A2", "a \"b\" \\ c\n{d}", "δ, 1.5", "", verdict);

            assertThat(AcceptanceRow.parse(row.toJson())).contains(row);
        }
    }

    @Test
    void shouldReadOtherWritersSpacesOrderAndEscapes() {
        String line = " { \"verdict\" : \"not run\", \"figure\":\"\\u0041\\tB\", \"row\": \"A14\", \"extra\":\"x\" } ";

        assertThat(AcceptanceRow.parse(line)).contains(new AcceptanceRow("A14", "", "A\tB", "", Verdict.NOT_RUN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "WARN something",
                "{}",
                "{\"row\":\"A1\"}",
                "{\"row\":\"A1\",\"verdict\":\"perhaps\"}",
                "{\"claim\":\"x\",\"verdict\":\"pass\"}"
            })
    void shouldTakeNothingElseForARow(String line) {
        assertThat(AcceptanceRow.parse(line)).isEmpty();
    }
}

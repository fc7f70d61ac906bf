package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.manager.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The trial's rows, briefly: what it counts must be right on any machine, how long things took is not judged here. */
class TrialTest {
    private static List<JsonNode> trial(String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("trial"));
        arguments.addAll(List.of(options));
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.run(arguments.toArray(String[]::new))).isLessThan(2);
        } finally {
            System.setOut(before);
        }
        List<JsonNode> rows = new ArrayList<>();
        for (String line : printed.toString(StandardCharsets.UTF_8).lines().toList()) {
            if (line.startsWith("{")) {
                rows.add(new ObjectMapper().readTree(line));
            }
        }
        return rows;
    }

    @Test
    void shouldPrintARowPerClaimAndHoldWhatDoesNotDependOnTime() throws Exception {
        List<JsonNode> rows =
                trial("--pgft", "3;2,2,3;1,2,2;1,2,1", "--cuts", "4", "--seconds", "1", "--agents", "2", "--seed", "3");

        assertThat(rows)
                .extracting(row -> row.at("/row").asText())
                .containsOnly("A13", "A14")
                .hasSize(12);
        assertThat(rows)
                .filteredOn(row -> !row.at("/bound").asText().contains(" ms")
                        && !row.at("/verdict").asText().equals("not run"))
                .hasSizeBetween(6, 7)
                .allSatisfy(row -> assertThat(row.at("/verdict").asText())
                        .as(row.toString())
                        .isEqualTo("pass"));
    }

    @Test
    void shouldRefuseNumbersThatMakeNoTrial() {
        assertThat(Main.run("trial", "--cuts", "0")).isEqualTo(2);
        assertThat(Main.run("trial", "--agents", "1")).isEqualTo(2);
        assertThat(Main.run("trial", "--seconds", "0")).isEqualTo(2);
        assertThat(Main.run("trial", "--pgft", "nonsense")).isEqualTo(2);
    }
}

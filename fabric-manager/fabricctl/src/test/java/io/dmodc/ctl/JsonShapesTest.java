package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JSON of each offline command against the page that documents it, field by field and in its order. */
class JsonShapesTest {
    private static final Path PAGE = Path.of("../../docs/cli-json.md");
    private static final Pattern FIELD = Pattern.compile("(\\[?)`(\\w+)`");

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void write() {
        Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--out", directory.resolve("fabric"));
        Ctl.run("route", "--topology", directory.resolve("fabric"), "--out", directory.resolve("lft"));
        Ctl.run("vtftr", "dump", "--grid", "2x2;hosts=1;roots=1,1", "-o", directory.resolve("grid"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topology show|--topology DIR/fabric",
                "topology verify|--topology DIR/fabric",
                "report|--topology DIR/fabric",
                "route|--topology DIR/fabric",
                "change|--from DIR/fabric --to DIR/fabric",
                "what-if|--topology DIR/fabric --fail switch:l3s0",
                "what-if|--topology DIR/fabric --fail switch:l3s0 --no-congestion",
                "explain|leaf0 node7 --topology DIR/fabric",
                "explain|leaf0 node0 --topology DIR/fabric --engine minhop",
                "explain --all|leaf0 node7 --topology DIR/fabric",
                "check|--topology DIR/fabric --lft DIR/lft",
                "check|--topology DIR/fabric --lft DIR/lft --switches",
                "quality --from compute --to compute|--topology DIR/fabric",
                "quality|--topology DIR/fabric --permutations 3",
                "quality|--topology DIR/fabric --patterns a2a",
                "quality|--topology DIR/fabric --patterns uniform",
                "simulate|--topology DIR/fabric --load 0.2 --seeds 1 --cycles 100",
                "vtftr check|DIR/grid",
                "bench|--topology DIR/fabric --rounds 1 --faults 1",
                "detector plan|--nodes 64 --eta 100ms --delta 1s",
                "detector simulate|--nodes 16"
            })
    void shouldPrintTheDocumentedFields(String command, String options) throws IOException {
        String line = command + " " + options.replace("DIR", directory.toString()) + " --format JSON";

        Ctl ran = Ctl.run((Object[]) line.split(" "));

        assertThat(ran.code()).as(String.join("\n", ran.err())).isZero();
        JsonNode answer = new ObjectMapper().readTree(ran.text());
        List<String> printed = new ArrayList<>();
        answer.fieldNames().forEachRemaining(printed::add);
        List<String> expected = documented(command, answer);
        assertThat(printed).as(String.join(" ", printed)).isEqualTo(expected);
    }

    /** The fields of the table's row; those in brackets only if they are there. */
    private static List<String> documented(String command, JsonNode answer) throws IOException {
        String start = "| `" + command + "` | ";
        String row = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElse("");
        List<String> fields = new ArrayList<>();
        for (Matcher field = FIELD.matcher(row.substring(Math.min(row.length(), start.length()))); field.find(); ) {
            if (field.group(1).isEmpty() || answer.has(field.group(2))) {
                fields.add(field.group(2));
            }
        }
        return fields;
    }

    @Test
    void shouldPrintBracketedFieldsWhenTheyApply() throws IOException {
        JsonNode check = new ObjectMapper()
                .readTree(Ctl.run(
                                "check",
                                "--topology",
                                directory.resolve("fabric"),
                                "--lft",
                                directory.resolve("lft"),
                                "--switches",
                                "--format",
                                "json")
                        .text());

        assertThat(check.has("switchTables")).isTrue();
    }
}

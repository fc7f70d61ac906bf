package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Losses imagined by an operator before they happen. */
class WhatIfCommandTest {
    private static final String SMALL = "3;4,4,4;1,4,4;1,1,1";

    @TempDir
    private Path directory = Path.of("");

    private static Ctl whatIf(Object... more) {
        Object[] words = new Object[3 + more.length];
        Object[] head = {"what-if", "--pgft", SMALL};
        System.arraycopy(head, 0, words, 0, head.length);
        System.arraycopy(more, 0, words, head.length, more.length);
        return Ctl.run(words);
    }

    @Test
    void shouldSayThatTheLossOfASpineCutsNobodyOff() {
        Ctl ran = whatIf("--fail", "switch:l3s0", "--threads", 1);

        assertThat(ran.code()).as(String.join("\n", ran.err())).isZero();
        assertThat(ran.out()).hasSize(6);
        assertThat(ran.out().get(0)).isEqualTo("without switch l3s0, by dmodc:");
        assertThat(ran.out().get(1)).isEqualTo("cut off: none");
        assertThat(ran.out().get(2)).matches("\\d+ switches, \\d+ blocks, 1 round, transient-safe");
        assertThat(ran.out().get(3))
                .matches(
                        "congestion: all-to-all \\d+ → \\d+, permutations \\d\\.\\d\\d → \\d\\.\\d\\d, shifts 1\\.00 → 1\\.\\d\\d");
        assertThat(ran.out().get(4)).matches("hottest: .* port \\d+ \\(\\d+ → \\d+\\)");
        assertThat(ran.out().get(5)).matches("tables \\d+ ms, change \\d+ ms, congestion \\d+ ms on 1 threads");
    }

    @Test
    void shouldNameWhoIsCutOff() throws IOException {
        Ctl text = whatIf("--fail", "switch:leaf1,link:leaf0:5,link:leaf0:6", "--no-congestion");
        Ctl json = whatIf("--fail", "switch:leaf1", "--no-congestion", "--format", "json");

        assertThat(text.code()).isEqualTo(1);
        assertThat(text.out().get(0))
                .isEqualTo("without switch leaf1, link leaf0 port 5 – l2s0 port 1, link leaf0 port 6 – l2s1 port 1, by"
                        + " dmodc:");
        assertThat(text.out().get(1)).isEqualTo("cut off: 4 nodes of leaf1: node4, node5, node6, node7");
        assertThat(text.text()).doesNotContain("congestion:");
        JsonNode report = new ObjectMapper().readTree(json.text());
        assertThat(report.at("/cutOffNodes").asInt()).isEqualTo(4);
        assertThat(report.at("/cutOff/0/name").asText()).isEqualTo("leaf1");
        assertThat(report.at("/cutOff/0/nodes/3/index").asInt()).isEqualTo(7);
        assertThat(report.has("congestion")).isFalse();
        assertThat(report.at("/verdict").asText()).isEqualTo("any-order");
    }

    @Test
    void shouldReadAFileAndTakeGuids() {
        Ctl.run("topology", "generate", "--pgft", SMALL, "--out", directory.resolve("fabric"));
        Ctl named = Ctl.run(
                "what-if", "--topology", directory.resolve("fabric"), "--fail", "link:leaf0:5", "--no-congestion");
        Ctl byGuid = Ctl.run(
                "what-if",
                "--topology",
                directory.resolve("fabric"),
                "--fail",
                "link:0x02f0000000000000:5",
                "--no-congestion");

        assertThat(named.code()).as(String.join("\n", named.err())).isZero();
        assertThat(byGuid.out().subList(0, 3)).isEqualTo(named.out().subList(0, 3));
        assertThat(Files.exists(directory.resolve("fabric"))).isTrue();
    }

    /** Its formula holds for whole fabrics only. */
    @Test
    void shouldSayThatAnEngineMakesNoTables() {
        Ctl ran = whatIf("--fail", "switch:l3s0", "--engine", "dmodk");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .hasSize(1)
                .allMatch(line -> line.startsWith("fabricctl what-if: no tables: not the whole"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spine3|'spine3' is no part of a fabric; expected switch:NAME or link:SWITCH:PORT, names or 0x… GUIDs",
                "switch:spine3|no switch 'spine3' in the fabric; a name or 0x… GUID is expected",
                "switch:0x1|no switch '0x1' in the fabric; a name or 0x… GUID is expected",
                "link:leaf0|'link:leaf0' is no part of a fabric; expected switch:NAME or link:SWITCH:PORT, names or 0x… GUIDs",
                "link:leaf0:99|link leaf0:99: '99' is no port of leaf0; expected 1..8",
                "link:leaf0:up|link leaf0:up: 'up' is no port of leaf0; expected 1..8",
                "link:leaf0:1|link leaf0:1: leaf0 port 1 has no live link to a switch"
            })
    void shouldRefuseInOneLineWhatIsNotThere(String part, String error) {
        Ctl ran = whatIf("--fail", part);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).containsExactly("fabricctl what-if: " + error);
    }
}

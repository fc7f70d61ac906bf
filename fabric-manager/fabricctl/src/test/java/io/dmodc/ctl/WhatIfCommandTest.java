package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void shouldAskTheManagerWithoutAFile() throws Exception {
        String harmless =
                "{\"id\":\"0badcafe\",\"epoch\":9,\"act\":\"what-if\",\"text\":[\"cut off: none\",\"9 switches\"],"
                        + "\"cutOff\":[],\"verdict\":\"in-rounds\",\"valid\":true}";
        try (FakeManager manager = new FakeManager()) {
            manager.says("POST", "plans", 200, harmless);

            assertThat(manager.run("what-if", "--fail", "switch:rack 1/s,link:rack 1/leaf0:5,switch:0x77"))
                    .isEqualTo(new Ctl(0, List.of("cut off: none", "9 switches"), List.of()));
            assertThat(manager.run("what-if", "--fail", "link:leaf0:5", "--no-congestion", "--format", "json")
                            .text())
                    .isEqualTo(harmless);

            assertThat(manager.nextQuestion())
                    .isEqualTo("POST plans {\"act\":\"what-if\",\"switches\":[\"rack 1/s\",\"0x77\"],"
                            + "\"links\":[\"rack 1/leaf0:5\"]}");
            assertThat(manager.nextQuestion())
                    .isEqualTo("POST plans {\"act\":\"what-if\",\"switches\":[],\"links\":[\"leaf0:5\"],"
                            + "\"congestion\":false}");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'cutOff':[{'name':'leaf1','count':4}],'verdict':'any-order','valid':true",
                "'cutOff':[],'verdict':'not-provable','valid':true",
                "'cutOff':[],'verdict':'any-order','valid':false",
                "'problem':'no tables'"
            })
    void shouldExitWithOneForAnAnswerThatIsNotHarmless(String fields) throws IOException {
        try (FakeManager manager = new FakeManager()) {
            manager.says("POST", "plans", 200, "{\"text\":[\"told\"]," + fields.replace('\'', '"') + "}");

            assertThat(manager.run("what-if", "--fail", "switch:leaf1"))
                    .isEqualTo(new Ctl(1, List.of("told"), List.of()));
        }
    }

    @Test
    void shouldSayWhatTheManagerDoesNotKnow() throws IOException {
        try (FakeManager manager = new FakeManager()) {
            manager.says("POST", "plans", 404, FakeManager.problem(404, "no switch 'leaf9'"))
                    .says("POST", "plans", 400, FakeManager.problem(400, "two switches are called leaf0"));

            assertThat(manager.run("what-if", "--fail", "switch:leaf9"))
                    .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl what-if: no switch 'leaf9'")));
            assertThat(manager.run("what-if", "--fail", "switch:leaf0"))
                    .isEqualTo(new Ctl(2, List.of(), List.of("fabricctl what-if: two switches are called leaf0")));
            assertThat(manager.run("what-if", "--fail", "leaf0").err())
                    .containsExactly("fabricctl what-if: 'leaf0' is no part of a fabric; expected switch:NAME or"
                            + " link:SWITCH:PORT, names or 0x… GUIDs");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--engine,updn",
        "--roots,f",
        "--slow-links,avoid",
        "--group-order,guid",
        "--plane-map,f",
        "--design,1;4;1;1",
        "--levels,f",
        "--fail-switches,1",
        "--fail-links,1",
        "--seed,2",
        "--node-map,f",
        "--node-types,f",
        "--threads,1"
    })
    void shouldLeaveToTheManagerWhatItHasItself(String option, String value) {
        Ctl ran = Ctl.run("what-if", "--fail", "switch:leaf0", option, value);

        assertThat(ran)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl what-if: " + option
                                + " is for --topology, --pgft, --grid and --opensm; a running manager has its own")));
    }

    @Test
    void shouldNotAskAManagerAboutAFile() {
        Ctl ran = whatIf("--fail", "switch:leaf0", "--manager", "http://127.0.0.1:1");

        assertThat(ran)
                .isEqualTo(
                        new Ctl(
                                2,
                                List.of(),
                                List.of(
                                        "fabricctl what-if: expected only one of --topology, --pgft, --grid, --opensm and --manager")));
    }
}

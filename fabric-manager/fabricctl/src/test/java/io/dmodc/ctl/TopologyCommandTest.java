package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private Path whole = Path.of("");

    @BeforeEach
    void generate() {
        whole = directory.resolve("whole.txt");
        assertThat(Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--out", whole))
                .isEqualTo(new Ctl(0, List.of(), List.of()));
    }

    @Test
    void shouldWriteAFileAndNothingElse() throws IOException {
        assertThat(Files.readString(whole)).contains("Switch\t6 \"S-02f0000000000000\"\t\t# \"leaf0\" base port 0");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(whole);
        }
    }

    @Test
    void shouldWriteToStandardOutput() throws IOException {
        Ctl ctl = Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--out", "-");

        assertThat(ctl.out()).isEqualTo(Files.readAllLines(whole));
    }

    @Test
    void shouldShuffleTheSameWayForTheSameSeed() {
        Ctl first = Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--shuffle-guids", 3, "--out", "-");
        Ctl again = Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--shuffle-guids", 3, "--out", "-");
        Ctl other = Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--shuffle-guids", 4, "--out", "-");

        assertThat(again).isEqualTo(first);
        assertThat(other).isNotEqualTo(first);
    }

    @Test
    void shouldShowTheLevels() {
        Ctl ctl = Ctl.run("topology", "show", "--topology", whole);

        assertThat(ctl.code()).isZero();
        assertThat(ctl.text()).isEqualTo("""
                %s: 16 switches, 6 leaves, 12 host ports, 36 cables between switches

                  rank 2   4 switches       each: down 3
                           |
                           | 12 cables
                           |
                  rank 1   6 switches       each: up 2, down 4
                           |
                           | 24 cables
                           |
                  rank 0   6 leaves         each: up 4, hosts 2
                           |
                           | 12 host ports

                read 16 switches, 12 hosts with 12 cabled ports, 36 cables""".formatted(whole));
    }

    @Test
    void shouldGenerateAGrid() {
        Path grid = directory.resolve("grid.txt");

        Ctl ctl = Ctl.run("topology", "generate", "--grid", "3x4;hosts=2;roots=2,1", "--out", grid);

        assertThat(ctl).isEqualTo(new Ctl(0, List.of(), List.of()));
        assertThat(Ctl.run("topology", "show", "--topology", grid).out().get(0))
                .isEqualTo(grid + ": 22 switches, 12 leaves, 24 host ports, 36 cables between switches");
    }

    @Test
    void shouldSayWhatIsWrongWithAGrid() {
        Ctl ctl = Ctl.run("topology", "generate", "--grid", "1x4;hosts=2;roots=2,1", "--out", "-");
        Ctl both = Ctl.run("topology", "generate", "--grid", "x", "--pgft", Ctl.FIGURE_1, "--out", "-");
        Ctl routed = Ctl.run("quality", "--grid", "3x4;hosts=2");

        assertThat(ctl.code()).isEqualTo(2);
        assertThat(ctl.err())
                .containsExactly(
                        "fabricctl topology generate: '1x4;hosts=2;roots=2,1' is not a grid; expected 2..254 rows"
                                + " instead of 1");
        assertThat(both.code()).isEqualTo(2);
        assertThat(routed.code()).isEqualTo(2);
        assertThat(routed.err().get(0)).contains("'3x4;hosts=2' is not a grid");
    }

    @Test
    void shouldShowTheSameAsJson() throws IOException {
        Ctl ctl = Ctl.run("topology", "show", "--topology", whole, "--format", "json");

        JsonNode json = new ObjectMapper().readTree(ctl.text());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "switches",
                        "leaves",
                        "hostPorts",
                        "cables",
                        "levels",
                        "unrankedSwitches",
                        "cablesInsideRanks",
                        "cablesAcrossRanks",
                        "upperSwitchesWithHosts",
                        "slowLinks",
                        "imported");
        assertThat(json.at("/levels/1/down/total").asInt()).isEqualTo(24);
        assertThat(json.at("/levels/2/switches").asInt()).isEqualTo(4);
        assertThat(json.at("/imported/hostPortCount").asInt()).isEqualTo(12);
    }

    @Test
    void shouldTakeAwayWhatItIsAskedTo() throws IOException {
        Path damaged = directory.resolve("damaged.txt");

        Ctl degrade = Ctl.run(
                "topology",
                "degrade",
                "--topology",
                whole,
                "--switches",
                1,
                "--links",
                3,
                "--seed",
                9,
                "--out",
                damaged);

        assertThat(degrade).isEqualTo(new Ctl(0, List.of(), List.of()));
        JsonNode json = new ObjectMapper()
                .readTree(Ctl.run("topology", "show", "--topology", damaged, "--format", "json")
                        .text());
        assertThat(json.at("/switches").asInt()).isEqualTo(15);
        assertThat(json.at("/hostPorts").asInt()).isEqualTo(12);
        assertThat(json.at("/cables").asInt()).isLessThanOrEqualTo(36 - 3 - 3);
        assertThat(json.at("/imported/skippedLineCount").asInt()).isZero();
    }

    @Test
    void shouldNotTouchTheOutputWhenTheDamageIsTooMuch() throws IOException {
        String before = Files.readString(whole);

        Ctl ctl = Ctl.run("topology", "degrade", "--topology", whole, "--links", 37, "--out", whole);

        assertThat(ctl.code()).isEqualTo(2);
        assertThat(ctl.err())
                .containsExactly(
                        "fabricctl topology degrade: cannot take 37 cables between switches away: the fabric has"
                                + " 36");
        assertThat(Files.readString(whole)).isEqualTo(before);
    }

    @Test
    void shouldShowWhatWasSkippedAndWhereHostsSitHigh() throws IOException {
        String text = Files.readString(whole)
                .replace("[1]\t\"S-02f0000000000000\"[3]", "[1]\t\"H-77\"[1](78) \t\t# \"admin\" lid 99 4xEDR");
        Path odd = Files.writeString(directory.resolve("odd.txt"), "$ ibnetdiscover\n" + text);

        Ctl ctl = Ctl.run("topology", "show", "--topology", odd);

        assertThat(ctl.out())
                .contains(
                        "1 switches above the leaves have hosts:",
                        "  0x02f0000000000006 l2s0: rank 1, 1 hosts",
                        "1 hosts without a block of their own, taken from their switches",
                        "3 lines skipped:",
                        "  line 1: '$ ibnetdiscover' is a shell's prompt");
    }
}

package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code quality} as an operator meets it. */
class QualityCommandTest {
    private static final String SMALL = "2;4,4;1,4;1,1";

    @TempDir
    private Path directory = Path.of("");

    private Path lft() {
        return directory.resolve("lft");
    }

    private static JsonNode json(Object... words) throws IOException {
        Object[] all = new Object[words.length + 3];
        all[0] = "quality";
        all[1] = "--format";
        all[2] = "json";
        System.arraycopy(words, 0, all, 3, words.length);
        Ctl quality = Ctl.run(all);
        assertThat(quality.code()).as(String.join("\n", quality.err())).isZero();
        return new ObjectMapper().readTree(quality.text());
    }

    /** Without what depends on the clock. */
    private static JsonNode figures(Object... words) throws IOException {
        ObjectNode figures = (ObjectNode) json(words);
        figures.remove("millis");
        figures.remove("engine");
        return figures;
    }

    @Test
    void shouldLookAtTheAskedPatternsOnly() throws IOException {
        JsonNode all = figures("--pgft", SMALL, "--permutations", 20);
        JsonNode allToAll = figures("--pgft", SMALL, "--patterns", "a2a");
        JsonNode others = figures("--pgft", SMALL, "--patterns", "SP,RP", "--permutations", 20);

        assertThat(allToAll.get("a2a")).isEqualTo(all.get("a2a"));
        assertThat(allToAll.has("rp")).isFalse();
        assertThat(allToAll.has("spMax")).isFalse();
        assertThat(others.has("a2a")).isFalse();
        assertThat(others.at("/stages/0").has("a2a")).isFalse();
        assertThat(others.get("rp")).isEqualTo(all.get("rp"));
        assertThat(others.get("spMax")).isEqualTo(all.get("spMax"));
    }

    @Test
    void shouldLookAtNoRiskWhereThroughputAloneIsAskedFor() throws IOException {
        Object[] damaged = {"--pgft", SMALL, "--fail-links", 14, "--seed", 3};
        JsonNode both = json(with(damaged, "--patterns", "a2a,shift:4"));
        JsonNode alone = json(with(damaged, "--patterns", "shift:4"));

        assertThat(alone.has("a2a")).isFalse();
        assertThat(alone.get("stages")).isEmpty();
        assertThat(alone.at("/millis/allToAll").asDouble()).isZero();
        assertThat(alone.at("/throughput/0/min")).isEqualTo(both.at("/throughput/0/min"));
        assertThat(alone.get("unroutedPairs").asLong()).isPositive();
        for (String field :
                new String[] {"switches", "nodes", "absentNodes", "failedLinks", "pairs", "unroutedPairs"}) {
            assertThat(alone.get(field)).as(field).isEqualTo(both.get(field));
        }
    }

    /** Two hosts of each of 16 leaves send to 24 of 31 nodes in other columns, over two roots: 24 / 31. */
    @Test
    void shouldTellWhatAGridCarriesUnderVtftr() throws IOException {
        String[] grid = {"--grid", "4x4;hosts=2;roots=2,2", "--engine", "VTFTR", "--patterns", "uniform,shift:8"};

        JsonNode whole = json((Object[]) grid);
        JsonNode faulty =
                json(grid[0], grid[1], grid[2], grid[3], "--patterns", "uniform", "--fault", "0,2", "--fault", "2,0");

        assertThat(whole.get("engine").asText()).isEqualTo("vtftr, pairwise spares");
        assertThat(whole.has("a2a")).isFalse();
        assertThat(whole.at("/throughput/0/maxChannelLoad").asDouble()).isEqualTo(24.0 / 31);
        assertThat(whole.at("/throughput/1/min").asDouble()).isEqualTo(1);
        assertThat(faulty.get("nodes").asInt()).isEqualTo(28);
        assertThat(faulty.get("unroutedPairs").asInt()).isZero();
        assertThat(faulty.at("/throughput/0/maxChannelLoad").asDouble()).isGreaterThan(24.0 / 31);
    }

    @Test
    void shouldHaveNoCongestionRiskOfVtftr() {
        Ctl ctl =
                Ctl.run("quality", "--grid", "4x4;hosts=2;roots=2,2", "--engine", "vtftr", "--patterns", "uniform,sp");

        assertThat(ctl)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl quality: --patterns sp with engine vtftr, which has no congestion risk;"
                                + " expected uniform or another pattern of throughput")));
    }

    @Test
    void shouldTellTheRiskOfAWholeFabricAsText() {
        Ctl quality = Ctl.run("quality", "--pgft", SMALL, "--permutations", 50, "--threads", 1);

        assertThat(quality.code()).isZero();
        assertThat(quality.out())
                .startsWith(
                        "dmodc: 8 switches, 16 nodes, 50 permutations, 15 shifts",
                        "",
                        "congestion risk    ports  all-to-all  permutations (median)  shifts (max)  shifts (mean)",
                        "whole fabric          48           3                      2             1           1.00",
                        "up, rank 0 to 1       16           3                      2             1           1.00",
                        "down, rank 1 to 0     16           1                      1             1           1.00",
                        "to hosts              16           1                      1             1           1.00",
                        "all-to-all: 1.00 times the least that the cuts of this fabric allow, 3.00",
                        "permutations (median): 2.00 times the least that the cuts of this fabric allow, 1.00",
                        "shifts (mean): 1.00 times the least that the cuts of this fabric allow, 1.00",
                        "",
                        "what a flow meets  flows  mean risk  % that meet 3 or more",
                        "all-to-all           240       2.60                   80.0",
                        "permutations         752       1.31                    3.2",
                        "shifts               240       1.00                    0.0",
                        "",
                        "worst ports   to           all-to-all  sources  dests  permutations (max)  shifts (max)")
                .contains("and 6 more that bear as much as the first");
        assertThat(quality.out().get(17)).matches("leaf0 port 5  l2s0 port 1  +3 +4 +3 +[1-4] +1");
        assertThat(quality.out().get(quality.out().size() - 1))
                .matches("tables \\d+ ms, all-to-all \\d+ ms, permutations \\d+ ms, shifts \\d+ ms on 1 threads");
    }

    @Test
    void shouldTellTheSameAsJson() throws IOException {
        JsonNode json = json("--pgft", SMALL, "--permutations", 50, "--engine", "dmodk");

        assertThat(json.get("engine").asText()).isEqualTo("dmodk");
        assertThat(json.get("nodes").asInt()).isEqualTo(16);
        assertThat(json.get("switches").asInt()).isEqualTo(8);
        assertThat(json.get("pairs").asInt()).isEqualTo(16 * 15);
        assertThat(json.get("unroutedPairs").asInt()).isZero();
        assertThat(json.get("a2a").asInt()).isEqualTo(3);
        assertThat(json.get("rp").asInt()).isEqualTo(2);
        assertThat(json.get("spMax").asInt()).isEqualTo(1);
        assertThat(json.get("spMean").asDouble()).isEqualTo(1);
        assertThat(json.get("rpLeast").asInt()).isEqualTo(1);
        assertThat(json.get("spMaxLeast").asInt()).isEqualTo(1);
        assertThat(json.get("spMeanLeast").asDouble()).isEqualTo(1);
        assertThat(json.get("a2aLeast").asInt()).isEqualTo(3);
        assertThat(json.at("/a2aFlows/mean").asDouble()).isEqualTo(2.6);
        assertThat(json.at("/a2aFlows/shared").asDouble()).isEqualTo(0.8);
        assertThat(json.at("/rpFlows/flows").asInt()).isBetween(600, 800);
        assertThat(json.at("/spFlows/mean").asDouble()).isEqualTo(1);
        assertThat(json.get("shifts").asInt()).isEqualTo(15);
        assertThat(json.get("shiftsSampled").asBoolean()).isFalse();
        assertThat(json.get("stages")).hasSize(3);
        assertThat(json.at("/stages/0/direction").asText()).isEqualTo("UP");
        assertThat(json.at("/stages/0/fromRank").asInt()).isZero();
        assertThat(json.at("/stages/2").has("fromRank")).isFalse();
        assertThat(json.get("worstPorts")).hasSize(10);
        assertThat(json.get("worstPortCount").asInt()).isEqualTo(16);
        assertThat(json.at("/worstPorts/0/peerName").asText()).isEqualTo("l2s0");
        assertThat(json.at("/millis/shifts").isNumber()).isTrue();
    }

    @Test
    void shouldFindTheSameOfTablesInAFileWhateverTheThreads() throws IOException {
        Object[] damage = {"--pgft", Ctl.FIGURE_1, "--fail-switches", 1, "--fail-links", 2, "--seed", 4};
        Ctl.run(
                "route", damage[0], damage[1], damage[2], damage[3], damage[4], damage[5], damage[6], damage[7],
                "--out", lft());

        JsonNode engine = figures(with(damage, "--threads", 1));
        JsonNode file = figures(with(damage, "--threads", 3, "--lft", lft()));

        assertThat(file).isEqualTo(engine);
        assertThat(engine.get("failedSwitches").asInt()).isEqualTo(1);
        assertThat(engine.get("spMax").asInt()).isGreaterThan(1);
    }

    private static Object[] with(Object[] words, Object... more) {
        Object[] all = new Object[words.length + more.length];
        System.arraycopy(words, 0, all, 0, words.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return all;
    }

    @Test
    void shouldTellTheThroughputOfPatterns() throws IOException {
        Object[] asked = {
            "--pgft", "2;16,16;1,16;1,1", "--engine", "dmodk", "--patterns", "transpose,uniform", "--offered", "0.9"
        };

        JsonNode json = json(asked);
        Ctl text = Ctl.run(with(new Object[] {"quality"}, asked));

        assertThat(json.at("/throughput/0/pattern").asText()).isEqualTo("transpose");
        assertThat(json.at("/throughput/0/maxChannelLoad").asDouble()).isEqualTo(15);
        assertThat(json.at("/throughput/0/mean").asDouble()).isEqualTo(0.11875);
        assertThat(json.at("/throughput/0/min").asDouble()).isEqualTo(1.0 / 15);
        assertThat(json.at("/throughput/1/flows").asInt()).isEqualTo(256 * 255);
        assertThat(json.at("/throughput/1/saturation").asDouble()).isEqualTo(1);
        assertThat(json.has("a2a")).isFalse();
        assertThat(text.out())
                .startsWith("dmodk: 32 switches, 256 nodes")
                .anyMatch(line -> line.matches("transpose +0.900 +256 +0 +15.0000 +0.0667 +0.1188 +0.0667 +\\d+ ms"))
                .anyMatch(line -> line.matches("uniform +0.900 +65280 +0 +0.9412 +1.0000 +0.9000 +0.9000 +\\d+ ms"))
                .noneMatch(line -> line.startsWith("congestion risk"));
    }

    @Test
    void shouldSayThatShiftsAreASample() throws IOException {
        Ctl text = Ctl.run("quality", "--pgft", SMALL, "--shifts", 4, "--permutations", 1);
        JsonNode json = json("--pgft", SMALL, "--shifts", 4);

        assertThat(text.out().get(0))
                .isEqualTo("dmodc: 8 switches, 16 nodes, 1 permutations, 4 of 15 shifts (a sample)");
        assertThat(json.get("shifts").asInt()).isEqualTo(4);
        assertThat(json.get("shiftsSampled").asBoolean()).isTrue();
    }

    @Test
    void shouldLeaveOutPatternsNobodyAskedFor() throws IOException {
        Ctl text = Ctl.run("quality", "--pgft", SMALL, "--shifts", 0, "--permutations", 0);
        JsonNode json = json("--pgft", SMALL, "--shifts", 0, "--permutations", 0);

        assertThat(text.out().get(3))
                .isEqualTo("whole fabric          48           3                      –             –              –");
        assertThat(json.has("rp")).isFalse();
        assertThat(json.has("spMax")).isFalse();
        assertThat(json.get("a2a").asInt()).isEqualTo(3);
    }

    /** Two leaves, one spine, one of the cables cut: nobody can cross. */
    @Test
    void shouldCountPairsWithoutARouteAndNodesWithoutAHost() throws IOException {
        Path map = Files.writeString(directory.resolve("nodes"), "0x0000000000000007 6\n");

        Ctl quality = Ctl.run("quality", "--pgft", "2;2,2;1,1;1,1", "--fail-links", 1, "--node-map", map);

        assertThat(quality.code()).isZero();
        assertThat(quality.out())
                .contains(
                        "7 node indices have no host on a live switch and take no part",
                        "8 of 12 ordered pairs of nodes have no route that arrives");
    }

    @Test
    void shouldTakeTheDesignOfAFileForDmodk() throws IOException {
        Path topology = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", SMALL, "--out", topology);

        Ctl without = Ctl.run("quality", "--topology", topology, "--engine", "dmodk");
        JsonNode with = json("--topology", topology, "--engine", "dmodk", "--design", SMALL);

        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err()).hasSize(1).allMatch(line -> line.contains("engine 'dmodk' needs a design"));
        assertThat(with.get("spMax").asInt()).isEqualTo(1);
    }

    @Test
    void shouldAnswerNoWhenNoTablesCanBeMade() {
        Ctl quality = Ctl.run("quality", "--pgft", Ctl.FIGURE_1, "--fail-links", 1, "--engine", "dmodk");

        assertThat(quality.code()).isEqualTo(1);
        assertThat(quality.out()).isEmpty();
        assertThat(quality.err()).hasSize(1).allMatch(line -> line.startsWith("fabricctl quality: no tables: "));
    }
}

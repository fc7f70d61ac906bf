package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries explained from a shape, and by a manager. */
class ExplainCommandTest {
    private static Ctl explain(String line) {
        return Ctl.run((Object[]) ("explain " + line + " --pgft " + Ctl.FIGURE_1).split(" "));
    }

    @Test
    void shouldTellAllShortestLegalPaths() {
        Ctl ran = explain("leaf0 node7 --all");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .containsExactly(
                        "leaf0 to node7 at leaf3: 16 shortest legal paths of 4 cables, dmodc's port in brackets",
                        "hop 0  leaf0: ports 3 5 to l2s0, ports 4 6 to l2s1 [6], 16 paths",
                        "hop 1  l2s0: port 5 to l3s0, port 6 to l3s2 [6], 4 paths",
                        "hop 1  l2s1: port 5 to l3s1, port 6 to l3s3 [6], 4 paths",
                        "hop 2  l3s0: port 2 to l2s2 [2], 2 paths",
                        "hop 2  l3s1: port 2 to l2s3 [2], 2 paths",
                        "hop 2  l3s2: port 2 to l2s2 [2], 2 paths",
                        "hop 2  l3s3: port 2 to l2s3 [2], 2 paths",
                        "hop 3  l2s2: ports 2 4 to leaf3 [4], 2 paths",
                        "hop 3  l2s3: ports 2 4 to leaf3 [4], 2 paths",
                        "hop 4  leaf3: the node is here [2]");
        assertThat(explain("node0 node7 --all")).as("from a node").isEqualTo(ran);
    }

    @Test
    void shouldTellWhereNoLegalPathIs() {
        assertThat(explain("leaf0 node7 --all --fail switch:l2s0,switch:l2s1"))
                .isEqualTo(new Ctl(0, List.of("leaf0 to node7: no legal path"), List.of()));
        assertThat(explain("leaf9 node7 --all").code()).isEqualTo(2);
    }

    @Test
    void shouldExplainAnEntry() {
        Ctl ran = explain("leaf0 node7");

        assertThat(ran.code()).as(String.join("\n", ran.err())).isZero();
        assertThat(ran.text()).isEqualTo("""
                leaf0 sends packets to node7 out of port 6 to l2s1 port 3
                up: node7 is on leaf3 port 2, 4 hops from here
                candidates (1): 2 port groups lead closer: l2s0 (ports 3, 5), l2s1 (ports 4, 6)
                divider: 1, how many consecutive nodes share a port
                group (3): ⌊7 / 1⌋ mod 2 = 7 mod 2 = 1: l2s1
                port (4): ⌊7 / (1 · 2)⌋ mod 2 = 3 mod 2 = 1: port 6
                alternatives (2): ports 3, 5, 4, 6
                without this cable: port 4 to l2s1 port 1""");
    }

    @Test
    void shouldExplainWhatIsLeftAfterALoss() throws IOException {
        Ctl text = explain("leaf0 7 --fail link:leaf0:6");
        Ctl json = explain("0x02f0000000000000 node7 --fail switch:l2s0,switch:l2s1 --format json");

        assertThat(text.out().get(0)).isEqualTo("leaf0 sends packets to node7 out of port 4 to l2s1 port 1");
        JsonNode answer = new ObjectMapper().readTree(json.text());
        assertThat(json.code()).isZero();
        assertThat(answer.at("/way").asText()).isEqualTo("no-path");
        assertThat(answer.has("port")).isFalse();
        assertThat(answer.has("formula")).isFalse();
    }

    @Test
    void shouldSayThatMinhopDecidesInItsOwnOrder() {
        Ctl ran = explain("leaf0 node7 --engine minhop");

        assertThat(ran.code()).isZero();
        assertThat(ran.text()).contains("minhop has no formula").doesNotContain("divider");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "leaf99 node7|no switch 'leaf99' in the fabric; a name or 0x… GUID is expected",
                "leaf0 node99|no node 'node99' in the fabric; an index, name or 0x… GUID is expected",
                "leaf99 node7 --all|no switch or node 'leaf99' in the fabric; an index, name or 0x… GUID is expected",
                "leaf0 12|no node with index 12; expected one of 0..11, a name or 0x… GUID",
                "leaf0 node7 --manager http://localhost|expected only one of --topology, --pgft, --grid, --opensm and --manager",
                "leaf0 node7 --engine ospf|engine 'ospf' is unknown; expected one of dmodc, dmodc-strict, dmodc-plain, dmodk, minhop, updn, ftree"
            })
    void shouldRefuseInOneLine(String line, String error) {
        Ctl ran = explain(line);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).containsExactly("fabricctl explain: " + error);
    }

    @Test
    void shouldAskTheManager() throws IOException {
        try (FakeManager manager = new FakeManager()) {
            String answer = "{\"epoch\":9,\"text\":[\"leaf 0 sends packets\",\"it holds this entry\"]}";
            manager.says("explain?switch=leaf%200&node=7", answer);

            assertThat(manager.run("explain", "leaf 0", "7"))
                    .isEqualTo(new Ctl(0, List.of("leaf 0 sends packets", "it holds this entry"), List.of()));
            assertThat(manager.run("explain", "leaf 0", "7", "--format", "json").text())
                    .isEqualTo(answer);
            assertThat(manager.run("explain", "leaf9", "7").code()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--engine=updn",
                "--roots=f",
                "--slow-links=avoid",
                "--design=1;4;1;1",
                "--levels=f",
                "--group-order=guid",
                "--plane-map=f",
                "--node-map=f",
                "--node-types=f",
                "--fail=switch:leaf0",
                "--fail-links=1",
                "--all"
            })
    void shouldLeaveToTheManagerWhatItHasItself(String option) {
        Ctl ran = Ctl.run("explain", "leaf9", "7", option);

        assertThat(ran)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl explain: " + option.split("=")[0]
                                + " is for --topology, --pgft, --grid and --opensm; a running manager has its own")));
    }
}

package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Four leaves, two cables to each of two spines: one of leaf0's trained at one lane, all of leaf1's at SDR. */
class SlowLinkOptionTest {
    private static final String REMARK =
            "5 links between switches are slower than most of the same ranks, see 'fabricctl topology show'; ";

    private static final List<String> SLOW = List.of(
            "5 of 16 links between rank 0 and 1 are slower than 4xEDR:",
            "  leaf0 port 5 – l2s0 port 1: 1xEDR",
            "  leaf1 port 5 – l2s0 port 2: 4xSDR",
            "  leaf1 port 6 – l2s1 port 2: 4xSDR",
            "  leaf1 port 7 – l2s0 port 6: 4xSDR",
            "  leaf1 port 8 – l2s1 port 6: 4xSDR");

    @TempDir
    private Path directory = Path.of("");

    private Path fabric() {
        return directory.resolve("fabric");
    }

    private Path tables(String slowLinks) {
        return directory.resolve(slowLinks);
    }

    @BeforeEach
    void slowDown() throws IOException {
        Ctl.run("topology", "generate", "--pgft", "2;4,4;1,2;1,2", "--out", fabric());
        List<String> lines = new ArrayList<>();
        String block = "";
        for (String line : Files.readAllLines(fabric())) {
            if (line.startsWith("Switch") || line.startsWith("Ca")) {
                block = line;
            }
            boolean oneLane = block.contains("\"leaf0\"") && line.startsWith("[5]");
            boolean singleRate = block.contains("\"leaf1\"") && line.contains("\"l2s");
            lines.add(oneLane ? line.replace("4xEDR", "1xEDR") : singleRate ? line.replace("4xEDR", "4xSDR") : line);
        }
        Files.write(fabric(), lines);
    }

    private Ctl route(String slowLinks) {
        return Ctl.run("route", "--topology", fabric(), "--slow-links", slowLinks, "--out", tables(slowLinks));
    }

    @Test
    void shouldNameSlowLinks() throws IOException {
        Ctl show = Ctl.run("topology", "show", "--topology", fabric());
        Ctl verify = Ctl.run("topology", "verify", "--topology", fabric());

        assertThat(show.out()).containsSequence(SLOW);
        assertThat(verify.out()).containsSequence(SLOW).contains("as designed");
        assertThat(verify.code()).as("slow links are no difference").isZero();
        assertThat(new ObjectMapper()
                        .readTree(Ctl.run("topology", "show", "--topology", fabric(), "--format", "json")
                                .text())
                        .get("slowLinks")
                        .get(0)
                        .get("slower")
                        .asInt())
                .isEqualTo(5);
    }

    @Test
    void shouldNameNoneWhereAllAreAlike() {
        Ctl.run("topology", "generate", "--pgft", "2;4,4;1,2;1,2", "--out", fabric());

        assertThat(Ctl.run("topology", "show", "--topology", fabric()).text()).doesNotContain("slower");
        assertThat(route("avoid").err()).isEmpty();
    }

    /** leaf1 goes on being served over slow cables: it has no others. */
    @Test
    void shouldLeaveOutThoseBesideWhichAnotherLeadsToTheSameSwitch() throws IOException {
        Ctl ignored = route("ignore");
        Ctl avoided = route("avoid");

        assertThat(ignored.err())
                .containsExactly(
                        REMARK + "--slow-links avoid leaves out those beside which others lead to the same switch");
        assertThat(avoided.err()).containsExactly(REMARK + "1 left out, 4 without another to the same switch");
        assertThat(ignored.text()).contains("over 16 links").contains(": complete");
        assertThat(avoided.text()).contains("over 15 links").contains(": complete");
        assertThat(Files.readString(tables("ignore"))).isNotEqualTo(Files.readString(tables("avoid")));
    }

    @Test
    void shouldProveThatNoTableUsesALinkLeftOut() {
        route("ignore");
        route("avoid");

        assertThat(check("avoid", "avoid").code()).isZero();
        assertThat(check("avoid", "ignore").code()).isZero();
        assertThat(check("ignore", "ignore").code()).isZero();
        assertThat(check("ignore", "avoid").code()).isEqualTo(1);
    }

    private Ctl check(String tables, String slowLinks) {
        return Ctl.run("check", "--topology", fabric(), "--lft", tables(tables), "--slow-links", slowLinks);
    }

    @Test
    void shouldMeasureTablesWithoutThem() throws IOException {
        Ctl quality = Ctl.run(
                "quality", "--topology", fabric(), "--slow-links", "avoid", "--permutations", 1, "--format", "json");

        assertThat(new ObjectMapper()
                        .readTree(quality.text())
                        .get("unroutedPairs")
                        .asInt())
                .isZero();
        assertThat(quality.err()).containsExactly(REMARK + "1 left out, 4 without another to the same switch");
    }

    /** Its cables carry packets all the same: what is not used is no loss, and comes back where its neighbour is lost. */
    @Test
    void shouldSayWhatALossWouldDoWithoutThem() throws IOException {
        assertThat(whatIf("avoid", "link:leaf0:5").get("entries").asInt()).isZero();
        assertThat(whatIf("ignore", "link:leaf0:5").get("entries").asInt()).isPositive();
        JsonNode beside = whatIf("avoid", "link:leaf0:7");
        assertThat(beside.get("cutOffNodes").asInt()).isZero();
        assertThat(beside.get("entries").asInt())
                .as("leaf0 to half of 12 nodes and l2s0 to 4 of leaf0, by the slow cable then")
                .isEqualTo(6 + 4);
    }

    private JsonNode whatIf(String slowLinks, String fail) throws IOException {
        Ctl ran = Ctl.run(
                "what-if",
                "--topology",
                fabric(),
                "--slow-links",
                slowLinks,
                "--fail",
                fail,
                "--no-congestion",
                "--format",
                "json");
        return new ObjectMapper().readTree(ran.text());
    }

    @Test
    void shouldExplainEntriesWithoutThem() {
        assertThat(explain("ignore", "")).contains("l2s0 (ports 5, 7), l2s1 (ports 6, 8)");
        assertThat(explain("avoid", "")).contains("l2s0 (port 7), l2s1 (ports 6, 8)");
        assertThat(explain("avoid", "link:leaf0:7")).contains("l2s0 (port 5), l2s1 (ports 6, 8)");
    }

    private String explain(String slowLinks, String fail) {
        List<Object> words =
                new ArrayList<>(List.of("explain", "leaf0", "15", "--topology", fabric(), "--slow-links", slowLinks));
        if (!fail.isEmpty()) {
            words.addAll(List.of("--fail", fail));
        }
        return Ctl.run(words.toArray()).text();
    }

    /** From tables that use them to tables that do not, with all links at work. */
    @Test
    void shouldPlanTheChangeToTablesWithoutThem() throws IOException {
        route("ignore");

        assertThat(change("ignore").get("changedEntries").asInt()).isZero();
        JsonNode avoiding = change("avoid");
        assertThat(avoiding.get("changedEntries").asInt()).isPositive();
        assertThat(avoiding.get("verdict").asText()).isEqualTo("any-order");
    }

    private JsonNode change(String slowLinks) throws IOException {
        Ctl ran = Ctl.run(
                "change",
                "--from",
                fabric(),
                "--to",
                fabric(),
                "--from-lft",
                tables("ignore"),
                "--slow-links",
                slowLinks,
                "--format",
                "json");
        return new ObjectMapper().readTree(ran.text());
    }

    /** The tables that the fabric has are measured as they are. */
    @Test
    void shouldReportWhatTablesWithoutThemAreLike() throws IOException {
        route("ignore");

        assertThat(report("ignore"))
                .contains(
                        "--slow-links avoid leaves out",
                        allToAll("present tables, whole fabric", 3),
                        allToAll("dmodc, whole fabric", 3),
                        "<tr><td>none</td><td></td><td></td><td></td><td></td>" + number(3));
        assertThat(report("avoid"))
                .contains(
                        "1 left out, 4 without another to the same switch",
                        allToAll("present tables, whole fabric", 3),
                        allToAll("dmodc, whole fabric", 4),
                        "<tr><td>none</td><td></td><td></td><td></td><td></td>" + number(4));
    }

    private static String allToAll(String tables, int risk) {
        return "<td>" + tables + "</td><td></td>" + number(risk);
    }

    private static String number(int value) {
        return "<td class=\"n\">" + value + "</td>";
    }

    private String report(String slowLinks) throws IOException {
        Path page = directory.resolve("page");
        Ctl.run("report", "--topology", fabric(), "--lft", tables("ignore"), "--slow-links", slowLinks, "--out", page);
        return Files.readString(page);
    }

    @Test
    void shouldKeepRatesInFilesItWrites() {
        Path again = directory.resolve("again");
        Ctl.run("topology", "degrade", "--topology", fabric(), "--out", again);
        Path exported = directory.resolve("exported");
        Ctl.run("export", "ibnetdiscover", "--topology", fabric(), "--out", exported);

        assertThat(Ctl.run("topology", "show", "--topology", again).out()).containsSequence(SLOW);
        assertThat(Ctl.run("topology", "show", "--topology", exported).out()).containsSequence(SLOW);
    }
}

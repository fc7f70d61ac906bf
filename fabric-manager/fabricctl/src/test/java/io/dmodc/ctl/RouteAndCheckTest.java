package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables out of {@code route} go back into {@code check}, as an operator would do it. */
class RouteAndCheckTest {
    @TempDir
    private Path directory = Path.of("");

    private Path lft() {
        return directory.resolve("lft");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dmodc", "dmodc-plain", "dmodk", "minhop", "updn", "ftree"})
    void shouldMakeValidTablesWithEveryEngine(String engine) {
        Ctl route = Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--engine", engine, "--out", lft(), "--as", "opensm");
        Ctl check = Ctl.run("check", "--pgft", Ctl.FIGURE_1, "--lft", lft(), "--strict");

        assertThat(route.code()).isZero();
        assertThat(route.text())
                .startsWith(engine + ": 16 switches x 12 nodes over 36 links in ")
                .endsWith("complete");
        assertThat(check.code()).as(check.text()).isZero();
        assertThat(check.out().get(0)).startsWith("valid: ");
        assertThat(check.err()).isEmpty();
    }

    /** Equation (1) as printed lets packets between spines turn up; only the strict form keeps those legal, too. */
    @Test
    void shouldCheckTablesTowardsSwitchesWhenAsked() {
        Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--engine", "dmodc", "--out", lft());
        Ctl strict = Ctl.run("check", "--pgft", Ctl.FIGURE_1, "--lft", lft(), "--switches");
        Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--engine", "dmodc-plain", "--out", lft());
        Ctl plain = Ctl.run("check", "--pgft", Ctl.FIGURE_1, "--lft", lft(), "--switches");

        assertThat(strict.code()).as(strict.text()).isZero();
        assertThat(plain.code()).isEqualTo(1);
        assertThat(plain.text()).contains("valid: ", "towards switches:\nINVALID: ", "NO_DOWN_UP_TURN (");
    }

    @Test
    void shouldMakeTheSameTablesWhateverTheThreads() throws IOException {
        Path one = directory.resolve("one");
        Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--threads", 1, "--out", one);
        Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--threads", 3, "--out", lft());

        assertThat(Files.mismatch(one, lft())).isEqualTo(-1);
    }

    @Test
    void shouldRouteADamagedFabricAndProveIt() throws IOException {
        Object[] fabric = {"--pgft", "3;4,4,4;1,4,4;1,1,1", "--fail-switches", 2, "--fail-links", 4, "--seed", 5};

        Ctl route = Ctl.run(with(fabric, "route", "--out", lft(), "--format", "json"));
        Ctl check = Ctl.run(with(fabric, "check", "--lft", lft()));
        Ctl whole = Ctl.run("check", "--pgft", "3;4,4,4;1,4,4;1,1,1", "--lft", lft());

        assertThat(route.code()).isZero();
        JsonNode json = new ObjectMapper().readTree(route.text());
        assertThat(json.get("result").asText()).isEqualTo("complete");
        assertThat(json.get("failedLinks").asInt()).isEqualTo(4);
        assertThat(json.get("nodes").asInt()).isEqualTo(64);
        assertThat(check.code()).as(check.text()).isZero();
        assertThat(whole.code()).isEqualTo(1);
    }

    @Test
    void shouldTellWhatACheckFoundAsJson() throws IOException {
        Object[] fabric = {"--pgft", "3;4,4,4;1,4,4;1,1,1", "--fail-switches", 2, "--seed", 5};
        Ctl.run(with(fabric, "route", "--out", lft()));

        JsonNode valid = new ObjectMapper()
                .readTree(Ctl.run(with(fabric, "check", "--lft", lft(), "--format", "json", "--switches"))
                        .text());
        Ctl whole = Ctl.run("check", "--pgft", "3;4,4,4;1,4,4;1,1,1", "--lft", lft(), "--format", "JSON");

        assertThat(valid.get("valid").asBoolean()).isTrue();
        assertThat(valid.get("failures")).isEmpty();
        assertThat(valid.at("/switchTables/valid").asBoolean()).isTrue();
        assertThat(whole.code()).isEqualTo(1);
        JsonNode invalid = new ObjectMapper().readTree(whole.text());
        assertThat(invalid.get("valid").asBoolean()).isFalse();
        assertThat(invalid.at("/failures/0/count").asLong()).isPositive();
        assertThat(invalid.at("/failures/0/claim").asText()).isNotEmpty();
        assertThat(invalid.has("switchTables")).isFalse();
    }

    @Test
    void shouldStillTakeWhatOptionsWereCalledOnce() throws IOException {
        Ctl route = Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--engine", "DMODC", "--stats", "json");
        Path topology = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--out", topology);

        assertThat(new ObjectMapper().readTree(route.text()).get("engine").asText())
                .isEqualTo("dmodc");
        assertThat(Ctl.run("topology", "show", "--in", topology))
                .isEqualTo(Ctl.run("topology", "show", "--topology", topology));
        assertThat(Ctl.run("topology", "verify", "--in=" + topology).code()).isZero();
    }

    private static Object[] with(Object[] fabric, Object command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(fabric));
        words.addAll(List.of(more));
        return words.toArray();
    }

    @Test
    void shouldRouteAFileAndCheckItAgainstTheFile() {
        Path topology = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--shuffle-guids", 2, "--out", topology);

        Ctl route = Ctl.run("route", "--topology", topology, "--out", lft());
        Ctl check = Ctl.run("check", "--topology", topology, "--lft", lft());

        assertThat(route.code()).isZero();
        assertThat(check.code()).as(check.text()).isZero();
    }

    @Test
    void shouldPrintEveryPropertyThatFails() throws IOException {
        Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--out", lft());
        String text = Files.readString(lft());
        int second = text.indexOf("Unicast", 1);
        String leaf0 = text.substring(0, second).replaceAll(" 00[3-6] # Channel", " 001 # Channel");
        Files.writeString(lft(), leaf0 + text.substring(second));

        Ctl check = Ctl.run("check", "--pgft", Ctl.FIGURE_1, "--lft", lft());

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.out().get(0)).startsWith("INVALID: ");
        assertThat(check.text()).contains("LIVE_ENTRIES (", "MINIMAL_DELIVERY (", "fails");
    }

    @Test
    void shouldSayWhichSwitchesTheTablesLeaveOut() throws IOException {
        Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--out", lft());
        String text = Files.readString(lft());
        Files.writeString(lft(), text.substring(text.indexOf("Unicast", 1)));

        Ctl check = Ctl.run("check", "--pgft", Ctl.FIGURE_1, "--lft", lft());

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.err()).containsExactly("1 live switches have no section: 0x02f0000000000000 (leaf0)");
    }

    /** Two leaves, one spine: without its only uplink a leaf is cut off; the rest is routed. */
    @Test
    void shouldNameCutOffLeavesAndRouteTheRest() {
        Object[] fabric = {"--pgft", "2;2,3;1,1;1,1", "--fail-links", 1, "--seed", 1};

        Ctl route = Ctl.run(with(fabric, "route", "--out", lft()));
        Ctl check = Ctl.run(with(fabric, "check", "--lft", lft()));

        assertThat(route.code()).isZero();
        assertThat(route.out().get(0)).endsWith(": partial");
        assertThat(route.out().get(1)).isEqualTo("1 leaves are cut off, 4 ordered leaf pairs have no path:");
        assertThat(route.out().get(2)).matches("  0x02f000000000000[0-2] leaf[0-2]");
        assertThat(check.code()).isZero();
        assertThat(check.text()).contains("cut-off leaves: ");
    }

    /** Hosts on two spines: what their cables to leaf0 and leaf1 were, and the two spines themselves. */
    @Test
    void shouldNameHostsOnSpinesThatHaveNoLegalPath() throws IOException {
        Path fabric = directory.resolve("spines.txt");
        Ctl.run("topology", "generate", "--pgft", "2;4,4;1,4;1,1", "--out", fabric);
        String text = Files.readString(fabric);
        for (int i = 0; i < 2; i++) {
            String cable = "[" + (1 + i) + "]\t\"S-02f000000000000" + i + "\"[" + (5 + i) + "]\t\t# \"leaf" + i
                    + "\" lid " + (1 + i) + " 4xEDR\n";
            int spine = text.indexOf("\"l2s" + i + "\" base port");
            int at = text.indexOf(cable, spine);
            String guid = "00aa00000000000" + i;
            text = text.substring(0, at)
                    + "[" + (1 + i) + "]\t\"H-" + guid + "\"[1](" + guid + ") \t\t# \"sm" + i + "\" lid " + (900 + i)
                    + " 4xEDR\n"
                    + text.substring(at + cable.length())
                    + "\nCa\t1 \"H-" + guid + "\"\t\t# \"sm" + i + "\"\n[1](" + guid + ") \t\"S-02f000000000000"
                    + (4 + i)
                    + "\"[" + (1 + i) + "]\t\t# lid " + (900 + i) + " lmc 0 \"l2s" + i + "\" lid 1 4xEDR\n";
        }
        Files.writeString(fabric, text);
        String named = "6 ordered pairs of switches with hosts, one or both above the leaves, have no legal path:"
                + " l2s0 – leaf0, l2s0 – l2s1, l2s1 – leaf1";

        Ctl route = Ctl.run("route", "--topology", fabric, "--out", lft());
        Ctl check = Ctl.run("check", "--topology", fabric, "--lft", lft());

        assertThat(route.out().get(0)).endsWith(": partial");
        assertThat(route.out()).element(1).isEqualTo(named);
        assertThat(check.code()).isZero();
        assertThat(check.out()).contains(named);
        assertThat(Ctl.run("route", "--topology", fabric, "--format", "json").text())
                .contains("\"unreachableLeafPairs\" : 0")
                .contains("\"count\" : 6");
    }

    @Test
    void shouldAnswerNoWhenNoTablesCanBeMade() {
        Ctl route = Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--fail-links", 1, "--engine", "dmodk", "--out", lft());

        assertThat(route.code()).isEqualTo(1);
        assertThat(route.err()).hasSize(1);
        assertThat(route.err().get(0)).startsWith("fabricctl route: no tables: ");
        assertThat(Files.exists(lft())).isFalse();
    }

    @Test
    void shouldPrintTablesToStandardOutputAndFiguresBesideThem() {
        Ctl route = Ctl.run("route", "--pgft", "1;3;1;1", "--out", "-", "--as", "text");

        assertThat(route.out())
                .containsExactly("switch 0x02f0000000000000 (leaf0)", "  d0: port 1", "  d1: port 2", "  d2: port 3");
        assertThat(route.err()).hasSize(1).allMatch(line -> line.startsWith("dmodc: 1 switches x 3 nodes"));
    }

    @Test
    void shouldNameEachFormOfTablesOnce() {
        assertThat(Ctl.run("route", "--pgft", "1;3;1;1", "--as", "ar-group").err())
                .containsExactly("fabricctl route: Invalid value for option '--as': 'ar-group', expected one of opensm,"
                        + " text, ar-groups (see 'fabricctl route --help')");
        assertThat(Ctl.run("route", "--pgft", "1;3;1;1", "--as", "ar_groups").code())
                .isZero();
    }

    @Test
    void shouldKeepIndicesInANodeMap() throws IOException {
        Path map = directory.resolve("nodes");
        Ctl.run("route", "--pgft", "1;3;1;1", "--node-map", map);
        assertThat(Files.readAllLines(map))
                .containsExactly("0x02c0000000000001 0", "0x02c0000000000003 1", "0x02c0000000000005 2");
        Files.write(map, List.of("0x02c0000000000005 1", "0x02c0000000000001 4"));

        Ctl route = Ctl.run("route", "--pgft", "1;3;1;1", "--node-map", map, "--out", "-", "--as", "text");

        assertThat(route.out()).contains("  d0: no route", "  d1: port 3", "  d4: port 1", "  d5: port 2");
        assertThat(Files.readAllLines(map)).endsWith("0x02c0000000000003 5").hasSize(3);
    }

    /** Numbers on record win over the order of GUIDs, new switches come behind them, and the file says all of them. */
    @Test
    void shouldKeepPlaneNumbersInAPlaneMap() throws IOException {
        Path map = directory.resolve("planes");
        Ctl.run("route", "--pgft", "2;2,2;1,2;1,1", "--plane-map", map);
        assertThat(Files.readAllLines(map)).containsExactly("0x02f0000000000002 0", "0x02f0000000000003 1");
        List<String> byGuid = leafRow(map);
        assertThat(byGuid).contains("  d2: port 3", "  d3: port 4");
        Files.write(map, List.of("0x02f0000000000003 5"));

        assertThat(leafRow(map)).contains("  d2: port 4", "  d3: port 3");
        assertThat(Files.readAllLines(map)).containsExactly("0x02f0000000000003 5", "0x02f0000000000002 6");
        Ctl none = Ctl.run("route", "--pgft", "2;2,2;1,2;1,1", "--plane-map", map, "--group-order", "guid");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).containsExactly("fabricctl route: --plane-map is of no use with --group-order guid");
    }

    private static List<String> leafRow(Path map) {
        return Ctl.run("route", "--pgft", "2;2,2;1,2;1,1", "--plane-map", map, "--out", "-", "--as", "text")
                .out()
                .subList(0, 5);
    }

    @Test
    void shouldRemarkOnANodeMapOfAnotherFabric() throws IOException {
        Path map = directory.resolve("nodes");
        Files.write(map, List.of("0x1 0", "0x2 7"));

        Ctl route = Ctl.run("route", "--pgft", "1;3;1;1", "--node-map", map);
        Ctl again = Ctl.run("route", "--pgft", "1;3;1;1", "--node-map", map);

        assertThat(route.code()).isZero();
        assertThat(route.err())
                .containsExactly(map + ": none of its GUIDs is a host port of this fabric; all 3 host ports got new"
                        + " indices, from 8 on");
        assertThat(again.err()).isEmpty();
    }

    @Test
    void shouldRemarkOnAddressesThatAreNoneAndOnAMissingLineFeed() throws IOException {
        Path topology = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", "1;3;1;1", "--out", topology);
        String text = Files.readString(topology).replaceAll("lid [13]", "lid 65535");
        Files.writeString(topology, text.stripTrailing());

        Ctl route = Ctl.run("route", "--topology", topology, "--out", directory.resolve("tables"));
        Ctl show = Ctl.run("topology", "show", "--in", topology);

        assertThat(route.code()).isZero();
        assertThat(route.err())
                .containsExactly(
                        topology + ":9: lid 65535 of 0x02f0000000000000 is no unicast address, 1..49151; taken as"
                                + " missing (and 1 more)",
                        topology + ": the last line has no line feed; taken as whole");
        assertThat(show.out())
                .contains(
                        "2 addresses that are no unicast LID, taken as missing",
                        "1 last line without a line feed, taken as whole");
    }

    @Test
    void shouldRemarkOnSkippedLines() throws IOException {
        Path topology = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", "1;3;1;1", "--out", topology);
        Files.writeString(topology, "junk\nmore\n" + Files.readString(topology));

        Ctl route = Ctl.run("route", "--topology", topology);

        assertThat(route.code()).isZero();
        assertThat(route.err())
                .containsExactly(topology + ":1: skipped: 'junk' is neither a comment, a key, a node nor a port (and 1"
                        + " more, see 'fabricctl topology show')");
    }

    @Test
    void shouldRefuseDmodkWithoutADesignAndTakeItWithOne() {
        Path topology = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", Ctl.FIGURE_1, "--out", topology);

        assertThat(Ctl.run("route", "--topology", topology, "--engine", "dmodk").code())
                .isEqualTo(2);
        assertThat(Ctl.run("route", "--topology", topology, "--engine", "dmodk", "--design", Ctl.FIGURE_1)
                        .code())
                .isZero();
    }
}

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

/** Two fabrics in one file. */
class SeparatePartsTest {
    private static final String FACT = "2 separate parts, never cabled together: 16 + 7 switches";

    @TempDir
    private Path directory = Path.of("");

    private Path both() throws IOException {
        return Files.writeString(
                directory.resolve("both"), generated(Ctl.FIGURE_1, "a") + generated("2;3,4;1,3;1,1", "b"));
    }

    /** With its letter in all GUIDs and before all names. */
    private String generated(String shape, String letter) throws IOException {
        Path file = directory.resolve(letter);
        Ctl.run("topology", "generate", "--pgft", shape, "--out", file);
        return Files.readString(file)
                .replaceAll("02([cf])0", "02$1" + letter)
                .replaceAll("\"(leaf|l2s|l3s|node)", "\"" + letter + "-$1")
                .replaceAll("lid \\d+", "lid 0");
    }

    @Test
    void shouldBeRoutedEachByItself() throws IOException {
        Path lft = directory.resolve("lft");

        Ctl route = Ctl.run("route", "--topology", both(), "--out", lft);
        Ctl check = Ctl.run("check", "--topology", both(), "--lft", lft);

        assertThat(route.out().get(0)).endsWith(": complete");
        assertThat(route.out().get(1)).isEqualTo(FACT + "; each is routed by itself");
        assertThat(check.code()).isZero();
        assertThat(check.out()).hasSize(1);
        assertThat(Ctl.run("route", "--topology", both(), "--engine", "minhop")
                        .out()
                        .get(0))
                .endsWith(": complete");
    }

    @Test
    void shouldBeNamedBesidePairsWithoutARoute() throws IOException {
        Ctl quality = Ctl.run("quality", "--topology", both(), "--patterns", "sp");
        Ctl json = Ctl.run("quality", "--topology", both(), "--patterns", "sp", "--format", "json");

        assertThat(quality.out())
                .containsSequence(
                        FACT + "; pairs of nodes of two of them have no route",
                        "288 of 552 ordered pairs of nodes have no route that arrives");
        assertThat(new ObjectMapper().readTree(json.text()).get("parts")).hasToString("[16,7]");
        assertThat(Ctl.run("quality", "--pgft", Ctl.FIGURE_1).text()).doesNotContain("separate parts");
    }

    /** A cable that fails parts nothing. */
    @Test
    void shouldStillNameLeavesThatAreCutOffInTheirPart() throws IOException {
        Ctl route = Ctl.run("route", "--topology", both(), "--fail-links", 38, "--seed", 1);

        assertThat(route.out().get(0)).endsWith(": partial");
        assertThat(route.out().get(1)).startsWith(FACT);
        assertThat(route.text()).contains(" leaves are cut off");
    }

    /** Each has a shape, and what is usual in one says nothing of the other. */
    @Test
    void shouldBeJudgedEachByItselfInAReport() throws IOException {
        Path page = directory.resolve("page.html");

        assertThat(Ctl.run("report", "--topology", both(), "--out", page).code())
                .isZero();

        assertThat(Files.readString(page))
                .contains("Cabled as designed")
                .contains("Exactly PGFT(3;2,2,3;1,2,2;1,2,1) in part 1, PGFT(2;3,4;1,3;1,1) in part 2.")
                .contains("Part 2: 7 switches")
                .doesNotContain("cabling fault")
                .doesNotContain(" leaves have ");
    }

    @Test
    void shouldJudgeOneDamagedPartAndLeaveTheOther() throws IOException {
        Path damaged = withoutACable(both());

        JsonNode whole = report(both());
        JsonNode answer = report(damaged);

        assertThat(whole.at("/parts/0/verdict").asText()).isEqualTo("good");
        assertThat(whole.at("/parts/1/verdict").asText()).isEqualTo("good");
        assertThat(whole.at("/parts/1/shiftsMean").asDouble()).isEqualTo(1);
        assertThat(answer.at("/parts/0")).isEqualTo(whole.at("/parts/0"));
        assertThat(answer.at("/parts/1/verdict").asText()).isEqualTo("attention");
        assertThat(answer.at("/parts/1/deviationCount").asInt()).isEqualTo(1);
        assertThat(answer.at("/parts/1/differences/0").asText()).contains("b-leaf0");
        assertThat(answer.at("/verdict").asText()).isEqualTo("attention");
    }

    /** It is cabled to nothing, so it is told with the largest part, as cut off from it. */
    @Test
    void shouldTellASingleSwitchWithTheLargestPart() throws IOException {
        Path three =
                Files.writeString(directory.resolve("three"), Files.readString(both()) + generated("1;3;1;1", "d"));

        JsonNode answer = report(three);

        assertThat(answer.at("/parts")).hasSize(2);
        assertThat(answer.at("/parts/0/verdict").asText()).isEqualTo("bad");
        assertThat(answer.at("/parts/0/cutOffLeaves/0/name").asText()).isEqualTo("d-leaf0");
        assertThat(answer.at("/parts/1")).isEqualTo(report(both()).at("/parts/1"));
    }

    /** Between the first leaf and the second spine of the second part. */
    private static Path withoutACable(Path fabric) throws IOException {
        List<String> kept = new ArrayList<>();
        String block = "";
        for (String line : Files.readAllLines(fabric)) {
            block = line.startsWith("Switch") ? line : block;
            boolean cable = (block.contains("\"b-leaf0\"") && line.contains("\"b-l2s1\""))
                    || (block.contains("\"b-l2s1\"") && line.contains("\"b-leaf0\""));
            if (!cable || !line.startsWith("[")) {
                kept.add(line);
            }
        }
        return Files.write(fabric.resolveSibling("damaged"), kept);
    }

    private JsonNode report(Path fabric) throws IOException {
        Ctl report = Ctl.run("report", "--topology", fabric, "--format", "json");
        assertThat(report.code()).as(String.join("\n", report.err())).isZero();
        return new ObjectMapper().readTree(report.text());
    }

    /** A design is that of each part: rails are built alike. */
    @Test
    void shouldKeepTheLevelsOfTheDesignInEachPart() throws IOException {
        Path rails = Files.writeString(
                directory.resolve("rails"), generated(Ctl.FIGURE_1, "a") + generated(Ctl.FIGURE_1, "b"));

        Ctl route = Ctl.run("route", "--topology", rails, "--design", Ctl.FIGURE_1);
        Ctl other = Ctl.run("route", "--topology", both(), "--design", Ctl.FIGURE_1);

        assertThat(route.code()).isZero();
        assertThat(route.err()).isEmpty();
        assertThat(route.out().get(0)).endsWith(": complete");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err().get(0))
                .contains("--design " + Ctl.FIGURE_1 + " does not fit part 2 of 2, with 7 switches: ");
    }

    @Test
    void shouldBeShownAndComparedEachWithItsOwnDesign() throws IOException {
        Ctl show = Ctl.run("topology", "show", "--topology", both());
        Ctl verify = Ctl.run("topology", "verify", "--topology", both());

        assertThat(show.out().get(1)).isEqualTo(FACT);
        assertThat(verify.code()).isZero();
        assertThat(verify.out())
                .containsSubsequence(
                        FACT,
                        "part 1: 16 switches, 36 cables between switches, 12 host ports",
                        "as designed",
                        "part 2: 7 switches, 12 cables between switches, 12 host ports",
                        "as designed");
        assertThat(verify.text()).contains("design: PGFT 3;2,2,3;1,2,2;1,2,1").contains("design: PGFT 2;3,4;1,3;1,1");
    }

    @Test
    void shouldTellDifferencesByPart() throws IOException {
        Path fabric = withoutACable(both());

        Ctl verify = Ctl.run("topology", "verify", "--topology", fabric, "--format", "json");
        JsonNode answer = new ObjectMapper().readTree(verify.text());

        assertThat(verify.code()).isEqualTo(1);
        assertThat(answer.at("/asDesigned").asBoolean()).isFalse();
        assertThat(answer.at("/parts")).hasSize(2);
        assertThat(answer.at("/parts/0/asDesigned").asBoolean()).isTrue();
        assertThat(answer.at("/parts/1/asDesigned").asBoolean()).isFalse();
        assertThat(answer.at("/deviationCount").asInt()).isEqualTo(1);
        assertThat(answer.at("/deviations/0")).isEqualTo(answer.at("/parts/1/deviations/0"));
    }
}

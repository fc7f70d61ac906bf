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

    /** A cable that fails parts nothing. */
    @Test
    void shouldStillNameLeavesThatAreCutOffInTheirPart() throws IOException {
        Ctl route = Ctl.run("route", "--topology", both(), "--fail-links", 38, "--seed", 1);

        assertThat(route.out().get(0)).endsWith(": partial");
        assertThat(route.out().get(1)).startsWith(FACT);
        assertThat(route.text()).contains(" leaves are cut off");
    }

    /** They are no one shape: none is guessed for both together, and no faults found that there are not. */
    @Test
    void shouldNotBeComparedWithOneShapeInAReport() throws IOException {
        Path page = directory.resolve("page.html");

        assertThat(Ctl.run("report", "--topology", both(), "--out", page).code())
                .isZero();

        assertThat(Files.readString(page))
                .contains("Compared with no shape: 2 separate parts were never cabled together")
                .doesNotContain("cabling fault");
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
        Path fabric = both();
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
        Files.write(fabric, kept);

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

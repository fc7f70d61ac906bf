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

class VtftrCommandTest {
    private static final String GRID = "4x4;hosts=2;roots=2,2";

    @TempDir
    private Path directory = Path.of("");

    private Path dump(String name, Object... words) {
        Path file = directory.resolve(name);
        Object[] all = new Object[words.length + 6];
        System.arraycopy(new Object[] {"vtftr", "dump", "--grid", GRID, "-o", file}, 0, all, 0, 6);
        System.arraycopy(words, 0, all, 6, words.length);
        assertThat(Ctl.run(all)).isEqualTo(new Ctl(0, List.of(), List.of()));
        return file;
    }

    @Test
    void shouldWriteTheTablesOfFigure5() throws IOException {
        Path file = dump("figure5", "--fault", "0,2", "--fault", "2,0", "--spares", "paper", "--burst", "3,3");

        assertThat(Files.readAllLines(file))
                .startsWith(
                        "# 4x4;hosts=2;roots=2,2, spares paper, 2 known faults; so many at random hit every row and every"
                                + " column with probability 0.000",
                        "vtftr 1",
                        "grid 4 4",
                        "vcs 2",
                        "fault 0 2",
                        "fault 2 0",
                        "burst 3 3",
                        "leaf 0 0 LX-XYXYX-XXXYXYX")
                .contains("rsw 0 * *,0 0 1,3", "rsw 0 * *,2 - 1,3", "csw 3 * 2,* 2 1,3", "vc H 0 X 0", "vc Y 0 X 1")
                .doesNotContain("vc Y 1 X 1");
    }

    @Test
    void shouldProveWhatItWrote() {
        Path before = dump("before", "--fault", "0,2");
        Path after = dump("after", "--fault", "0,2", "--fault", "2,0");

        Ctl check = Ctl.run("vtftr", "check", "--bursts", "single", "--strict", "--union", after, before);
        Ctl later = Ctl.run("vtftr", "check", after);

        assertThat(check.code()).isZero();
        assertThat(check.out())
                .containsExactly(
                        before + ": 4x4 leaves, 1 known faults; 16 sets of unknown ones gone through",
                        "P1 reach: holds",
                        "P2 honest: holds",
                        "P3 loop-free: holds",
                        "P4 deadlock-free: holds",
                        "P5 hops: holds",
                        "P6 one change: holds",
                        "P7 strict: holds",
                        "pairs of 1 routings: 84, 167 ns without load",
                        "pairs of 2 routings: 126, 237 ns without load",
                        "pairs declared to have no route: 0");
        assertThat(later.code()).isZero();
        assertThat(later.out())
                .contains("pairs of 3 routings: 2, 307 ns without load")
                .doesNotContain("P7 strict: holds");
    }

    @Test
    void shouldTellProgramsWhatWasProven() throws IOException {
        Path file = dump("tables", "--fault", "0,2", "--fault", "2,0");
        Path broken = directory.resolve("broken");
        Files.writeString(broken, Files.readString(file).replace("vc Y 0 X 1", "vc Y 0 X 0"));

        JsonNode good = new ObjectMapper()
                .readTree(Ctl.run("vtftr", "check", file, "--format", "json").text());
        Ctl bad = Ctl.run("vtftr", "check", broken, "--format", "json");
        JsonNode fails = new ObjectMapper().readTree(bad.text());

        assertThat(good.get("valid").asBoolean()).isTrue();
        assertThat(good.get("faults").asInt()).isEqualTo(2);
        assertThat(good.at("/properties/0/property").asText()).isEqualTo("P1");
        assertThat(good.get("pairsByRoutings").toString()).contains("{\"routings\":3,\"pairs\":2,\"nanos\":307}");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(fails.get("valid").asBoolean()).isFalse();
        assertThat(fails.at("/properties/3").get("claim").asText()).isEqualTo("deadlock-free");
        assertThat(fails.at("/properties/3").get("holds").asBoolean()).isFalse();
        assertThat(fails.at("/properties/3/examples/0").asText()).contains(" on 0 → ");
    }

    @Test
    void shouldSayWhichPropertyFails() throws IOException {
        Path file = dump("before", "--fault", "0,2");
        Files.writeString(file, Files.readString(file).replace("vc Y 0 X 1", "vc Y 0 X 0"));

        Ctl check = Ctl.run("vtftr", "check", file);

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.out()).contains("P1 reach: holds", "P4 deadlock-free: fails, 1 times");
    }

    @Test
    void shouldTakeAGridFromAFileAndItsEmptyPlacesAsFaults() throws IOException {
        Path topology = directory.resolve("grid.txt");
        assertThat(Ctl.run("topology", "generate", "--grid", GRID, "--out", topology)
                        .code())
                .isZero();
        Path text = directory.resolve("tables");

        Ctl whole = Ctl.run("vtftr", "dump", "--topology", topology, "-o", text);

        assertThat(whole).isEqualTo(new Ctl(0, List.of(), List.of()));
        assertThat(tail(text)).isEqualTo(tail(dump("generated")));
    }

    private static List<String> tail(Path file) throws IOException {
        return Files.readAllLines(file).subList(1, Files.readAllLines(file).size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --grid 4x4                                            | '4x4' is not a grid; expected ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN, as in 16x16;hosts=16;roots=16,16
            --grid 4x4;hosts=2;roots=2,2 --fault 4,0              | '4,0' is no leaf; expected ROW,COLUMN in 0..3,0..3
            --grid 4x4;hosts=2;roots=2,2 --fault x                | 'x' is no leaf; expected ROW,COLUMN in 0..3,0..3
            --grid 4x4;hosts=2;roots=2,2 --burst 1,1 --fault 1,1  | --burst 1,1 is known to be dead; expected a live leaf
            --grid 4x4;hosts=2;roots=2,2 --burst 1,1 --burst 1,1  | --burst 1,1 is given twice
            --pgft 2;4,4;1,2;1,1                                  | 2;4,4;1,2;1,1: no grid: expected roots whose leaves form rows, and roots whose leaves form columns, two of each at least
            """)
    void shouldSayInOneLineWhatItCannotUse(String words, String message) {
        Ctl ctl = Ctl.run((Object[]) ("vtftr dump " + words).split(" "));

        assertThat(ctl).isEqualTo(new Ctl(2, List.of(), List.of("fabricctl vtftr dump: " + message)));
    }

    @Test
    void shouldSayFileAndLineOfATextItCannotRead() throws IOException {
        Path file = Files.writeString(directory.resolve("bad"), "vtftr 1\ngrid 4 4\nleaf 0 9 X\n");

        Ctl bad = Ctl.run("vtftr", "check", file);
        Ctl missing = Ctl.run("vtftr", "check", directory.resolve("none"));

        assertThat(bad)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl vtftr check: " + file + ":3: '9'; expected a number in 0..3")));
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err())
                .containsExactly("fabricctl vtftr check: " + directory.resolve("none") + ": no such file");
    }
}

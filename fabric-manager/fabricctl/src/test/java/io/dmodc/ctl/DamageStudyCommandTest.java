package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code study damage} as an operator meets it. */
class DamageStudyCommandTest {
    @TempDir
    private Path directory = Path.of("");

    /** The same figures as {@code quality} gives for the same fabric and engine. */
    @Test
    void shouldMeasureEveryEngineOnTheSameFabricsAndLeaveDataAndAPlot() throws IOException {
        Path out = directory.resolve("new/damage");

        Ctl ran = Ctl.run(
                "study", "damage", "--pgft", "3;4,4,4;1,4,4;1,1,1", "--percents", "0,10", "--seeds", 2, "--out", out);
        Ctl quality = Ctl.run(
                "quality", "--pgft", "3;4,4,4;1,4,4;1,1,1", "--fail-switches", 3, "--seed", 2, "--engine", "minhop");

        assertThat(ran.code()).as(ran.text()).isZero();
        List<String> lines = Files.readAllLines(out.resolve("damage.csv"));
        assertThat(lines)
                .hasSize(1 + 4 + 2 * 4)
                .contains("engine,percent,lost,seed,a2a,rp_median,sp_max,sp_mean,unrouted_pairs");
        assertThat(lines.get(1)).matches("dmodc,0,0,1,\\d+,\\d+,1,1\\.0000,0");
        assertThat(lines.get(4)).matches("ftree,0,0,1,\\d+,\\d+,1,1\\.0000,0");
        String[] minhop = lines.stream()
                .filter(line -> line.startsWith("minhop,10,3,2,"))
                .findFirst()
                .orElseThrow()
                .split(",");
        assertThat(quality.text())
                .containsPattern("whole fabric +\\d+ +" + minhop[4] + " +" + minhop[5] + " +" + minhop[6] + " ");
        assertThat(ran.out()).contains("data and plot: " + out);
        assertThat(Files.readString(out.resolve("damage.svg"))).contains(">ftree</text>", ">shifts, mean</text>");
    }

    @Test
    void shouldLeaveOutTheFiguresOfAnEngineWithoutTables() throws IOException {
        Ctl ran = Ctl.run(
                "study",
                "damage",
                "--pgft",
                "2;2,3;1,2;1,1",
                "--percents",
                100,
                "--seeds",
                1,
                "--engines",
                "ftree",
                "--out",
                directory);

        assertThat(ran.code()).as(ran.text()).isZero();
        assertThat(ran.out()).anyMatch(line -> line.matches("ftree +2 \\(100 %\\) +1  no tables"));
        assertThat(Files.readAllLines(directory.resolve("damage.csv"))).contains("ftree,100,2,1,,,,,");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --seeds 0          | --seeds 0; expected 1..1000
            --percents 5,101   | --percents 101; expected 0..100
            --permutations 0   | --permutations 0; expected 1..1000000
            --engines dmodc,xy | engine 'xy' is unknown; expected one of dmodc, dmodc-strict, dmodc-plain, dmodk, minhop, updn, ftree
            """)
    void shouldSayInOneLineWhatItCannotUse(String options, String message) {
        Ctl ctl = Ctl.run((Object[]) ("study damage " + options).split(" "));

        assertThat(ctl).isEqualTo(new Ctl(2, List.of(), List.of("fabricctl study damage: " + message)));
    }

    @Test
    void shouldSayBeforeAnythingLongThatItCannotWrite() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        Ctl ctl = Ctl.run("study", "damage", "--out", file);

        assertThat(ctl)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl study damage: " + file + ": is no directory and cannot be made one")));
    }
}

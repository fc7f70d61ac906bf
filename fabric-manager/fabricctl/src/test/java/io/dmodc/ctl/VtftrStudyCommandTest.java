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

/** {@code study vtftr} as an operator meets it. */
class VtftrStudyCommandTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void shouldSayWhichRowsHoldAndLeaveDataAndPlots() {
        Path out = directory.resolve("new/study");

        Ctl ran = Ctl.run("study", "vtftr", "--quick", "--figures", "9", "--out", out);

        assertThat(ran.code()).as(ran.text()).isZero();
        assertThat(ran.out())
                .anyMatch(line -> line.matches(" +20  2\\.877e-07  4\\.807e-22"))
                .anyMatch(line -> line.startsWith("S7 holds: Figure 9, 16x16x1, saturated: "))
                .anyMatch(line -> line.startsWith("10 faults, diagonal"))
                .contains("data and plots: " + out);
        assertThat(out.resolve("figure-9-16x16x1.svg")).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --seeds 2       | --seeds 2; expected 3..100
            --figures 6,10  | --figures 10; expected some of 6,7,8,9
            """)
    void shouldSayInOneLineWhatItCannotUse(String options, String message) {
        Ctl ctl = Ctl.run((Object[]) ("study vtftr --quick " + options).split(" "));

        assertThat(ctl).isEqualTo(new Ctl(2, List.of(), List.of("fabricctl study vtftr: " + message)));
    }

    @Test
    void shouldSayBeforeAnythingLongThatItCannotWrite() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        Ctl ctl = Ctl.run("study", "vtftr", "--quick", "--out", file);

        assertThat(ctl)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl study vtftr: " + file + ": is no directory and cannot be made one")));
    }
}

package io.dmodc.manager.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.settings.cli.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fabric-manager state replay}: what people see when there is nothing to replay. */
class StateReplayCommandTest {
    @TempDir
    private Path dir = Path.of("");

    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return Program.run(Main.root(), List.of(), new PrintWriter(new StringWriter()), new PrintWriter(err), words);
    }

    @Test
    void shouldRefuseInOneLineWhatIsNoRecording() throws Exception {
        Path file = Files.writeString(dir.resolve("events"), "12 2026-01-01 link down\n");

        assertThat(run("state", "replay", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "fabric-manager: " + file + ": is no recording of events; expected one that a manager wrote\n");
    }

    @Test
    void shouldRefuseInOneLineWhatIsNotThere() {
        Path file = dir.resolve("none");

        assertThat(run("state", "replay", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("fabric-manager: ")
                .contains(file.toString())
                .hasLineCount(1);
    }
}

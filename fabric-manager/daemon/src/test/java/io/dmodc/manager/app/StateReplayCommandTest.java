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

    private void refused(Path file, String why) {
        assertThat(run("state", "replay", file.toString())).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("fabric-manager state replay: " + file + ": " + why + "\n");
    }

    @Test
    void shouldRefuseInOneLineWhatIsNoRecording() throws Exception {
        Path file = Files.writeString(dir.resolve("events"), "12 2026-01-01 link down\n");

        refused(file, "is no recording of events; expected one that a manager wrote");
    }

    @Test
    void shouldRefuseInOneLineWhatIsNotThere() {
        refused(dir.resolve("none"), "cannot be read (no such file); expected a recording of events");
    }
}

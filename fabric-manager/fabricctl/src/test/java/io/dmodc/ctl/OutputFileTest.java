package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path directory = Path.of("");

    private static final PrintWriter NOWHERE = new PrintWriter(new StringWriter());

    private static void write(Path target, OutputFile.Content content) throws IOException {
        OutputFile.write(target.toString(), NOWHERE, content);
    }

    private void assertOnly(Path file) throws IOException {
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void shouldLeaveTheOldFileWhenWritingFails() throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "old");

        assertThatThrownBy(() -> write(file, out -> {
                    out.append("half");
                    throw new IOException("No space left on device");
                }))
                .hasMessage(file + ": cannot be written (No space left on device); expected a writable place");

        assertThat(Files.readString(file)).isEqualTo("old");
        assertOnly(file);
    }

    @Test
    void shouldReplaceTheOldFile() throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "old");

        write(file, out -> out.append("n\u00e9w"));

        assertThat(Files.readString(file)).isEqualTo("n\u00e9w");
        assertOnly(file);
    }

    @Test
    void shouldWriteWhereALinkPoints() throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);

        write(link, out -> out.append("new"));

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(Files.readString(file)).isEqualTo("new");
    }

    @Test
    void shouldWriteIntoADeviceWithoutReplacingIt() throws IOException {
        Path device = Path.of("/dev/null");

        write(device, out -> out.append("gone"));

        assertThat(Files.isRegularFile(device)).isFalse();
    }

    @Test
    void shouldRefuseADirectory() {
        assertThatThrownBy(() -> write(directory, out -> out.append("x")))
                .hasMessage(directory + ": cannot be written (is a directory); expected a writable place");
    }
}

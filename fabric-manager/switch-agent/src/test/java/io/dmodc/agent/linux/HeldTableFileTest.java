package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.southbound.TableVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of a table: whole, or not at all. */
class HeldTableFileTest {
    private static final HeldTable TABLE = new HeldTable(
            new TableVersion(3, 1L << 40), new byte[] {1, -1, 2}, new byte[] {-1, -1, 5}, new RouteAddress[][] {
                {new RouteAddress(0, 0xffff_0a00_0001L)}, {}, {new RouteAddress(-1, 7), new RouteAddress(0, 9)}
            });

    @TempDir
    private Path dir;

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        HeldTableFile file = new HeldTableFile(dir.resolve("new/state"));
        assertThat(file.read()).isNull();

        file.write(TABLE);

        HeldTable read = Objects.requireNonNull(new HeldTableFile(dir.resolve("new/state")).read());
        assertThat(read.version()).isEqualTo(TABLE.version());
        assertThat(read.entries()).isEqualTo(TABLE.entries());
        assertThat(read.moves()).isEqualTo(TABLE.moves());
        assertThat(Arrays.deepEquals(read.addresses(), TABLE.addresses())).isTrue();
        file.delete();
        assertThat(file.read()).isNull();
    }

    @Test
    void shouldReadNoPartOfIt() throws IOException {
        HeldTableFile file = new HeldTableFile(dir);
        file.write(TABLE);
        Path path = dir.resolve("linux-table");
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertThatThrownBy(file::read)
                    .as("%d bytes", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(path + ": cannot be used: ");
            byte[] flipped = whole.clone();
            flipped[length] ^= 4;
            Files.write(path, flipped);
            assertThatThrownBy(file::read).as("byte %d", length).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldWriteTheSameOnce() throws IOException {
        HeldTableFile file = new HeldTableFile(dir);
        file.write(TABLE);
        Files.delete(dir.resolve("linux-table"));

        file.write(TABLE);

        assertThat(dir.resolve("linux-table")).doesNotExist();
    }

    @Test
    void shouldRememberNothingWithoutADirectory() throws IOException {
        HeldTableFile none = new HeldTableFile(null);

        none.write(TABLE);

        assertThat(none.read()).isNull();
    }
}

package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.state.LeaderEpochs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManagerNumberFileTest {
    @TempDir
    private Path directory;

    @Test
    void shouldDrawANumberOnce() throws IOException {
        int drawn = ManagerNumberFile.read(directory, new SplittableRandom(1));

        assertThat(ManagerNumberFile.read(directory, new SplittableRandom(2))).isEqualTo(drawn);
        assertThat(directory.resolve("manager-number.new")).doesNotExist();
    }

    @Test
    void shouldDrawAnyOfThem() throws IOException {
        Set<Integer> drawn = new HashSet<>();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 400; i++) {
            drawn.add(ManagerNumberFile.read(directory, random));
            Files.delete(directory.resolve(ManagerNumberFile.NAME));
        }

        assertThat(drawn).hasSizeGreaterThan(300).allMatch(number -> number >= 0 && number < LeaderEpochs.NUMBERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1024", "-1", "7 8", "99999999999", "\u0000"})
    void shouldNameAFileThatHoldsNone(String text) throws IOException {
        Files.writeString(directory.resolve("manager-number"), text);

        assertThatThrownBy(() -> ManagerNumberFile.read(directory, new SplittableRandom(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("state file " + directory.resolve("manager-number") + ": '")
                .hasMessageContaining("expected a number in 0..1023")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldNameTheFileThatAFullDiskDoesNotTake() throws IOException {
        Path fresh = Files.createSymbolicLink(directory.resolve("manager-number.new"), Path.of("/dev/full"));

        assertThatThrownBy(() -> ManagerNumberFile.read(directory, new SplittableRandom(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("state file " + fresh + " cannot be written: No space left on device");
        Files.delete(fresh);
    }
}

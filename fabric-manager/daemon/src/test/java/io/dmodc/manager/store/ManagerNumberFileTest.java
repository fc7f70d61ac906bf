package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.state.LeaderEpochs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
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

    @Test
    void shouldReadAFileOfTheReleaseBefore() throws IOException {
        Files.writeString(directory.resolve("manager-number"), "721\n");

        assertThat(ManagerNumberFile.read(directory, new SplittableRandom(1))).isEqualTo(721);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1024\n",
                "-1\n",
                "7 8\n",
                "99999999999\n",
                "\u0000",
                "72",
                "721 crc32c 00000000\n",
                "72\n1\n"
            })
    void shouldNameAFileThatHoldsNone(String text) throws IOException {
        Files.writeString(directory.resolve("manager-number"), text);

        assertRefused(text);
    }

    private void assertRefused(String text) {
        assertThatThrownBy(() -> ManagerNumberFile.read(directory, new SplittableRandom(1)))
                .as("'%s'", text)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("state file " + directory.resolve("manager-number") + ": '")
                .hasMessageContaining("is damaged; expected a line with a number in 0..1023")
                .hasMessageNotContaining("\n");
    }

    /** Two managers with one number would give out the same leader epochs. */
    @Test
    void shouldTakeNoDamagedFileForAnotherNumber() throws IOException {
        Path file = directory.resolve("manager-number");
        int drawn = ManagerNumberFile.read(directory, new SplittableRandom(5));
        byte[] whole = Files.readAllBytes(file);
        assertThat(drawn).isGreaterThan(99);

        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertRefused("cut to " + length);
        }
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file, flipped);
            assertRefused("bit " + bit);
        }
        for (String former : List.of("721\n", "7\n", "1023\n")) {
            for (int length = 0; length < former.length(); length++) {
                Files.writeString(file, former.substring(0, length));
                assertRefused("former, cut to " + length);
            }
        }
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

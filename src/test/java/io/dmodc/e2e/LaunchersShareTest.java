package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of classes that a launcher keeps for each JDK. */
class LaunchersShareTest {
    @TempDir
    private Path directory = Path.of("");

    /** Else two JDKs of one machine would make theirs anew at each start, and take it away under who starts just now. */
    @Test
    void shouldLeaveTheClassesOfOtherJdksThatAreNotOld() throws Exception {
        BareMachine machine = BareMachine.at(directory.resolve("machine"), 0);
        Path launcher = machine.installed("switch-agent").resolve("switch-agent");
        machine.installNow("openjdk-17-jre-headless");

        for (String release : List.of("1", "22", "333", "4444")) {
            machine.replaceJava(release);
            assertThat(machine.run(Map.of(), launcher, "archive").status()).isZero();
        }

        assertThat(archives(launcher.resolveSibling("../lib"))).containsExactlyInAnyOrder("333\n", "4444\n");
    }

    private static List<String> archives(Path lib) throws IOException {
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.toString().endsWith(".jsa"))
                    .map(LaunchersShareTest::text)
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

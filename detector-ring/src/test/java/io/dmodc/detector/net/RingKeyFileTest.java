package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RingKeyFileTest {
    private static final String OLD = "00".repeat(16);
    private static final String NEW = "11".repeat(16);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RingKeyFile.class);

    @TempDir
    Path folder;

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void shouldTakeEachStepOfARotationAndTellOfItOnce() throws IOException {
        RingKeyFile keys = RingKeyFile.open(write(OLD));
        RingKey first = keys.get();
        assertThat(keys.get()).isSameAs(first);

        write(OLD + "\n" + NEW);
        RingKey second = keys.get();
        assertThat(keys.get()).isSameAs(second);
        write(NEW + "\n" + OLD);
        RingKey third = keys.get();

        assertThat(second).isEqualTo(RingKey.read(write(OLD + "\n" + NEW)));
        assertThat(third).isEqualTo(RingKey.read(write(NEW + "\n" + OLD)));
        Path file = write("# the new one alone\n" + NEW);
        assertThat(keys.get()).isEqualTo(RingKey.read(file));
        assertThat(told())
                .containsExactly(
                        file + ": read again: ring key of 16 bytes, one of 16 accepted too",
                        file + ": read again: ring key of 16 bytes, one of 16 accepted too",
                        file + ": read again: ring key of 16 bytes");
    }

    /** As long as it is wrong in the same way it is told of once, and what comes after it is taken. */
    @Test
    void shouldKeepItsKeyWhileTheFileCannotBeUsed() throws IOException {
        Path file = write(OLD);
        RingKeyFile keys = RingKeyFile.open(file);
        RingKey first = keys.get();

        Files.writeString(file, OLD + "\n" + NEW + "\n" + "22".repeat(16));
        assertThat(List.of(keys.get(), keys.get())).containsOnly(first);
        Files.writeString(file, "");
        assertThat(List.of(keys.get(), keys.get())).containsOnly(first);
        Files.delete(file);
        assertThat(List.of(keys.get(), keys.get())).containsOnly(first);
        write(NEW);

        assertThat(keys.get()).isEqualTo(RingKey.read(file));
        String stays = "ring key not read again, the one in force stays: " + file;
        assertThat(told()).hasSize(4);
        assertThat(told().get(0))
                .isEqualTo(stays + ":3: a third key, expected the one that sends and one more that is accepted");
        assertThat(told().get(1)).isEqualTo(stays + ": no key, expected a line of hex or base64");
        assertThat(told().get(2)).startsWith(stays + ": no such file, expected the ring's key, ");
        assertThat(told().get(3)).isEqualTo(file + ": read again: ring key of 16 bytes");
    }

    @Test
    void shouldNotBeginWithoutAKey() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RingKeyFile.open(folder.resolve("none")))
                .withMessageStartingWith(folder.resolve("none") + ": no such file");
    }

    private List<String> told() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private Path write(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("ring.key"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}

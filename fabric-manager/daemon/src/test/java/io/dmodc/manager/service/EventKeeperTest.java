package io.dmodc.manager.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.EventLog.Entry;
import io.dmodc.manager.store.EventJournal;
import io.dmodc.manager.store.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Events come to the disk, and what happens when it does not take them. */
class EventKeeperTest {
    @TempDir
    Path directory;

    private static final class Run implements AutoCloseable {
        final EventLog log;
        private final EventKeeper keeper;

        Run(Path state) {
            EventJournal journal = new EventJournal(state);
            log = new EventLog(System::currentTimeMillis, journal.history(), journal.lastNumber());
            keeper = new EventKeeper(journal, log, System::nanoTime);
        }

        void write(int count) {
            for (int i = 0; i < count; i++) {
                log.write(new LoggedEvent(1, 1, Severity.INFO, Kind.LINK_UP, 0, "note " + i + " of this run"));
            }
        }

        List<Entry> told() {
            return log.last(EventLog.KEPT).stream()
                    .filter(entry -> entry.note().kind() == Kind.EVENT_JOURNAL)
                    .toList();
        }

        @Override
        public void close() {
            keeper.close();
        }
    }

    /** On a disk that has become read-only the end is in order but for that. */
    @Test
    void shouldEndInOneLineWhereTheDiskTakesNothing() throws IOException {
        Logger logger = (Logger) LoggerFactory.getLogger(EventKeeper.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        Run run = new Run(directory);
        run.write(1);
        await().until(() -> Files.exists(directory.resolve("events")));
        Files.delete(directory.resolve("event-number"));
        Files.createDirectory(directory.resolve("event-number"));

        run.close();

        logger.detachAppender(logged);
        assertThat(logged.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage())
                    .startsWith("the event journal did not end in order")
                    .endsWith("event-number: Is a directory");
            assertThat(line.getThrowableProxy()).isNull();
        });
    }

    @Test
    void shouldGoOnAfterARestart() {
        try (Run first = new Run(directory)) {
            first.write(2_500);
        }

        try (Run second = new Run(directory)) {
            second.write(1);

            List<Entry> all = second.log.last(EventLog.KEPT);
            assertThat(all).hasSize(2_501);
            for (int i = 0; i < all.size(); i++) {
                assertThat(all.get(i).number()).isEqualTo(i + 1L);
            }
            assertThat(second.told()).isEmpty();
        }
    }

    @Test
    void shouldTellWhatItFoundDamaged() throws IOException {
        Files.writeString(directory.resolve("events"), "not ours\n");

        try (Run run = new Run(directory)) {
            assertThat(run.told()).singleElement().satisfies(entry -> {
                assertThat(entry.note().severity()).isEqualTo(Severity.WARNING);
                assertThat(entry.note().text())
                        .startsWith("event journal " + directory.resolve("events") + ":1: 1 of 1 lines are damaged");
            });
        }
    }

    @Test
    void shouldRaiseOneAlarmOnAFullDiskAndWriteWhatItMissedLater() throws Exception {
        Path state = directory.resolve("state");
        try (SmallDisk disk = SmallDisk.mount(state)) {
            long last = fillAndEmpty(disk, state);

            EventJournal journal = new EventJournal(state);
            assertThat(journal.remarks()).isEmpty();
            assertThat(journal.lastNumber()).isEqualTo(last);
            assertThat(journal.history())
                    .hasSize((int) last)
                    .last()
                    .satisfies(entry -> assertThat(entry.number()).isEqualTo(last));
        }
    }

    private static long fillAndEmpty(SmallDisk disk, Path state) throws IOException {
        try (Run run = new Run(state)) {
            run.write(1);
            await().until(() -> Files.exists(state.resolve("events")) && Files.size(state.resolve("events")) > 0);
            Path ballast = disk.fill();

            for (int i = 0; i < 10; i++) {
                run.write(50);
            }

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(run.told()).hasSize(1));
            Entry alarm = run.told().get(0);
            assertThat(alarm.note().severity()).isEqualTo(Severity.ALARM);
            assertThat(alarm.note().text())
                    .startsWith(
                            "event journal " + state.resolve("events") + " cannot be written: No space left on device")
                    .doesNotContain("\n");
            assertThat(run.log.last(EventLog.KEPT)).as("events go on in memory").hasSize(502);
            Files.delete(ballast);
        } // Closing tries once more.
        return 502 + 1; // and the line that it is kept again
    }
}

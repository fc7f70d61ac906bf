package io.dmodc.manager.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Persist;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.store.StateStore;
import io.dmodc.manager.store.StuckDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records come to the disk, the loop is told, and what happens when either does not take them. */
class RecordKeeperTest {
    private static final long SOON_MILLIS = 20;

    @TempDir
    Path directory;

    private final BlockingQueue<FabricEvent> told = new ArrayBlockingQueue<>(1);

    private RecordKeeper keeper(StateStore store) {
        RecordKeeper keeper = new RecordKeeper(store, SOON_MILLIS, TimeUnit.HOURS.toMillis(1));
        keeper.connect(told::put, () -> 7);
        return keeper;
    }

    private FabricEvent next() throws InterruptedException {
        return Objects.requireNonNull(told.poll(30, TimeUnit.SECONDS), "nothing was told");
    }

    private List<StateRecord> stored(Path state) throws IOException {
        return List.copyOf(Objects.requireNonNull(StateStore.read(state)).records());
    }

    /** Takes what is told until all up to this batch survive. */
    private void awaitPersisted(long number) throws InterruptedException {
        long last = 0;
        while (last < number) {
            FabricEvent event = next();
            assertThat(event).isInstanceOf(Persisted.class);
            assertThat(((Persisted) event).number()).isGreaterThan(last);
            last = ((Persisted) event).number();
        }
        assertThat(last).isEqualTo(number);
    }

    @Test
    void shouldTellOfTheHighestBatchOnceAllAreOnDiskAlthoughTheQueueIsFull() throws Exception {
        StateStore store = StateStore.open(directory);
        try (store;
                RecordKeeper keeper = keeper(store)) {
            told.put(new StoreReported(0, "fills the queue"));
            for (int i = 1; i <= 500; i++) {
                keeper.keep(new Persist(
                        i,
                        List.of(
                                new LeaderEpoch(i),
                                new NodeIndex(i % 10, i),
                                i % 10 == 3 ? new Removed(new NodeIndex(3, 0).key()) : new NodeIndex(99, i))));
            }
            assertThat(next()).isEqualTo(new StoreReported(0, "fills the queue"));
            awaitPersisted(500);
        }
        assertThat(stored(directory))
                .contains(new LeaderEpoch(500), new NodeIndex(0, 500), new NodeIndex(4, 494), new NodeIndex(99, 500))
                .hasSize(11)
                .noneMatch(record -> record.key().guid() == 3);
    }

    @Test
    void shouldReportAFailureOnceAndThatItWorksAgain() throws Exception {
        Path state = directory.resolve("state");
        Path away = directory.resolve("away");
        StateStore store = StateStore.open(state);
        try (store;
                RecordKeeper keeper = keeper(store)) {
            Files.move(state, away);
            keeper.keep(new Persist(1, List.of(new LeaderEpoch(1), new NodeIndex(1, 1))));

            assertThat(next())
                    .isInstanceOfSatisfying(
                            StoreReported.class,
                            report -> assertThat(report.failure())
                                    .startsWith("state file " + state + "/")
                                    .contains(" cannot be written: ")
                                    .endsWith("; tried again every 0 s")
                                    .doesNotContain("\n"));
            keeper.keep(new Persist(2, List.of(new LeaderEpoch(2))));
            assertThat(told.poll(10 * SOON_MILLIS, TimeUnit.MILLISECONDS))
                    .as("told once")
                    .isNull();
            Files.move(away, state);

            assertThat(next()).isEqualTo(new StoreReported(7, ""));
            awaitPersisted(2);
        }
        assertThat(stored(state)).containsExactly(new LeaderEpoch(2), new NodeIndex(1, 1));
    }

    /** As a dying disk does it: no error, no end. */
    @Test
    void shouldReportADiskThatDoesNotAnswerAndThatItDoesAgain() throws Exception {
        StuckDisk disk = new StuckDisk();
        StateStore store = disk.open(directory);
        try (store;
                RecordKeeper keeper = new RecordKeeper(store, SOON_MILLIS, SOON_MILLIS)) {
            keeper.connect(told::put, () -> 7);
            disk.stick();
            keeper.keep(new Persist(1, List.of(new LeaderEpoch(1), new NodeIndex(1, 1))));

            assertThat(next())
                    .isEqualTo(
                            new StoreReported(7, "state directory " + directory + ": no answer from the disk for 0 s"));
            keeper.keep(new Persist(2, List.of(new LeaderEpoch(2))));
            assertThat(told.poll(5 * SOON_MILLIS, TimeUnit.MILLISECONDS))
                    .as("told once")
                    .isNull();
            disk.goOn();

            // A slow machine may be late once more, and says so in pairs.
            FabricEvent report = next();
            FabricEvent event = report;
            while (!event.equals(new Persisted(7, 2))) {
                report = event instanceof StoreReported ? event : report;
                event = next();
            }
            assertThat(report).isEqualTo(new StoreReported(7, ""));
        }
        assertThat(stored(directory)).containsExactly(new LeaderEpoch(2), new NodeIndex(1, 1));
    }

    private static boolean isNoAnswer(FabricEvent event) {
        return event instanceof StoreReported report && report.failure().contains("no answer from the disk");
    }

    @Test
    void shouldReportTheFailureThatADiskAnswersWithAfterAll() throws Exception {
        StuckDisk disk = new StuckDisk();
        StateStore store = disk.open(directory);
        try (store;
                RecordKeeper keeper = new RecordKeeper(store, TimeUnit.HOURS.toMillis(1), SOON_MILLIS)) {
            keeper.connect(told::put, () -> 7);
            disk.stick();
            keeper.keep(new Persist(1, List.of(new LeaderEpoch(1))));
            assertThat(next()).isInstanceOf(StoreReported.class);
            disk.fail();

            // A slow machine may be late once more, and says so in pairs.
            FabricEvent report = next();
            while (report.equals(new StoreReported(7, "")) || isNoAnswer(report)) {
                report = next();
            }
            assertThat(report)
                    .isInstanceOfSatisfying(
                            StoreReported.class,
                            it -> assertThat(it.failure())
                                    .contains("state.head cannot be written: Input/output error; tried again"));
        }
        assertThat(stored(directory)).as("tried again when it closed").containsExactly(new LeaderEpoch(1));
    }

    @Test
    void shouldTryOnceMoreAtOnceWhenItCloses() throws Exception {
        Path state = directory.resolve("state");
        Path away = directory.resolve("away");
        StateStore store = StateStore.open(state);
        try (store) {
            RecordKeeper keeper = new RecordKeeper(store, TimeUnit.HOURS.toMillis(1), TimeUnit.HOURS.toMillis(1));
            keeper.connect(told::put, () -> 7);
            Files.move(state, away);
            keeper.keep(new Persist(1, List.of(new LeaderEpoch(1))));
            assertThat(next()).isInstanceOf(StoreReported.class);
            Files.move(away, state);

            keeper.close();
        }
        assertThat(stored(state)).containsExactly(new LeaderEpoch(1));
    }

    /** The loop is closed before the keeper is: nobody makes room any more. */
    @Test
    void shouldCloseAndWriteTheLastRecordsWhileNobodyListens() throws Exception {
        StateStore store = StateStore.open(directory);
        try (store) {
            RecordKeeper keeper = keeper(store);
            told.put(new StoreReported(0, "fills the queue"));
            keeper.keep(new Persist(1, List.of(new LeaderEpoch(1))));
            keeper.keep(new Persist(2, List.of(new LeaderEpoch(2))));

            keeper.close();
        }
        assertThat(stored(directory)).containsExactly(new LeaderEpoch(2));
    }
}

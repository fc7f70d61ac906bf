package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.FailingFile.Disk;
import io.dmodc.manager.store.FailingFile.Fault;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is appended survives, and what is read was appended last. */
class StateStoreTest {
    @TempDir
    Path directory;

    private Path file(String name) {
        return directory.resolve(name);
    }

    private List<StateRecord> stored() throws IOException {
        try (StateStore store = StateStore.open(directory)) {
            return List.copyOf(store.state().records());
        }
    }

    private void append(StateRecord... records) throws IOException {
        try (StateStore store = StateStore.open(directory)) {
            store.append(List.of(records));
        }
    }

    @Test
    void shouldKeepRecordsOfEveryKindOverARestart() throws IOException {
        List<StateRecord> all = RandomRecords.oneOfEach();
        assertThat(all)
                .extracting(record -> record.key().kind())
                .doesNotHaveDuplicates()
                .hasSize(StateRecord.Kind.values().length);

        append(all.toArray(StateRecord[]::new));

        assertThat(stored()).containsExactlyElementsOf(StoredState.of(all).records());
        append(new Removed(all.get(2).key()), new LeaderEpoch(99));
        assertThat(stored())
                .doesNotContain(all.get(2))
                .contains(new LeaderEpoch(99))
                .hasSize(all.size() - 1);
    }

    @Test
    void shouldKeepEveryOtherManagerOut() throws Exception {
        try (StateStore store = StateStore.open(directory)) {
            store.append(List.of(new LeaderEpoch(1)));
            String refusal = "state directory " + directory + " is in use by another manager (process "
                    + ProcessHandle.current().pid() + ")";

            assertThatThrownBy(() -> StateStore.open(directory))
                    .isInstanceOf(IOException.class)
                    .hasMessage(refusal);
            assertThatThrownBy(() -> StateStore.read(directory)).hasMessage(refusal);
            assertThatThrownBy(() -> StateStore.write(directory, new StoredState(), true))
                    .hasMessage(refusal);
            assertThat(openInAnotherProcess())
                    .as("not even after a refusal in this process")
                    .contains(refusal);
        }
        assertThat(stored()).containsExactly(new LeaderEpoch(1));
    }

    /** As when somebody took the lock away, and whatever the manager that runs has written and not noted in the head yet. */
    @Test
    void shouldKeepOthersOutOfTheFileThatAManagerHasOpenWithoutTheLock() throws Exception {
        append(new LeaderEpoch(1));
        try (RecordFile running = RecordFile.open(file("state.mv"), new Disk(), false)) {
            running.apply(new LeaderEpoch(2));
            running.commit(running.head().number() + 1);
            String refusal = "state file " + file("state.mv")
                    + " is in use by another manager, though the directory's lock was free: removed while that manager runs?"
                    + " Stop it first";

            assertThatThrownBy(() -> StateStore.open(directory))
                    .isInstanceOf(IOException.class)
                    .hasMessage(refusal);
            assertThatThrownBy(() -> StateStore.read(directory))
                    .isInstanceOf(IOException.class)
                    .hasMessage(refusal);
        }
        assertThat(stored()).containsExactly(new LeaderEpoch(2));
    }

    /** Opens the directory. */
    static final class Opening {
        private Opening() {}

        public static void main(String[] args) throws IOException {
            try (StateStore store = StateStore.open(Path.of(args[0]))) {
                System.out.println(store.state().records().size());
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private String openInAnotherProcess() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Opening.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        state.mv   | empty   | state.mv is empty
        state.mv   | gone    | state.mv is missing, though
        state.mv   | half    | state.mv
        state.mv   | noise   | state.mv cannot be read (
        state.head | empty   | state.head has 0 bytes; expected 1024
        state.head | gone    | state.mv holds append 40, but state.head, which says how far it must be, is missing
        state.head | half    | state.head has 512 bytes; expected 1024
        state.head | noise   | state.head is damaged in both of its slots
        """)
    void shouldRefuseADamagedFileInOneLineAndLeaveItAlone(String name, String damage, String problem)
            throws IOException {
        RandomRecords records = new RandomRecords(3);
        for (int i = 0; i < 40; i++) {
            append(records.batch(3).toArray(StateRecord[]::new));
        }
        byte[] whole = Files.readAllBytes(file(name));
        byte[] noise = new byte[whole.length];
        new Random(1).nextBytes(noise);
        switch (damage) {
            case "gone" -> Files.delete(file(name));
            case "empty" -> Files.write(file(name), new byte[0]);
            case "half" -> Files.write(file(name), Arrays.copyOf(whole, whole.length / 2));
            default -> Files.write(file(name), noise);
        }
        byte[] left = Files.exists(file(name)) ? Files.readAllBytes(file(name)) : null;

        assertThatThrownBy(() -> StateStore.open(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("state file " + directory + "/"
                        + (problem.startsWith(name) || damage.equals("gone") ? "" : name))
                .hasMessageContaining(problem)
                .hasMessageContaining("fabric-manager state import FILE --replace")
                .hasMessageNotContaining("\n");

        if (left == null) {
            assertThat(file(name)).doesNotExist();
        } else {
            assertThat(file(name)).hasBinaryContent(left);
        }
        assertThat(directory.toFile().list())
                .as("nothing left lying about")
                .doesNotContain("state.mv.cut", "state.mv.new");
    }

    @Test
    void shouldRefuseAnOlderCopyOfTheFile() throws IOException {
        append(new LeaderEpoch(1));
        Files.copy(file("state.mv"), file("copy"));
        append(new LeaderEpoch(2));
        Files.move(file("copy"), file("state.mv"), StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> StateStore.open(directory))
                .hasMessageContaining("state.mv holds append 1, but append 2 was written: it was cut short, damaged, or"
                        + " exchanged for an older copy");
    }

    @Test
    void shouldRefuseAnotherHistoryOfTheSameLength() throws IOException {
        append(new LeaderEpoch(1));
        Path other = directory.resolve("other");
        try (StateStore store = StateStore.open(other)) {
            store.append(List.of(new LeaderEpoch(77)));
        }
        Files.copy(other.resolve("state.mv"), file("state.mv"), StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> StateStore.open(directory))
                .hasMessageContaining("holds another append 1 than the one");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 2048, 4095})
    void shouldTakeTheLastWholeAppendWhenACrashCutTheNextShort(int written) throws IOException {
        append(new LeaderEpoch(1), new NodeIndex(5, 0));
        byte[] head = Files.readAllBytes(file("state.head"));
        long length = Files.size(file("state.mv"));
        append(new LeaderEpoch(2));
        // As it is before the head was written, with this much of the append on disk.
        Files.write(file("state.head"), head);
        byte[] whole = Files.readAllBytes(file("state.mv"));
        Files.write(file("state.mv"), Arrays.copyOf(whole, (int) length + written));
        assertThat(whole.length).isGreaterThan((int) length + written);

        assertThat(stored()).containsExactly(new LeaderEpoch(1), new NodeIndex(5, 0));
        append(new LeaderEpoch(3));
        assertThat(stored()).containsExactly(new LeaderEpoch(3), new NodeIndex(5, 0));
    }

    @Test
    void shouldTakeAnAppendWholeOrNotAtAllWhenItsBlocksReachedTheDiskOutOfOrder() throws IOException {
        append(new LeaderEpoch(1), new NodeIndex(5, 0));
        byte[] head = Files.readAllBytes(file("state.head"));
        int length = (int) Files.size(file("state.mv"));
        append(new RandomRecords(5).batch(60).toArray(StateRecord[]::new));
        byte[] whole = Files.readAllBytes(file("state.mv"));
        List<StateRecord> after = stored();
        byte[] headAfter = Files.readAllBytes(file("state.head"));
        for (int lost = length; lost < whole.length; lost += 512) {
            byte[] torn = whole.clone();
            Arrays.fill(torn, lost, Math.min(torn.length, lost + 512), (byte) 0);
            Files.write(file("state.mv"), torn);
            Files.write(file("state.head"), head);

            assertThat(stored()).as("sector at " + lost).isIn(List.of(new LeaderEpoch(1), new NodeIndex(5, 0)), after);
        }
        assertThat(headAfter).isNotEqualTo(head);
    }

    @Test
    void shouldTakeATornHeadForTheAppendBehindIt() throws IOException {
        for (int i = 1; i <= 7; i++) {
            append(new LeaderEpoch(i));
            byte[] before = Files.readAllBytes(file("state.head"));
            byte[] records = Files.readAllBytes(file("state.mv"));
            append(new LeaderEpoch(i + 100));
            byte[] after = Files.readAllBytes(file("state.head"));
            int slot = Arrays.mismatch(before, after) / 512;
            byte[] torn = after.clone();
            torn[slot * 512 + 20] ^= 1;
            Files.write(file("state.head"), torn);

            assertThat(stored()).containsExactly(new LeaderEpoch(i + 100));

            Files.write(file("state.head"), torn);
            Files.write(file("state.mv"), records);
            assertThatThrownBy(() -> StateStore.open(directory)).hasMessageContaining("but append ");
            Files.delete(file("state.mv"));
            Files.delete(file("state.head"));
        }
    }

    @Test
    void shouldSayWhichReleaseWroteANewerFormat() throws Exception {
        append(new LeaderEpoch(1));
        try (RecordFile records = RecordFile.open(file("state.mv"), new Disk(), false)) {
            records.commitHead(io.dmodc.manager.store.proto.StoreHead.newBuilder()
                    .setFormat(2)
                    .setWriter("7.0.1")
                    .setNumber(2)
                    .build()
                    .toByteArray());
        }

        assertThatThrownBy(() -> StateStore.open(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "state file " + file("state.mv") + " is of format 2, written by fabric-manager 7.0.1; ")
                .hasMessageContaining(" reads up to 1: start that release, or export the state with it");
    }

    @ParameterizedTest
    @CsvSource({
        "FULL, 0, No space left on device",
        "FULL, 100, No space left on device",
        "FULL, 4096, No space left on device",
        "FULL, 1000000, No space left on device",
        "NOT_FORCED, 0, Input/output error"
    })
    void shouldGoOnWhenTheDiskTakesAppendsAgain(Fault fault, int room, String reason) throws IOException {
        Disk disk = new Disk();
        try (StateStore store = StateStore.open(directory, disk)) {
            store.append(List.of(new LeaderEpoch(1), new NodeIndex(1, 1)));
            for (int round = 0; round < 3; round++) {
                disk.fault = fault;
                disk.room = room;
                assertThatThrownBy(() ->
                                store.append(List.of(new LeaderEpoch(50), new Removed(new NodeIndex(1, 1).key()))))
                        .isInstanceOf(IOException.class)
                        .hasMessage("state file " + file("state.mv") + " cannot be written: " + reason);
                disk.fault = Fault.NONE;
                assertThat(store.state().records())
                        .contains(new NodeIndex(1, 1))
                        .doesNotContain(new LeaderEpoch(50));
                store.append(List.of(new LeaderEpoch(10 + round)));
                assertThat(store.state().records()).containsExactly(new LeaderEpoch(10 + round), new NodeIndex(1, 1));
            }
        }
        assertThat(stored()).containsExactly(new LeaderEpoch(12), new NodeIndex(1, 1));
    }

    @Test
    void shouldFailWhileTheDirectoryIsGoneAndGoOnWhenItIsBack() throws IOException {
        Path state = directory.resolve("state");
        try (StateStore store = StateStore.open(state)) {
            store.append(List.of(new LeaderEpoch(1)));
            Files.move(state, directory.resolve("away"));
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> store.append(List.of(new LeaderEpoch(2))))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("state file " + state + "/")
                        .hasMessageContaining(" cannot be written: ")
                        .hasMessageNotContaining("\n");
            }
            Files.move(directory.resolve("away"), state);
            store.append(List.of(new LeaderEpoch(3)));
        }
        try (StateStore store = StateStore.open(state)) {
            assertThat(store.state().records()).containsExactly(new LeaderEpoch(3));
        }
    }

    @Test
    void shouldNameTheHeadThatAFullDiskDoesNotTake() throws IOException {
        Path fresh = Files.createSymbolicLink(directory.resolve("state.head.new"), Path.of("/dev/full"));

        assertThatThrownBy(() -> StateStore.open(directory))
                .isInstanceOf(IOException.class)
                .hasMessage("state file " + fresh + " cannot be written: No space left on device");
        Files.delete(fresh);
    }

    @Test
    void shouldStartWithTheStoreThatACrashLeftHalfMade() throws IOException {
        Files.createDirectories(directory);
        Files.write(file("state.mv.new"), new byte[1234]);
        assertThat(stored()).isEmpty();

        Files.delete(file("state.head"));
        assertThat(stored()).as("records, but no head yet").isEmpty();
        assertThat(file("state.mv.new")).doesNotExist();
    }

    /** Appends to a store that is written anew meanwhile; a crash at any moment leaves one of the two. */
    @Test
    void shouldWriteAnOverlongFileAnewWhileAppendsGoOn() throws IOException {
        long seed = 11;
        RandomRecords records = new RandomRecords(seed);
        TreeMap<StateRecord.Key, StateRecord> twin = new TreeMap<>();
        Path copy = directory.resolve("copy");
        long longest = 0;
        int rewrites = 0;
        try (StateStore store = StateStore.open(directory, new Disk(), 200_000)) {
            List<StateRecord> many = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                many.add(new NodeIndex(1_000_000 + i, i));
            }
            apply(twin, many);
            store.append(many);
            for (int i = 0; i < 300; i++) {
                List<StateRecord> batch = records.batch(6);
                batch.add(
                        i % 2 == 0
                                ? new Removed(new NodeIndex(1_000_000 + i * 7, 0).key())
                                : new NodeIndex(1_000_000 + i * 7, i));
                apply(twin, batch);
                store.append(batch);
                boolean more = store.tidy();
                rewrites += more ? 0 : 1;
                longest = Math.max(longest, Files.size(file("state.mv")));
                if (i % 10 == 0) {
                    assertCrashLeaves(copy, twin);
                }
            }
            assertThat(store.state().records()).containsExactlyElementsOf(twin.values());
        }
        assertThat(rewrites).isGreaterThan(1);
        assertThat(longest).isLessThan(2_500_000);
        assertThat(stored()).containsExactlyElementsOf(twin.values());
    }

    /** Appends until the file is longer than a store of 4,096 bytes keeps it. */
    private static void grow(StateStore store) throws IOException {
        for (int i = 1; i <= 30; i++) {
            List<StateRecord> batch = new ArrayList<>(List.of(new LeaderEpoch(i)));
            for (int node = 0; node < 200; node++) {
                batch.add(new NodeIndex(1_000 + node, node));
            }
            store.append(batch);
        }
    }

    private static void tidyUp(StateStore store) throws IOException {
        while (store.tidy()) {
            // Until there is nothing to do.
        }
    }

    @Test
    void shouldCountNoAppendUntilTheNameOfTheFreshFileIsOnDisk() throws IOException {
        Disk disk = new Disk();
        try (StateStore store = StateStore.open(directory, disk, 4096)) {
            grow(store);
            long before = Files.size(file("state.mv"));
            disk.unforced = Set.of(directory.getFileName().toString());
            String failure = "state file " + file("state.mv") + " cannot be written: Input/output error";

            assertThatThrownBy(() -> tidyUp(store))
                    .isInstanceOf(IOException.class)
                    .hasMessage(failure);
            assertThatThrownBy(() -> store.append(List.of(new LeaderEpoch(31))))
                    .isInstanceOf(IOException.class)
                    .hasMessage(failure);
            assertThat(Files.size(file("state.mv"))).as("the fresh file").isLessThan(before);
            disk.unforced = Set.of();
            store.append(List.of(new LeaderEpoch(32)));
            store.append(List.of(new LeaderEpoch(33)));
            // No close: the process is killed here.
            Path copy = directory.resolve("copy");
            copyStore(directory, copy);
            try (StateStore next = StateStore.open(copy)) {
                assertThat(next.state().leaderEpoch()).isEqualTo(33);
                assertThat(next.state().records()).hasSize(201);
            }
        }
    }

    @Test
    void shouldNoteTheLengthOfTheFreshFileBeforeTheNextAppend() throws Exception {
        Disk disk = new Disk();
        try (StateStore store = StateStore.open(directory, disk, 4096)) {
            grow(store);
            disk.unforced = Set.of("state.head");

            assertThatThrownBy(() -> tidyUp(store)).hasMessageContaining("state.head cannot be written");
            assertThatThrownBy(() -> store.append(List.of(new LeaderEpoch(31))))
                    .hasMessageContaining("state.head cannot be written");
            disk.unforced = Set.of();
            store.append(List.of(new LeaderEpoch(32)));
        }
        assertThat(HeadFile.open(file("state.head"), disk).newest().length()).isEqualTo(Files.size(file("state.mv")));
        assertThat(stored()).contains(new LeaderEpoch(32)).hasSize(201);
    }

    /** A head that could not be forced may say more than counts: it is put right before the records are cut. */
    @ParameterizedTest
    @ValueSource(strings = {"state.mv", "state.head"})
    void shouldStartAfterANoteThatWasNotForcedAndARetryThatFailed(String unforced) throws IOException {
        Disk disk = new Disk();
        Path copy = directory.resolve("copy");
        try (StateStore store = StateStore.open(directory, disk)) {
            store.append(List.of(new LeaderEpoch(1), new NodeIndex(1, 1)));
            store.append(List.of(new LeaderEpoch(2)));
            disk.unforced = Set.of("state.head");
            assertThatThrownBy(() -> store.append(List.of(new LeaderEpoch(3))))
                    .isInstanceOf(IOException.class)
                    .hasMessage("state file " + file("state.head") + " cannot be written: Input/output error");
            disk.unforced = Set.of(unforced);
            assertThatThrownBy(() -> store.append(List.of(new LeaderEpoch(3)))).isInstanceOf(IOException.class);
            // Killed here.
            copyStore(directory, copy);
            try (StateStore next = StateStore.open(copy)) {
                assertThat(next.state().leaderEpoch()).isBetween(2L, 3L);
                assertThat(next.state().records()).contains(new NodeIndex(1, 1)).hasSize(2);
            }
            disk.unforced = Set.of();
            store.append(List.of(new LeaderEpoch(4)));
        }
        assertThat(stored()).containsExactly(new LeaderEpoch(4), new NodeIndex(1, 1));
    }

    @Test
    void shouldTakeNoAppendIntoAFileThatHasItsNameNoMore() throws IOException {
        try (StateStore store = StateStore.open(directory)) {
            store.append(List.of(new LeaderEpoch(1), new NodeIndex(1, 1)));
            Files.copy(file("state.mv"), file("copy"));
            byte[] copied = Files.readAllBytes(file("copy"));
            Files.move(file("copy"), file("state.mv"), StandardCopyOption.REPLACE_EXISTING);

            assertThatThrownBy(() -> store.append(List.of(new LeaderEpoch(2))))
                    .isInstanceOf(IOException.class)
                    .hasMessage("state file " + file("state.mv") + " cannot be written: another file has its name");
            assertThat(file("state.mv")).hasBinaryContent(copied);
            store.append(List.of(new LeaderEpoch(3)));
        }
        assertThat(stored()).as("it had the same records").containsExactly(new LeaderEpoch(3), new NodeIndex(1, 1));
    }

    private void assertCrashLeaves(Path copy, Map<StateRecord.Key, StateRecord> twin) throws IOException {
        copyStore(directory, copy);
        try (StateStore crashed = StateStore.open(copy)) {
            assertThat(crashed.state().records()).containsExactlyElementsOf(twin.values());
        }
    }

    static void copyStore(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (String name : List.of("state.mv", "state.head", "state.mv.new")) {
            Files.deleteIfExists(to.resolve(name));
            if (Files.exists(from.resolve(name))) {
                Files.copy(from.resolve(name), to.resolve(name));
            }
        }
    }

    static void apply(Map<StateRecord.Key, StateRecord> twin, List<StateRecord> batch) {
        for (StateRecord record : batch) {
            if (record instanceof Removed removed) {
                twin.remove(removed.key());
            } else {
                twin.put(record.key(), record);
            }
        }
    }

    static Stream<Arguments> beyondBounds() {
        ExpectedPort nowhere = new ExpectedPort(4, new ToSwitch(2, 0));
        return Stream.of(
                Arguments.of(new LeaderEpoch(Integer.MAX_VALUE), "leader epoch 2147483647; expected 0..2147482623"),
                Arguments.of(
                        new FabricEpoch((1L << 48) + 1), "fabric epoch 281474976710657; expected 0..281474976710656"),
                Arguments.of(new NodeIndex(5, 1 << 19), "node index 524288; expected 0..524287"),
                Arguments.of(new SwitchLevel(5, 32), "level 32; expected 0..31"),
                Arguments.of(new SwitchPlane(5, 1 << 24), "plane number 16777216; expected 0..16777215"),
                Arguments.of(new LastAlarm(-1), "alarm -1; expected 0..4503599627370496"),
                Arguments.of(
                        new ExpectedSwitch(1, "leaf0", 4, List.of(nowhere)),
                        "far port of an expected cable 0; expected 1..254"));
    }

    /** No manager could start from these. */
    @ParameterizedTest
    @MethodSource("beyondBounds")
    void shouldRefuseWhatIsBeyondItsBounds(StateRecord record, String problem) throws IOException {
        append(new NodeIndex(1, 1), record);
        byte[] before = Files.readAllBytes(file("state.mv"));

        assertThatThrownBy(() -> StateStore.open(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("state file " + file("state.mv") + " has " + problem + "; restore ")
                .hasMessageNotContaining("\n");
        assertThat(file("state.mv")).hasBinaryContent(before);
        Path other = directory.resolve("other");
        assertThatThrownBy(() -> StateStore.write(other, StoredState.of(List.of(record)), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("state for " + other + ": " + problem);
        assertThat(StateStore.read(other)).as("nothing half written").isNull();
    }

    /** Above what is kept there is always one that agents obey; one that could be kept, or a line that says that there is none. */
    @Test
    void shouldKeepEpochsThatTheAgentsObey() {
        long lastOfAStart = RecordBounds.LEADER_EPOCH_MAX - LeaderEpochs.NUMBERS;
        assertThat(LeaderEpochs.ofStart(lastOfAStart, 7)).isLessThanOrEqualTo(RecordBounds.LEADER_EPOCH_MAX);
        assertThatThrownBy(() -> LeaderEpochs.ofStart(lastOfAStart + 1, 7))
                .hasMessage("leader epoch 2147481600 leaves none for another start; expected below 2147481600");
        for (int number : new int[] {0, 1, LeaderEpochs.NUMBERS - 1}) {
            assertThat(LeaderEpochs.above(RecordBounds.LEADER_EPOCH_MAX, number))
                    .isBetween(RecordBounds.LEADER_EPOCH_MAX + 1, SouthboundProtocol.MAX_LEADER_EPOCH);
        }
        assertThat(RecordBounds.FABRIC_EPOCH_MAX).isLessThan(SouthboundProtocol.MAX_FABRIC_EPOCH >> 10);
    }

    @Test
    void shouldReplaceADamagedStateAndKeepTheOldFiles() throws IOException {
        append(new LeaderEpoch(1));
        append(new LeaderEpoch(2));
        Files.write(file("state.mv"), new byte[9]);
        StoredState state = StoredState.of(List.of(new LeaderEpoch(5), new OpenAlarm("link", 1, 2, 3, 4, 5)));

        assertThatThrownBy(() -> StateStore.write(directory, state, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holds a state; expected an empty one, or --replace");
        StateStore.write(directory, state, true);

        assertThat(stored()).containsExactlyElementsOf(state.records());
        assertThat(file("state.mv.old")).hasBinaryContent(new byte[9]);
        assertThat(file("state.head.old")).exists();
    }
}

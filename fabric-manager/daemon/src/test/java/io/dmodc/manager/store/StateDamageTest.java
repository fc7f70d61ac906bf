package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done to the files: the newest state or a refusal, never an older state. */
class StateDamageTest {
    private static final int APPENDS = 100 * Integer.getInteger("more", 1);
    private static final int STEP = 512;

    /** Every how many sectors a file is damaged, twice in each block of the store; {@code -Dstate.damage.sectors=1} tries all of them. */
    private static final int SECTORS = Integer.getInteger("state.damage.sectors", 4);

    @TempDir
    Path directory;

    private interface Damage {
        byte[] apply(byte[] whole, int at);
    }

    @Test
    void shouldNeverReadACutFileAsAnOlderState() throws IOException {
        assertNewestOrRefused("state.mv", SECTORS * STEP, (whole, at) -> Arrays.copyOf(whole, at));
        assertNewestOrRefused("state.head", 16, (whole, at) -> Arrays.copyOf(whole, at));
    }

    @Test
    void shouldNeverReadAFileWithAFlippedBitAsAnOlderState() throws IOException {
        Random random = new Random(4);
        assertNewestOrRefused("state.mv", SECTORS * STEP, flip(random, SECTORS * STEP));
        assertNewestOrRefused("state.head", 16, flip(random, 16));
    }

    /** Flips one bit of so many bytes. */
    private static Damage flip(Random random, int bytes) {
        return (whole, at) -> {
            byte[] damaged = whole.clone();
            int where = Math.min(damaged.length - 1, at + random.nextInt(bytes));
            damaged[where] ^= (byte) (1 << random.nextInt(8));
            return damaged;
        };
    }

    @Test
    void shouldNeverReadAFileWithALostSectorAsAnOlderState() throws IOException {
        assertNewestOrRefused("state.mv", SECTORS * STEP, (whole, at) -> {
            byte[] damaged = whole.clone();
            Arrays.fill(damaged, at, Math.min(damaged.length, at + STEP), (byte) 0);
            return damaged;
        });
    }

    private void assertNewestOrRefused(String name, int step, Damage damage) throws IOException {
        List<StateRecord> newest = write();
        byte[] whole = Files.readAllBytes(directory.resolve(name));
        byte[] other = Files.readAllBytes(directory.resolve(other(name)));
        int refused = 0;
        int read = 0;
        for (int at = 0; at < whole.length; at += step) {
            Files.write(directory.resolve(name), damage.apply(whole, at));
            Files.write(directory.resolve(other(name)), other);
            try (StateStore store = StateStore.open(directory)) {
                assertThat(store.state().records())
                        .as(name + " damaged at " + at)
                        .containsExactlyElementsOf(newest);
                read++;
            } catch (IllegalArgumentException e) {
                assertThat(e)
                        .as("at " + at)
                        .hasMessageStartingWith("state file " + directory)
                        .hasMessageNotContaining("\n");
                refused++;
            }
        }
        assertThat(refused).as("refused of " + (refused + read) + " damages").isPositive();
    }

    private static String other(String name) {
        return name.equals("state.mv") ? "state.head" : "state.mv";
    }

    private List<StateRecord> write() throws IOException {
        for (String name : List.of("state.mv", "state.head")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        RandomRecords records = new RandomRecords(21);
        try (StateStore store = StateStore.open(directory)) {
            for (int i = 0; i < APPENDS; i++) {
                store.append(records.batch(3));
            }
            return List.copyOf(store.state().records());
        }
    }

    /** A crash leaves the files as they are between two appends, or with a part of the append it cut short. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldEqualItsTwinAfterCrashes(long seed) throws IOException {
        Random random = new Random(seed);
        RandomRecords records = new RandomRecords(seed);
        TreeMap<StateRecord.Key, StateRecord> twin = new TreeMap<>();
        Path now = directory.resolve("run0");
        for (int crash = 1; crash <= 12; crash++) {
            Path next = directory.resolve("run" + crash);
            try (StateStore store = StateStore.open(now)) {
                assertThat(store.state().records())
                        .as("seed " + seed + ", crash " + crash)
                        .containsExactlyElementsOf(twin.values());
                for (int i = random.nextInt(12); i > 0; i--) {
                    List<StateRecord> batch = records.batch(8);
                    store.append(batch);
                    StateStoreTest.apply(twin, batch);
                }
                StateStoreTest.copyStore(now, next);
                tear(store, now, next, records.batch(8), random);
            }
            now = next;
        }
    }

    private static void tear(StateStore store, Path now, Path next, List<StateRecord> unfinished, Random random)
            throws IOException {
        int before = (int) Files.size(now.resolve("state.mv"));
        store.append(unfinished);
        byte[] after = Files.readAllBytes(now.resolve("state.mv"));
        assertThat(after.length).as("an append is behind all others").isGreaterThan(before);
        byte[] torn = Arrays.copyOf(after, before + (after.length - before) * random.nextInt(4) / 4);
        for (int at = before; at < torn.length; at += STEP) {
            if (random.nextInt(6) == 0) {
                Arrays.fill(torn, at, Math.min(torn.length, at + STEP), (byte) 0);
            }
        }
        Files.write(next.resolve("state.mv"), torn);
    }

    /** What was never noted is cut off in a copy, for which there may be no room: nothing is lost by that. */
    @Test
    void shouldLeaveATornFileAloneWhereAFullDiskTakesNoCopy() throws Exception {
        Path state = directory.resolve("state");
        Path records = state.resolve("state.mv");
        Path copy = state.resolve("state.mv.cut");
        try (SmallDisk disk = SmallDisk.mount(state)) {
            try (StateStore store = StateStore.open(state)) {
                store.append(List.of(new LeaderEpoch(7)));
            }
            Files.write(records, new byte[STEP], StandardOpenOption.APPEND);
            byte[] torn = Files.readAllBytes(records);
            Path ballast = disk.fill();

            assertThatThrownBy(() -> StateStore.open(state))
                    .isInstanceOf(IOException.class)
                    .hasMessage("state file " + records + " cannot be copied to " + copy + ": No space left on device");
            assertThat(records).hasBinaryContent(torn);
            assertThat(copy).doesNotExist();

            Files.delete(ballast);
            try (StateStore store = StateStore.open(state)) {
                assertThat(store.state().records()).containsExactly(new LeaderEpoch(7));
            }
        }
    }
}

package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ring that changes its key while it runs: sockets on loopback, and a key file for each member. */
class RingKeyRotationTest {
    private static final int MEMBERS = 10;
    private static final RingRules RULES =
            RingRules.standard(TimeUnit.MILLISECONDS.toNanos(30), TimeUnit.MILLISECONDS.toNanos(1_000), MEMBERS);
    private static final String OLD = "0f".repeat(32);
    private static final String NEW = "1e".repeat(32);

    /** So many heartbeats of its emitter a member has heard after a step. */
    private static final int HEARTBEATS = 4;

    private final RingLoop loop = RingLoop.start("ring-test");
    private final List<Member> members = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        for (int slot = 0; slot < MEMBERS; slot++) {
            members.add(new Member(slot));
        }
        Membership ring = new Membership(
                ScriptedMember.EPOCH,
                ScriptedMember.CLUSTER,
                LongStream.range(0, MEMBERS).map(slot -> guid((int) slot)).toArray(),
                IntStream.generate(() -> 1).limit(MEMBERS).toArray());
        List<InetSocketAddress> addresses =
                members.stream().map(member -> member.endpoint.localAddress()).toList();
        members.forEach(member -> member.endpoint.install(ring, member.slot, addresses, RULES));
        awaitHeartbeats();
    }

    @AfterEach
    void close() {
        members.forEach(member -> member.endpoint.close());
        loop.close();
    }

    @Test
    void shouldChangeItsKeyInThreeStepsWithoutASilentMember() throws IOException {
        for (String step : List.of(OLD + "\n" + NEW, NEW + "\n" + OLD, NEW)) {
            for (Member member : members) {
                member.replaceKey(step);
                awaitHeartbeats();
            }
        }

        assertThat(members).allSatisfy(member -> {
            assertThat(member.journal.lines())
                    .as("heard by slot " + member.slot)
                    .isEmpty();
            assertThat(member.dropped(DropReason.MAC))
                    .as("at slot " + member.slot)
                    .isZero();
        });
        assertIsRefused(RingKey.read(write(folder.resolve("old"), OLD)));
    }

    /** What the middle step is for. */
    @Test
    void shouldHoldMembersDeadThatAreGivenTheNewKeyAtOnce() throws IOException {
        for (Member member : members.subList(0, MEMBERS / 2)) {
            member.replaceKey(NEW);
        }

        soon().untilAsserted(() -> assertThat(members).allSatisfy(member -> {
            assertThat(member.journal.lines()).isNotEmpty();
            assertThat(member.dropped(DropReason.MAC)).isPositive();
        }));
    }

    /** Somebody of another epoch asks, so that nothing but the key decides. */
    private void assertIsRefused(RingKey old) throws IOException {
        Member target = members.get(0);
        for (RingKey key : List.of(old, target.keys.get())) {
            try (ScriptedMember asker = new ScriptedMember(1, 0xD001, key, guid(0))) {
                RingMessage asking = asker.message(MessageType.NEW_OBSERVER);
                asking.epoch = ScriptedMember.EPOCH + 1;
                asker.send(asking, target.endpoint.localAddress());
                DropReason expected = key.equals(old) ? DropReason.MAC : DropReason.EPOCH;
                soon().untilAsserted(() -> assertThat(target.dropped(expected)).isEqualTo(1));
            }
        }
        assertThat(target.endpoint.counters().dropped()).isEqualTo(2);
    }

    private void awaitHeartbeats() {
        long[] before = members.stream()
                .mapToLong(member -> member.endpoint.counters().received())
                .toArray();
        soon().until(() -> members.stream()
                .allMatch(member -> member.endpoint.counters().received() >= before[member.slot] + HEARTBEATS));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }

    private static long guid(int slot) {
        return 0xC000L + slot;
    }

    private static Path write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private final class Member {
        final int slot;
        final RingJournal journal = new RingJournal();
        final RingKeyFile keys;
        final RingEndpoint endpoint;
        private final Path file;

        Member(int slot) throws IOException {
            this.slot = slot;
            file = write(folder.resolve("key" + slot), OLD);
            keys = RingKeyFile.open(file);
            endpoint = RingEndpoint.bind(
                    loop,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    guid(slot),
                    1,
                    keys.get(),
                    journal);
        }

        void replaceKey(String text) throws IOException {
            write(file, text);
            endpoint.use(keys.get());
        }

        long dropped(DropReason reason) {
            return endpoint.counters().dropped(reason);
        }
    }
}

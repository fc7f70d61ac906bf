package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an attacker on the network can send to a member of a ring with a key, and what a network may do by itself: one
 * real endpoint in slot 0, puppets in the other slots. δ is an hour, so nothing happens that is not sent.
 */
class ForgeryTest {
    private static final long ETA = TimeUnit.MILLISECONDS.toNanos(20);
    private static final RingRules RULES = RingRules.published(ETA, TimeUnit.HOURS.toNanos(1));
    private static final RingKey KEY = RingKey.random();
    private static final long[] GUIDS = {0xA0, 0xA1, 0xA2, 0xA3};

    private final RingLoop loop = RingLoop.start("ring-test");
    private final RingJournal journal = new RingJournal();
    private final DatagramMac wrongMac = RingKey.random().newMac();
    private final ScriptedMember one = member(1);
    private final ScriptedMember two = member(2);
    private final ScriptedMember three = member(3);
    private final RingEndpoint endpoint = RingEndpoint.bind(
            loop, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), GUIDS[0], 1, KEY, journal);
    private final InetSocketAddress target = endpoint.localAddress();

    @BeforeEach
    void install() throws IOException {
        List<InetSocketAddress> addresses = List.of(target, one.address(), two.address(), three.address());
        endpoint.install(
                new Membership(ScriptedMember.EPOCH, ScriptedMember.CLUSTER, GUIDS, new int[] {1, 1, 1, 1}),
                0,
                addresses,
                RULES);
        one.await(MessageType.HEARTBEAT);
        three.await(MessageType.NEW_OBSERVER);
    }

    @AfterEach
    void close() {
        endpoint.close();
        one.close();
        two.close();
        three.close();
        loop.close();
    }

    @Test
    void shouldDropAForgedDeath() throws IOException {
        RingMessage death = one.death(2, 1);

        one.send(ScriptedMember.sealed(death, wrongMac, GUIDS[0]), target);
        one.send(ScriptedMember.sealed(death, RingKey.none().newMac(), GUIDS[0]), target);
        awaitDropped(DropReason.MAC, 2);

        assertThat(journal.lines()).isEmpty();
        assertThat(endpoint.vitals().deadCount()).isZero();
        one.send(death, target);
        soon().until(() -> journal.lines().contains("silent a2.1"));
    }

    @Test
    void shouldDropADeathFromAnotherAddressThanItsSenders() throws IOException {
        two.send(one.sealed(one.death(2, 1)), target);
        awaitDropped(DropReason.SOURCE, 1);

        assertThat(journal.lines()).isEmpty();
    }

    /** As from an agent whose machine has two addresses: told once, after it went on for δ. */
    @Test
    void shouldTellOfAMemberThatSpeaksFromAnotherAddress() {
        endpoint.install(
                new Membership(ScriptedMember.EPOCH + 1, ScriptedMember.CLUSTER, GUIDS, new int[] {1, 1, 1, 1}),
                0,
                List.of(target, one.address(), two.address(), three.address()),
                RingRules.published(ETA, TimeUnit.SECONDS.toNanos(1)));
        String told =
                "foreign a1 " + one.address().getPort() + " " + two.address().getPort();

        soon().until(() -> {
            two.send(one.sealed(one.message(MessageType.HEARTBEAT)), target);
            return journal.lines().contains(told);
        });
        long dropped = endpoint.counters().dropped(DropReason.SOURCE);
        soon().until(() -> {
            two.send(one.sealed(one.message(MessageType.HEARTBEAT)), target);
            return endpoint.counters().dropped(DropReason.SOURCE) > dropped + 10;
        });

        assertThat(journal.lines()).containsOnlyOnce(told);
    }

    @Test
    void shouldDropAReplayedDeath() throws IOException {
        byte[] death = one.sealed(one.death(2, 1));
        one.send(death, target);
        soon().until(() -> journal.lines().contains("silent a2.1"));
        RingMessage refutation = two.message(MessageType.ALIVE);
        refutation.incarnation = 2;
        refutation.subjectGuid = 0xa2;
        refutation.subjectIncarnation = 2;
        refutation.observerSlot = 2;
        two.send(refutation, target);
        soon().until(() -> journal.lines().contains("alive a2.2"));

        one.send(death, target);
        awaitDropped(DropReason.REPLAY, 1);

        assertThat(journal.lines()).containsExactly("silent a2.1", "alive a2.2");
        assertThat(endpoint.vitals().deadCount()).isZero();
    }

    @Test
    void shouldDropAForgedAndAReplayedNewObserver() throws IOException {
        RingMessage asking = two.message(MessageType.NEW_OBSERVER);
        two.send(ScriptedMember.sealed(asking, wrongMac, GUIDS[0]), target);
        awaitDropped(DropReason.MAC, 1);
        one.waiting(MessageType.HEARTBEAT);
        one.await(MessageType.HEARTBEAT);
        assertThat(two.waiting(MessageType.HEARTBEAT)).as("forged").isZero();

        two.send(asking, target);
        two.await(MessageType.HEARTBEAT);
        one.send(one.message(MessageType.NEW_OBSERVER), target);
        one.waiting(MessageType.HEARTBEAT);
        one.await(MessageType.HEARTBEAT);
        two.waiting(MessageType.HEARTBEAT);

        two.send(asking, target);
        awaitDropped(DropReason.REPLAY, 1);
        one.waiting(MessageType.HEARTBEAT);
        one.await(MessageType.HEARTBEAT);
        assertThat(two.waiting(MessageType.HEARTBEAT)).as("replayed").isZero();
    }

    @Test
    void shouldTakeEachHeartbeatOnceFromANetworkThatDoublesAndSwapsThem() throws IOException {
        for (int i = 0; i < 50; i++) {
            byte[] earlier = three.sealed(three.message(MessageType.HEARTBEAT));
            byte[] later = three.sealed(three.message(MessageType.HEARTBEAT));
            for (byte[] bytes : List.of(later, earlier, later, earlier)) {
                three.send(bytes, target);
            }
        }

        awaitDropped(DropReason.REPLAY, 100);
        assertThat(endpoint.counters().received()).isEqualTo(200);
        assertThat(endpoint.counters().dropped()).isEqualTo(100);
    }

    /** Whoever can listen on the way to slot 2 has its genuine heartbeats, and the key of none. */
    @Test
    void shouldDropWhatWasSentToAnotherMember() throws IOException {
        int refused = 0;
        for (long epoch : new long[] {ScriptedMember.EPOCH, ScriptedMember.EPOCH - 1, ScriptedMember.EPOCH + 1}) {
            RingMessage heartbeat = three.message(MessageType.HEARTBEAT);
            heartbeat.epoch = epoch;
            three.send(three.sealedFor(GUIDS[2], heartbeat), target);
            awaitDropped(DropReason.MAC, ++refused);
        }
    }

    /** A sign of life in an epoch that is over counts as often as it was given. */
    @Test
    void shouldTakeADatagramOfAForeignEpochOnce() throws IOException {
        RingMessage asking = two.message(MessageType.NEW_OBSERVER);
        asking.epoch = ScriptedMember.EPOCH + 1;
        two.send(asking, target);
        two.await(MessageType.HEARTBEAT);

        two.send(asking, target);
        awaitDropped(DropReason.REPLAY, 1);
        assertThat(endpoint.counters().dropped(DropReason.EPOCH)).isEqualTo(1);
        two.send(two.sealedFor(GUIDS[1], two.message(MessageType.NEW_OBSERVER)), target);
        awaitDropped(DropReason.MAC, 1);
    }

    /** A restarted member that lost its counter is told, so it must not be taken for a replay. */
    @Test
    void shouldAnswerAnEarlierIncarnationThatTheDetectorKnowsToBeOver() throws IOException {
        RingMessage second = two.message(MessageType.HEARTBEAT);
        second.incarnation = 2;
        two.send(second, target);
        soon().until(() -> journal.lines().contains("alive a2.2"));
        two.waiting(MessageType.ALIVE);

        two.send(two.message(MessageType.HEARTBEAT), target);

        RingMessage answer = two.await(MessageType.ALIVE);
        assertThat(answer.subjectGuid).isEqualTo(0xa2);
        assertThat(answer.subjectIncarnation).isEqualTo(2);
        awaitDropped(DropReason.STALE, 1);
    }

    /** Its last run was heard in another epoch only: that ends the one before in this epoch, too. */
    @Test
    void shouldDropAnEarlierIncarnationWhenALaterOneWasHeardInAnotherEpoch() throws IOException {
        RingMessage later = two.message(MessageType.HEARTBEAT);
        later.epoch = ScriptedMember.EPOCH + 1;
        later.incarnation = 2;
        two.send(later, target);
        awaitDropped(DropReason.EPOCH, 1);

        two.send(two.death(3, 1), target);

        awaitDropped(DropReason.STALE, 1);
        assertThat(journal.lines()).containsExactly("alive a2.2");
    }

    private static ScriptedMember member(int slot) {
        try {
            return new ScriptedMember(slot, GUIDS[slot], KEY, GUIDS[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitDropped(DropReason reason, int count) {
        soon().untilAsserted(
                        () -> assertThat(endpoint.counters().dropped(reason)).isEqualTo(count));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }
}

package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ring over real sockets on loopback. δ is long for a loaded machine; nothing here judges time. */
class RingEndpointTest {
    private static final RingKey KEY = RingKey.random();
    private static final RingRules TIMING =
            RingRules.published(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(1_000));
    private static final int MEMBERS = 16;

    private RingRules rules = TIMING;
    private final List<Member> members = new ArrayList<>();
    private final RingLoop loop = RingLoop.start("ring-test");

    @AfterEach
    void closeAll() {
        members.forEach(member -> member.endpoint.close());
        loop.close();
    }

    @Test
    void shouldTellAllOthersOfAKilledMember() {
        startRing();

        members.get(5).endpoint.close();

        List<Member> others = members.stream().filter(m -> m.slot != 5).toList();
        soon().until(() -> others.stream().allMatch(m -> m.silent.containsKey(guid(5))));
        assertThat(others.stream().filter(m -> m.hopsOf(guid(5)) == 0).map(m -> m.slot))
                .as("its ring neighbour noticed")
                .containsExactly(6);
        assertThat(others).allSatisfy(m -> assertThat(m.silent.keySet()).containsExactly(guid(5)));
    }

    /** The second death travels in copies that name the first one. */
    @Test
    void shouldTellAllOthersOverTheHypercube() {
        rules = new RingRules(TIMING.heartbeatNanos(), TIMING.suspicionNanos(), 0, 0, Overlay.Kind.HYPERCUBE);
        startRing();

        for (int slot : new int[] {5, 11}) {
            members.get(slot).endpoint.close();
            soon().until(() -> members.stream()
                    .filter(m -> m.slot != 5 && m.slot != 11)
                    .allMatch(m -> m.silent.containsKey(guid(slot))));
        }

        assertThat(members).allSatisfy(m -> assertThat(guid(m.slot)).isNotIn(m.silent.keySet()));
        assertThat(members)
                .allSatisfy(m -> assertThat(m.endpoint.counters().dropped(DropReason.LENGTH))
                        .isZero());
    }

    @Test
    void shouldTellAllOthersOfARevocation() {
        startRing();
        members.get(8).endpoint.close();

        members.get(3).endpoint.revoke(2, 1_000);
        members.get(4).endpoint.revoke(2, 999);

        soon().until(() ->
                members.stream().filter(m -> m.slot != 3 && m.slot != 8).allMatch(m -> m.revoked.equals("2.1000")));
        assertThat(members.get(3).revoked).as("who revoked knows").isIn("", "2.1000");
    }

    @Test
    void shouldTakeAPausedMemberBackAfterItRefuted() {
        startRing();
        Member paused = members.get(3);
        paused.endpoint.pause();
        List<Member> others = members.stream().filter(m -> m != paused).toList();
        soon().until(() -> others.stream().allMatch(m -> m.silent.containsKey(guid(3))));

        paused.endpoint.resume();

        soon().until(() -> paused.ownIncarnation > 1);
        soon().until(() -> others.stream().allMatch(m -> m.alive.getOrDefault(guid(3), 0) == paused.ownIncarnation));
        assertThat(paused.endpoint.counters().refutations()).isPositive();
        assertThat(paused.endpoint.counters().dropped(DropReason.PAUSED)).isPositive();
    }

    @Test
    void shouldTakeARestartedMemberBackInANewMembership() {
        startRing();
        Member old = members.get(8);
        old.endpoint.close();
        soon().until(() -> members.stream().filter(m -> m != old).allMatch(m -> m.silent.containsKey(guid(8))));

        members.set(8, new Member(8, 2));
        install(2);

        Member watcher = members.get(9);
        watcher.silent.clear();
        members.get(8).endpoint.close();
        soon().until(() -> watcher.silent.containsKey(guid(8)));
        assertThat(watcher.hopsOf(guid(8)))
                .as("by the watcher, or by one that took it for nobody's while the memberships were mixed")
                .isIn(0, 1);
    }

    /** Its own stop must not make a node accuse the one it watches: what proves that one alive waits in the socket. */
    @Test
    void shouldAccuseNobodyAfterItsLoopWasBlocked() {
        RingLoop blockedLoop = RingLoop.start("ring-test-blocked");
        CountDownLatch released = new CountDownLatch(1);
        try {
            members.add(new Member(0, 1));
            members.add(new Member(1, 1, blockedLoop));
            install(1);
            soon().until(() ->
                    members.stream().allMatch(m -> m.endpoint.counters().received() > 3));
            blockedLoop.execute(() -> awaitRelease(released));
            soon().until(() -> members.get(0).silent.containsKey(guid(1)));

            released.countDown();

            Member blocked = members.get(1);
            soon().until(() -> blocked.ownIncarnation > 1
                    && members.get(0).alive.getOrDefault(guid(1), 0) == blocked.ownIncarnation);
            assertThat(blocked.endpoint.counters().suspicions()).isZero();
        } finally {
            released.countDown();
            blockedLoop.close();
        }
    }

    @Test
    void shouldCountAndDropStrangers() throws IOException {
        startRing();
        RingCounters counters = members.get(0).endpoint.counters();

        try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            send(stranger, new byte[0]);
            send(stranger, new byte[63]);
            send(stranger, new byte[65]);
            send(stranger, new byte[64]);
            send(stranger, heartbeatOf(1));
        }

        soon().until(() -> counters.dropped(DropReason.SOURCE) == 1 && counters.dropped(DropReason.MAGIC) == 1);
        soon().until(() -> counters.dropped(DropReason.LENGTH) >= 2);
        assertThat(members.get(0).silent).isEmpty();
    }

    @Test
    void shouldNameTheAddressItCannotBind() {
        members.add(new Member(0, 1));
        InetSocketAddress taken = members.get(0).endpoint.localAddress();

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> RingEndpoint.bind(loop, taken, 1, 1, KEY, members.get(0)))
                .withMessageContaining("detector socket")
                .withMessageContaining(Integer.toString(taken.getPort()))
                .withMessageContaining("cannot bind UDP");
    }

    @Test
    void shouldRefuseAMembershipThatDoesNotFit() {
        members.add(new Member(0, 1));
        RingEndpoint endpoint = members.get(0).endpoint;
        Membership two = new Membership(1, 1, new long[] {guid(0), guid(1)}, new int[2]);
        List<InetSocketAddress> one = List.of(endpoint.localAddress());
        List<InetSocketAddress> both = List.of(endpoint.localAddress(), endpoint.localAddress());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.install(two, 0, one, TIMING))
                .withMessageContaining("1 addresses, expected one per slot");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.install(two, 1, both, TIMING))
                .withMessageContaining("expected this agent's");
    }

    @Test
    void shouldTakeCallsAfterItsEnd() {
        members.add(new Member(0, 1));
        RingEndpoint endpoint = members.get(0).endpoint;
        endpoint.close();
        loop.close();

        endpoint.install(
                new Membership(1, 1, new long[] {guid(0)}, new int[1]), 0, List.of(endpoint.localAddress()), TIMING);
        endpoint.pause();
        endpoint.resume();
        endpoint.close();

        assertThat(endpoint.counters().sent()).isZero();
    }

    private static void awaitRelease(CountDownLatch released) {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All members installed and heartbeats arriving at each. */
    private void startRing() {
        IntStream.range(0, MEMBERS).forEach(slot -> members.add(new Member(slot, 1)));
        install(1);
        soon().until(() -> members.stream().allMatch(m -> m.endpoint.counters().received() > 3));
    }

    private void install(long epoch) {
        long[] guids = LongStream.range(0, members.size())
                .map(slot -> guid((int) slot))
                .toArray();
        int[] incarnations = members.stream().mapToInt(m -> m.ownIncarnation).toArray();
        Membership membership = new Membership(epoch, 1, guids, incarnations);
        List<InetSocketAddress> addresses =
                members.stream().map(m -> m.endpoint.localAddress()).toList();
        members.forEach(m -> m.endpoint.install(membership, m.slot, addresses, rules));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }

    private static long guid(int slot) {
        return 0xB000L + slot;
    }

    private void send(DatagramSocket from, byte[] bytes) throws IOException {
        from.send(
                new DatagramPacket(bytes, bytes.length, members.get(0).endpoint.localAddress()));
    }

    private static byte[] heartbeatOf(int slot) {
        RingMessage message = new RingMessage();
        message.cluster = 1;
        message.epoch = 1;
        message.fromSlot = slot;
        message.senderGuid = guid(slot);
        message.incarnation = 1;
        message.hops = 1;
        ByteBuffer bytes = ByteBuffer.allocate(Datagram.LENGTH);
        Datagram.write(message, KEY.newMac(), guid(0), bytes);
        return bytes.array();
    }

    private final class Member implements RingEndpoint.Listener {
        final int slot;
        final Map<Long, Integer> silent = new ConcurrentHashMap<>();
        final Map<Long, Integer> alive = new ConcurrentHashMap<>();
        final RingEndpoint endpoint;
        volatile int ownIncarnation;
        volatile String revoked = "";

        Member(int slot, int incarnation) {
            this(slot, incarnation, loop);
        }

        Member(int slot, int incarnation, RingLoop loop) {
            this.slot = slot;
            this.ownIncarnation = incarnation;
            this.endpoint = RingEndpoint.bind(
                    loop,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    guid(slot),
                    incarnation,
                    KEY,
                    this);
        }

        int hopsOf(long guid) {
            return silent.getOrDefault(guid, -1);
        }

        @Override
        public void onSilent(long subjectGuid, int incarnation, long observerGuid, long silenceNanos, int hops) {
            silent.put(subjectGuid, hops);
        }

        @Override
        public void onAlive(long subjectGuid, int incarnation, int hops) {
            alive.put(subjectGuid, incarnation);
        }

        @Override
        public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
            revoked = leaderEpoch + "." + fabricEpoch;
        }

        @Override
        public void onDeaf(boolean deaf) {}

        @Override
        public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {}

        @Override
        public void onOwnIncarnation(int incarnation) {
            ownIncarnation = incarnation;
        }
    }
}

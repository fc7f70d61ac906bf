package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a heartbeat leaves to the garbage collector, as the thread's own count of bytes says. */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MEMBERS = 16;
    private static final RingKey KEY = RingKey.random();

    /** The timer and its entry, and twice that, for what a collector, a compiler or a late class adds. */
    private static final long HEARTBEAT_BYTES = 100;

    @Test
    void shouldAllocateNothingBetweenTheMessageAndItsBytes() {
        RingMessage message = new RingMessage();
        message.incarnation = 1;
        message.senderGuid = 0xA1;
        DatagramMac mac = KEY.newMac();
        ReplayWindows windows = new ReplayWindows();
        ByteBuffer bytes = ByteBuffer.allocateDirect(Datagram.LENGTH_MAX);
        carry(message, mac, windows, bytes, 20_000);

        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        int accepted = carry(message, mac, windows, bytes, 20_000);
        long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        assertThat(accepted).isEqualTo(20_000);
        assertThat(allocated).as("bytes for 20,000 datagrams").isLessThan(20_000);
    }

    private static int carry(RingMessage message, DatagramMac mac, ReplayWindows windows, ByteBuffer bytes, int count) {
        int accepted = 0;
        for (int i = 0; i < count; i++) {
            message.type = MessageType.HEARTBEAT;
            message.sequence++;
            bytes.clear();
            Datagram.write(message, mac, 0xB1, bytes);
            boolean isRead = Datagram.read(bytes.flip(), mac, 0xB1, message) == null;
            boolean isNew = windows.admit(message.senderGuid, message.incarnation, message.sequence)
                    == ReplayWindows.Standing.NEW;
            accepted += isRead && isNew ? 1 : 0;
        }
        return accepted;
    }

    @Test
    void shouldAllocateNothingButATimerForAHeartbeat() {
        RingLoop loop = RingLoop.start("ring-test-allocation");
        List<RingEndpoint> ring = start(loop);
        try {
            awaitHeartbeats(ring, 20_000);
            long thread = idOf("ring-test-allocation");
            long heartbeats = received(ring);
            long before = THREADS.getThreadAllocatedBytes(thread);

            awaitHeartbeats(ring, heartbeats + 5_000);

            long allocated = THREADS.getThreadAllocatedBytes(thread) - before;
            assertThat(allocated / (received(ring) - heartbeats))
                    .as("bytes per heartbeat sent and received")
                    .isBetween(1L, HEARTBEAT_BYTES);
        } finally {
            ring.forEach(RingEndpoint::close);
            loop.close();
        }
    }

    private static long idOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findAny()
                .orElseThrow()
                .getId();
    }

    private static List<RingEndpoint> start(RingLoop loop) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        long[] guids = LongStream.range(0xA0, 0xA0 + MEMBERS).toArray();
        List<RingEndpoint> ring = LongStream.of(guids)
                .mapToObj(guid -> RingEndpoint.bind(loop, any, guid, 1, KEY, new RingJournal()))
                .toList();
        int[] incarnations = new int[MEMBERS];
        Arrays.fill(incarnations, 1);
        Membership membership = new Membership(1, 1, guids, incarnations);
        List<InetSocketAddress> addresses =
                ring.stream().map(RingEndpoint::localAddress).toList();
        RingRules rules = RingRules.published(TimeUnit.MILLISECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(60));
        for (int slot = 0; slot < MEMBERS; slot++) {
            ring.get(slot).install(membership, slot, addresses, rules);
        }
        return ring;
    }

    private static void awaitHeartbeats(List<RingEndpoint> ring, long count) {
        await().atMost(Duration.ofMinutes(1)).until(() -> received(ring) >= count);
    }

    private static long received(List<RingEndpoint> ring) {
        return ring.stream().mapToLong(e -> e.counters().received()).sum();
    }
}

package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What waits in the socket of a loop that was stopped is read one by one, and nothing of one is seen in the next. */
class BurstTest {
    private static final RingRules RULES =
            RingRules.published(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MINUTES.toNanos(10));
    private static final RingKey KEY = RingKey.random();
    private static final long ROUNDS = 20;

    /** Datagrams of these lengths are none of the ring's, or not of a heartbeat's length. */
    private static final int[] WRONG_LENGTHS = {0, 1, 63, 65, 68, Datagram.LENGTH_MAX, Datagram.LENGTH_MAX + 1, 1400};

    @Test
    void shouldReadEachDatagramOfABurstWithItsOwnLength() throws IOException {
        RingLoop loop = RingLoop.start("ring-test");
        CountDownLatch released = new CountDownLatch(1);
        try (ScriptedMember member = new ScriptedMember(1, 0xA1, KEY, 0xA0);
                RingEndpoint endpoint = bind(loop)) {
            endpoint.install(
                    new Membership(
                            ScriptedMember.EPOCH, ScriptedMember.CLUSTER, new long[] {0xA0, 0xA1}, new int[] {1, 1}),
                    0,
                    List.of(endpoint.localAddress(), member.address()),
                    RULES);
            member.await(MessageType.HEARTBEAT);
            loop.execute(() -> awaitRelease(released));

            for (int round = 0; round < ROUNDS; round++) {
                member.send(member.message(MessageType.HEARTBEAT), endpoint.localAddress());
                sendWrongLengths(member, endpoint);
            }
            released.countDown();

            awaitReceived(endpoint, ROUNDS * (1 + WRONG_LENGTHS.length));
            assertThat(endpoint.counters().dropped(DropReason.LENGTH)).isEqualTo(ROUNDS * (WRONG_LENGTHS.length - 2));
            assertThat(endpoint.counters().dropped(DropReason.MAGIC))
                    .as("68 and 125 zeros")
                    .isEqualTo(ROUNDS * 2);
            assertThat(endpoint.counters().dropped()).isEqualTo(ROUNDS * WRONG_LENGTHS.length);
        } finally {
            released.countDown();
            loop.close();
        }
    }

    private static void sendWrongLengths(ScriptedMember member, RingEndpoint endpoint) throws IOException {
        for (int length : WRONG_LENGTHS) {
            member.send(new byte[length], endpoint.localAddress());
        }
    }

    private static void awaitReceived(RingEndpoint endpoint, long count) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(endpoint.counters().received()).isEqualTo(count));
    }

    private static RingEndpoint bind(RingLoop loop) {
        return RingEndpoint.bind(
                loop, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0xA0, 1, KEY, new RingJournal());
    }

    private static void awaitRelease(CountDownLatch released) {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

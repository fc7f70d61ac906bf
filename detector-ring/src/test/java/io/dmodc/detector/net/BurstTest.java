package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingRules;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What waits in the socket of a loop that was stopped: with epoll it is read by recvmmsg, some at a time. */
class BurstTest {
    private static final RingRules RULES =
            RingRules.published(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MINUTES.toNanos(10));
    private static final RingKey KEY = RingKey.random();
    private static final long ROUNDS = 20;

    /** Datagrams of these lengths are none of the ring's, or not of a heartbeat's length. */
    private static final int[] WRONG_LENGTHS = {0, 1, 63, 65, 68, Datagram.LENGTH_MAX, Datagram.LENGTH_MAX + 1, 1400};

    enum Transport {
        EPOLL,
        NIO
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldReadEachDatagramOfABurstWithItsOwnLength(Transport transport) throws IOException {
        EventLoopGroup group = group(transport);
        CountDownLatch released = new CountDownLatch(1);
        try (ScriptedMember member = new ScriptedMember(1, 0xA1, KEY, 0xA0);
                RingEndpoint endpoint = bind(group)) {
            endpoint.install(
                    new Membership(
                            ScriptedMember.EPOCH, ScriptedMember.CLUSTER, new long[] {0xA0, 0xA1}, new int[] {1, 1}),
                    0,
                    List.of(endpoint.localAddress(), member.address()),
                    RULES);
            member.await(MessageType.HEARTBEAT);
            group.execute(() -> awaitRelease(released));

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
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
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

    private static RingEndpoint bind(EventLoopGroup group) {
        return RingEndpoint.bind(
                group, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0xA0, 1, KEY, new RingJournal());
    }

    private static EventLoopGroup group(Transport transport) {
        if (transport == Transport.NIO) {
            return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        }
        Assumptions.assumeTrue(Epoll.isAvailable(), "epoll is Linux's");
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    private static void awaitRelease(CountDownLatch released) {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

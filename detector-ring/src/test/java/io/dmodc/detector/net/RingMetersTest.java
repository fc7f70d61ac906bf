package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RingMetersTest {
    private static final RingKey KEY = RingKey.random();

    @Test
    void shouldShowEachCountAndHowTheEndpointStands() throws IOException {
        RingLoop loop = RingLoop.start("ring-test");
        MeterRegistry registry = new SimpleMeterRegistry();
        try (ScriptedMember member = new ScriptedMember(1, 0xA1, KEY, 0xA0);
                RingEndpoint endpoint = RingEndpoint.bind(
                        loop,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        0xA0,
                        1,
                        KEY,
                        new RingJournal())) {
            new RingMeters(endpoint, List.of(Tag.of("switch", "a0"))).bindTo(registry);
            assertThat(value(registry, "state", "state", "alone")).isOne();
            assertThat(value(registry, "suspicion.level")).isZero();

            join(endpoint, member);
            RingMessage heartbeat = member.message(MessageType.HEARTBEAT);
            heartbeat.nonce = member.await(MessageType.NEW_OBSERVER).nonce;
            member.send(heartbeat, endpoint.localAddress());
            member.send(new byte[64], endpoint.localAddress());
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> endpoint.counters().received() == 2);
            endpoint.close();

            assertThat(value(registry, "received")).isEqualTo(2);
            assertThat((long) value(registry, "sent"))
                    .isEqualTo(endpoint.counters().sent())
                    .isPositive();
            for (DropReason reason : DropReason.values()) {
                assertThat(value(registry, "dropped", "reason", reason.name().toLowerCase(Locale.ROOT)))
                        .isEqualTo(reason == DropReason.MAGIC ? 1 : 0);
            }
            assertThat(value(registry, "state", "state", "watching")).isOne();
            assertThat(value(registry, "state", "state", "asking")).isZero();
            assertThat(value(registry, "suspicion.level"))
                    .isCloseTo(0.05, within(0.05))
                    .isPositive();
            for (String zero : List.of(
                    "send.failures", "suspicions", "refutations", "vouched", "late.wake.ups", "self.score", "dead")) {
                assertThat(value(registry, zero)).as(zero).isZero();
            }
        } finally {
            loop.close();
        }
    }

    /** η and δ so long that even a slow machine sees a level near 0 and no late wake-up. */
    private static void join(RingEndpoint endpoint, ScriptedMember member) {
        endpoint.install(
                new Membership(ScriptedMember.EPOCH, ScriptedMember.CLUSTER, new long[] {0xA0, 0xA1}, new int[] {1, 1}),
                0,
                List.of(endpoint.localAddress(), member.address()),
                RingRules.published(TimeUnit.MINUTES.toNanos(1), TimeUnit.MINUTES.toNanos(10)));
    }

    private static double value(MeterRegistry registry, String name, String... tags) {
        return registry.get("dmodc.ring." + name)
                .tag("switch", "a0")
                .tags(tags)
                .meters()
                .iterator()
                .next()
                .measure()
                .iterator()
                .next()
                .getValue();
    }
}

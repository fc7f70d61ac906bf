package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandshakeLimitTest {
    private static final InetAddress ONE = address("10.0.0.1/32");
    private static final InetAddress OTHER = address("10.0.0.2/32");
    private static final long LATER = HandshakeLimit.PERIOD_NANOS;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HandshakeLimit limit = new HandshakeLimit();

    private static InetAddress address(String network) {
        return Network.parse(network).address();
    }

    private static InetAddress inNetwork(int host) {
        return address("fd00::" + Integer.toHexString(host) + "/128");
    }

    private void fail(InetAddress from, int times, long nowNanos) {
        IntStream.range(0, times).forEach(i -> limit.failed(from, nowNanos));
    }

    @Test
    void shouldHaveAnAddressStandInLineUntilItsWhileIsOver() {
        fail(ONE, HandshakeLimit.FAILURES - 1, 0);
        assertThat(limit.delayNanos(ONE, 0)).isZero();
        assertThat(limit.delayNanos(ONE, 0)).isZero();
        fail(ONE, 1, LATER - 1);

        assertThat(limit.delayNanos(ONE, LATER - 1)).as("the first of the line").isZero();
        assertThat(limit.delayNanos(ONE, LATER - 1)).isEqualTo(HandshakeLimit.PACE_NANOS);
        assertThat(limit.delayNanos(ONE, LATER - 1)).isEqualTo(2 * HandshakeLimit.PACE_NANOS);
        assertThat(limit.delayNanos(OTHER, LATER - 1)).isZero();
        assertThat(limit.delayNanos(ONE, LATER)).isZero();
        assertThat(limit.delayNanos(ONE, LATER)).isZero();
    }

    /** A host that fails eighty times a second beside an agent used to close the door to both for good. */
    @Test
    void shouldLetAnAgentInBesideAHostOfItsAddressThatFails() {
        assertThat(agentsLetIn(80)).as("of 60 tries").isEqualTo(60);
        assertThat(agentsLetIn(400))
                .as("of 60 tries, four times as many as begin")
                .isBetween(5, 20);
    }

    /** One tries each second, beside about so many that fail in it. */
    private static int agentsLetIn(int failing) {
        HandshakeLimit limit = new HandshakeLimit();
        RandomGenerator random = new Random(20261123);
        int in = 0;
        long now = 0;
        for (int second = 1; second <= 60; second++) {
            long at = second * SECOND + random.nextLong(SECOND / 2);
            for (; now < at; now += random.nextLong(2 * SECOND / failing)) {
                if (limit.delayNanos(ONE, now) != HandshakeLimit.TURN_AWAY) {
                    limit.failed(ONE, now);
                }
            }
            long wait = limit.delayNanos(ONE, at);
            assertThat(wait).isLessThanOrEqualTo(HandshakeLimit.WAIT_NANOS);
            in += wait == HandshakeLimit.TURN_AWAY ? 0 : 1;
        }
        return in;
    }

    @Test
    void shouldBeginSoManyHandshakesASecondHoweverManyCome() {
        fail(ONE, HandshakeLimit.FAILURES, 0);
        int begun = 0;

        for (int i = 0; i < 10_000; i++) {
            if (limit.delayNanos(ONE, i * (SECOND / 10_000)) != HandshakeLimit.TURN_AWAY) {
                begun++;
            }
        }

        long within = (SECOND + HandshakeLimit.WAIT_NANOS) / HandshakeLimit.PACE_NANOS;
        assertThat(begun).isBetween((int) within - 1, (int) within + 2);
    }

    @Test
    void shouldNotTakeAnIpv6NetworkForOneHostUntilFarMoreOfItFailed() {
        fail(inNetwork(1), HandshakeLimit.FAILURES, 0);
        limit.delayNanos(inNetwork(1), 0);
        assertThat(limit.delayNanos(inNetwork(1), 0)).isPositive();
        limit.delayNanos(inNetwork(2), 0);
        assertThat(limit.delayNanos(inNetwork(2), 0)).as("another host").isZero();

        for (int i = 0; i < HandshakeLimit.NETWORK_FAILURES; i++) {
            fail(inNetwork(3 + i), 1, 0);
        }
        limit.delayNanos(inNetwork(2), 0);

        assertThat(limit.delayNanos(inNetwork(2), 0)).isEqualTo(HandshakeLimit.NETWORK_PACE_NANOS);
        assertThat(limit.delayNanos(address("fd00:0:0:1::1/128"), 0))
                .as("another network")
                .isZero();
    }

    @Test
    void shouldForgetTheAddressThatBeganFirstWhenThereAreTooMany() {
        fail(ONE, HandshakeLimit.FAILURES, 0);
        for (int i = 0; i < 4095; i++) {
            limit.failed(address("10.1." + i / 256 + "." + i % 256 + "/32"), 1);
        }
        limit.delayNanos(ONE, 1);
        assertThat(limit.delayNanos(ONE, 1)).isPositive();

        limit.failed(OTHER, 1);

        assertThat(limit.delayNanos(ONE, 1)).isZero();
    }
}

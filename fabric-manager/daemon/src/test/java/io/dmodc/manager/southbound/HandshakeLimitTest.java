package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandshakeLimitTest {
    private static final InetAddress ONE = Network.parse("10.0.0.1/32").address();
    private static final InetAddress OTHER = Network.parse("10.0.0.2/32").address();
    private static final long LATER = HandshakeLimit.PERIOD_NANOS;

    private final HandshakeLimit limit = new HandshakeLimit();

    private void fail(InetAddress from, int times, long nowNanos) {
        IntStream.range(0, times).forEach(i -> limit.failed(from, nowNanos));
    }

    @Test
    void shouldTurnAnAddressAwayUntilItsWhileIsOver() {
        fail(ONE, HandshakeLimit.FAILURES - 1, 0);
        assertThat(limit.admits(ONE, 0)).isTrue();
        fail(ONE, 1, LATER - 1);

        assertThat(limit.admits(ONE, LATER - 1)).isFalse();
        assertThat(limit.admits(OTHER, LATER - 1)).isTrue();
        assertThat(limit.admits(ONE, LATER)).isTrue();
        fail(ONE, HandshakeLimit.FAILURES, LATER);
        assertThat(limit.admits(ONE, LATER)).isFalse();
    }

    @Test
    void shouldTakeANetworkOfIpv6ForOneHost() {
        fail(Network.parse("fd00::1/128").address(), HandshakeLimit.FAILURES, 0);

        assertThat(limit.admits(Network.parse("fd00::ffff:2/128").address(), 0)).isFalse();
        assertThat(limit.admits(Network.parse("fd00:0:0:1::1/128").address(), 0))
                .isTrue();
    }

    @Test
    void shouldForgetTheAddressThatBeganFirstWhenThereAreTooMany() {
        fail(ONE, HandshakeLimit.FAILURES, 0);
        for (int i = 0; i < 4095; i++) {
            limit.failed(
                    Network.parse("10.1." + i / 256 + "." + i % 256 + "/32").address(), 1);
        }
        assertThat(limit.admits(ONE, 1)).isFalse();

        limit.failed(OTHER, 1);

        assertThat(limit.admits(ONE, 1)).isTrue();
    }
}

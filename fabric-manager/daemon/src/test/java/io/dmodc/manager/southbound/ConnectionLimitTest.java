package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    private static final int MAX = 16_384;
    private static final int PER_ADDRESS = 64;
    private static final long GRACE = ConnectionLimit.GRACE_NANOS;

    private final ConnectionLimit<Integer> limit = new ConnectionLimit<>(MAX, PER_ADDRESS);
    private int last;

    private static InetAddress v4(int host) {
        return Network.parse("10.0." + host / 256 + "." + host % 256 + "/32").address();
    }

    private static InetAddress v6(int network, int host) {
        return Network.parse("fd00:0:0:" + Integer.toHexString(network) + "::" + Integer.toHexString(host) + "/128")
                .address();
    }

    private ConnectionLimit.Entry<Integer> enter(InetAddress from, long now) {
        return limit.enter(++last, from, true, now);
    }

    private void assertIn(ConnectionLimit.Entry<Integer> entry, int leaver) {
        assertThat(entry.refusal()).isNull();
        assertThat(entry.leaver()).isEqualTo(leaver);
    }

    @Test
    void shouldLetANewcomerOfAnAddressTakeThePlaceOfTheOneThatShowsNothingTheLongest() {
        for (int i = 0; i < PER_ADDRESS; i++) {
            assertThat(enter(v4(1), i).refusal()).isNull();
        }
        assertThat(enter(v4(1), GRACE - 1).refusal()).isEqualTo("all 64 sessions of one address are taken");
        assertThat(enter(v4(2), GRACE - 1).refusal()).isNull();

        assertIn(enter(v4(1), GRACE), 1);
        assertThat(enter(v4(1), GRACE).refusal()).isNotNull();
        limit.left(1);
        assertThat(enter(v4(1), GRACE).refusal())
                .as("who made room has no place to give back")
                .isNotNull();
        assertIn(enter(v4(1), GRACE + 1), 2);
    }

    @Test
    void shouldNeverTakeThePlaceOfOneThatHasShownItsCertificate() {
        for (int i = 1; i <= PER_ADDRESS; i++) {
            enter(v4(1), 0);
            limit.proved(i);
        }

        assertThat(enter(v4(1), 100 * GRACE).refusal()).isEqualTo("all 64 sessions of one address are taken");
        limit.left(7);
        assertThat(enter(v4(1), 100 * GRACE).refusal()).isNull();
    }

    /** 257 addresses of one network, 64 connections each, used to take all there are. */
    @Test
    void shouldNotLetAnIpv6NetworkTakeMoreThanItsPartWithoutACertificate() {
        int in = 0;
        for (int i = 0; i < 257 * PER_ADDRESS; i++) {
            in += enter(v6(1, i / PER_ADDRESS), 0).refusal() == null ? 1 : 0;
        }

        assertThat(in).isEqualTo(ConnectionLimit.NETWORK_MAX);
        assertThat(enter(v6(1, 9999), 0).refusal())
                .isEqualTo("1024 connections of one IPv6 network show no certificate");
        assertThat(enter(v6(2, 1), 0).refusal()).isNull();
        assertIn(enter(v6(1, 9999), GRACE), 1);
    }

    @Test
    void shouldKeepThreeQuartersForThoseThatHaveShownACertificate() {
        for (int i = 0; i < MAX / 4; i++) {
            assertThat(enter(v4(i), 0).refusal()).isNull();
        }
        assertThat(enter(v4(9999), 0).refusal()).isEqualTo("4096 connections show no certificate");

        for (int i = 1; i <= MAX / 4; i++) {
            limit.proved(i);
        }
        for (int i = MAX / 4; i < MAX; i++) {
            assertThat(enter(v4(i), 0).refusal()).isNull();
            limit.proved(last);
        }
        assertThat(enter(v4(20_000), GRACE).refusal()).isEqualTo("all 16384 sessions are taken");
    }
}

package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ForeignSourcesTest {
    private final ForeignSources sources = new ForeignSources();

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void shouldTellOnceWhatGoesOn() {
        sources.restart(100);

        assertThat(sources.isNews(7, at(1), 0)).isFalse();
        assertThat(sources.isNews(7, at(1), 99)).isFalse();
        assertThat(sources.isNews(7, at(1), 100)).isTrue();
        assertThat(sources.isNews(7, at(1), 500)).isFalse();
        assertThat(sources.isNews(7, at(2), 500)).as("another address").isFalse();
        assertThat(sources.isNews(7, at(2), 600)).isTrue();
    }

    @Test
    void shouldBeginAnewWithEachMembership() {
        sources.restart(100);
        sources.isNews(7, at(1), 0);
        sources.isNews(7, at(1), 100);
        sources.restart(100);

        assertThat(sources.isNews(7, at(1), 200)).isFalse();
        assertThat(sources.isNews(7, at(1), 300)).isTrue();
    }

    @Test
    void shouldKeepABoundedNumber() {
        sources.restart(100);
        int told = 0;
        for (int round = 0; round < 3; round++) {
            for (int guid = 1; guid <= 100; guid++) {
                told += sources.isNews(guid, at(1), 100L * round) ? 1 : 0;
            }
        }

        assertThat(told).isEqualTo(ForeignSources.KEPT_MAX);
    }
}

package io.dmodc.southbound.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.keys.Authority;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What BoringSSL holds for keys that were replaced is freed with their last connection, and not when the collector comes by. */
class TlsContextsTest {
    private static final int RENEWALS = 25 * Integer.getInteger("more", 1);

    private final Instant now = Instant.now();
    private final Authority authority = Authority.create("site", now);
    private final TlsKeys some = authority.forManager(List.of("127.0.0.1"), now, Duration.ofDays(1));
    private final TlsKeys others = authority.forManager(List.of("127.0.0.1"), now, Duration.ofDays(2));
    private final AtomicReference<TlsKeys> keys = new AtomicReference<>(some);
    private final TlsEndpoint endpoint = TlsEndpoint.ofManager(keys::get).with(SslProvider.OPENSSL);

    @BeforeEach
    void needBoringSsl() {
        assumeTrue(OpenSsl.isAvailable(), "BoringSSL cannot be loaded");
    }

    private void renew() {
        keys.set(some.equals(keys.get()) ? others : some);
    }

    private EmbeddedChannel connected() throws SSLException {
        return new EmbeddedChannel(endpoint.accepted(UnpooledByteBufAllocator.DEFAULT));
    }

    @Test
    void shouldFreeAllContextsButTheNewestWhenNobodyIsConnected() throws SSLException {
        List<SslContext> made = new ArrayList<>();
        for (int i = 0; i < RENEWALS; i++) {
            connected().finishAndReleaseAll();
            made.add(endpoint.context());
            renew();
        }
        connected().finishAndReleaseAll();

        assertThat(made).doesNotHaveDuplicates();
        assertThat(made)
                .allSatisfy(context ->
                        assertThat(ReferenceCountUtil.refCnt(context)).isZero());
        assertThat(ReferenceCountUtil.refCnt(endpoint.context())).isEqualTo(1);
    }

    @Test
    void shouldKeepAContextAsLongAsOneOfItsConnections() throws SSLException {
        EmbeddedChannel first = connected();
        EmbeddedChannel second = connected();
        SslContext before = endpoint.context();
        assertThat(ReferenceCountUtil.refCnt(before)).isEqualTo(3);

        renew();
        EmbeddedChannel ofNewKeys = connected();

        assertThat(ReferenceCountUtil.refCnt(before)).isEqualTo(2);
        first.finishAndReleaseAll();
        assertThat(ReferenceCountUtil.refCnt(before)).isEqualTo(1);
        second.finishAndReleaseAll();
        assertThat(ReferenceCountUtil.refCnt(before)).isZero();
        ofNewKeys.finishAndReleaseAll();
    }

    @Test
    void shouldMakeAnotherContextOnlyOfOtherKeys() throws SSLException {
        SslContext first = endpoint.context();

        connected().finishAndReleaseAll();

        assertThat(endpoint.context()).isSameAs(first);
    }
}

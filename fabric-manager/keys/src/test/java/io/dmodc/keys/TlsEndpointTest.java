package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.southbound.Transport;
import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsHandshake;
import io.dmodc.southbound.tls.TlsKeys;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a manager and an agent think of each other after a handshake over a socket. */
class TlsEndpointTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final long PATIENCE_SECONDS = 30;

    private final Instant now = Instant.now();
    private final Authority authority = Authority.create("site", now);
    private final Authority stranger = Authority.create("site", now);
    private final TlsKeys manager = authority.forManager(List.of("127.0.0.1"), now, DAY);
    private final TlsKeys leaf = authority.forSwitch(0x10, now, DAY);
    private final EventLoopGroup loops = Transport.best().group(1, "tls");
    private final Told atManager = new Told();
    private final Told atAgent = new Told();

    /** An outcome as text: the switches of the peer, or why there is none. */
    private static final class Told implements TlsHandshake.Outcome {
        private final CompletableFuture<String> outcome = new CompletableFuture<>();

        @Override
        public void proved(X509Certificate peer) {
            outcome.complete(peer.getSubjectX500Principal().getName() + " " + CertificateNames.of(peer));
        }

        @Override
        public void failed(String why) {
            outcome.complete("failed: " + why);
        }

        String get() throws Exception {
            return outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private InetSocketAddress listen(TlsKeys own) {
        TlsEndpoint endpoint = TlsEndpoint.ofManager(() -> own);
        Channel listener = new ServerBootstrap()
                .group(loops)
                .channel(Transport.best().server())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel accepted) throws SSLException {
                        TlsHandshake.begin(accepted.pipeline(), endpoint.accepted(accepted.alloc()), atManager);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        return (InetSocketAddress) listener.localAddress();
    }

    /** @param own null: clear text */
    private Channel connect(InetSocketAddress address, @Nullable TlsKeys own, String host) {
        return new Bootstrap()
                .group(loops)
                .channel(Transport.best().client())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel connecting) throws SSLException {
                        if (own != null) {
                            TlsHandshake.begin(
                                    connecting.pipeline(),
                                    TlsEndpoint.ofAgent(() -> own).to(host, address.getPort(), connecting.alloc()),
                                    atAgent);
                        }
                    }
                })
                .connect(address)
                .syncUninterruptibly()
                .channel();
    }

    @Test
    void shouldHaveEachKnowTheOther() throws Exception {
        connect(listen(manager), leaf, "127.0.0.1");

        assertThat(atAgent.get()).isEqualTo("CN=fabric manager []");
        assertThat(atManager.get()).isEqualTo("CN=switch 0x0000000000000010 [16]");
    }

    @Test
    void shouldHaveTheAgentLeaveAManagerOfAnotherName() throws Exception {
        connect(listen(authority.forManager(List.of("fm9", "10.0.0.9"), now, DAY)), leaf, "127.0.0.1");

        assertThat(atAgent.get()).startsWith("failed: ").contains("127.0.0.1");
        assertThat(atManager.get()).startsWith("failed: ");
    }

    @Test
    void shouldHaveTheAgentLeaveAManagerOfAnotherAuthority() throws Exception {
        connect(listen(stranger.forManager(List.of("127.0.0.1"), now, DAY)), leaf, "127.0.0.1");

        assertThat(atAgent.get()).startsWith("failed: ");
        assertThat(atManager.get()).startsWith("failed: ");
    }

    @Test
    void shouldHaveTheAgentLeaveASwitchThatPassesForAManager() throws Exception {
        connect(listen(authority.forSwitch(0x11, now, DAY)), leaf, "127.0.0.1");

        assertThat(atAgent.get()).startsWith("failed: ");
        assertThat(atManager.get()).startsWith("failed: ");
    }

    @Test
    void shouldHaveTheManagerRefuseAnAgentOfAnotherAuthority() throws Exception {
        TlsKeys strange = stranger.forSwitch(0x10, now, DAY);
        TlsKeys trusting = new TlsKeys(strange.chain(), strange.privateKey(), leaf.authorities());

        connect(listen(manager), trusting, "127.0.0.1");

        assertThat(atManager.get()).startsWith("failed: ");
    }

    @Test
    void shouldNotTakeClearTextForMoreThanItIs() throws Exception {
        Channel plain = connect(listen(manager), null, "127.0.0.1");

        plain.writeAndFlush(Unpooled.copiedBuffer("\0\0\0\4 hello, I am a switch", StandardCharsets.US_ASCII));

        assertThat(atManager.get()).isEqualTo("failed: what came is not TLS");
    }
}

package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.southbound.Transport;
import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsHandshake;
import io.dmodc.southbound.tls.TlsKeys;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a manager and an agent think of each other after a handshake over a socket: with the JDK's TLS, which serves where BoringSSL
 * cannot be loaded, at one side, the other, or both.
 */
@ParameterizedClass
@CsvSource({"JDK, JDK", "OPENSSL, JDK", "JDK, OPENSSL"})
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
    private final SslProvider ofManager;
    private final SslProvider ofAgent;

    TlsEndpointTest(SslProvider ofManager, SslProvider ofAgent) {
        this.ofManager = ofManager;
        this.ofAgent = ofAgent;
    }

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

    @BeforeEach
    void needWhatIsTried() {
        assumeTrue(
                OpenSsl.isAvailable() || (ofManager == SslProvider.JDK && ofAgent == SslProvider.JDK),
                "BoringSSL cannot be loaded: only the JDK's TLS is tried");
    }

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private InetSocketAddress listen(TlsKeys own) {
        return listen(TlsEndpoint.ofManager(() -> own).with(ofManager));
    }

    private InetSocketAddress listen(TlsEndpoint endpoint) {
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
                                    TlsEndpoint.ofAgent(() -> own)
                                            .with(ofAgent)
                                            .to(host, address.getPort(), connecting.alloc()),
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
        if (ofAgent == SslProvider.JDK) {
            assertThat(atManager.get())
                    .isEqualTo("failed: the other side does not accept the certificate of this one"
                            + " (alert certificate_unknown)");
        } else {
            assertThat(atManager.get())
                    .as("BoringSSL tells the other side no more; JDKs since 17.0.21 name the alert before it, too")
                    .matches("failed: (\\(internal_error\\) )?Received fatal alert: internal_error");
        }
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
    void shouldHaveTheManagerRefuseAnAgentWithoutACertificate() throws Exception {
        InetSocketAddress address = listen(manager);
        SslContext nobody = SslContextBuilder.forClient()
                .sslProvider(ofAgent)
                .protocols("TLSv1.3")
                .trustManager(leaf.authorities().toArray(X509Certificate[]::new))
                .build();

        new Bootstrap()
                .group(loops)
                .channel(Transport.best().client())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel connecting) {
                        connecting.pipeline().addLast(nobody.newHandler(connecting.alloc()));
                    }
                })
                .connect(address)
                .syncUninterruptibly();

        assertThat(atManager.get()).startsWith("failed: ");
        ReferenceCountUtil.release(nobody);
    }

    private TlsKeys odd(String subject, @Nullable KeyPurposeId purpose, List<GeneralName> names) throws Exception {
        return OddKeys.issued(
                authority, OddKeys.pair("secp256r1"), subject, purpose, names, now.minus(Duration.ofHours(1)));
    }

    @Test
    void shouldHaveTheManagerRefuseACertificateThatIsForNothing() throws Exception {
        GeneralName name = new GeneralName(GeneralName.uniformResourceIdentifier, CertificateNames.uri(0x10));

        connect(listen(manager), odd("leaf", null, List.of(name)), "127.0.0.1");

        assertThat(atManager.get()).isEqualTo("failed: the certificate is not for TLS clients (extended key usage)");
    }

    @Test
    void shouldHaveTheAgentLeaveAManagerThatOnlyItsSubjectNames() throws Exception {
        connect(listen(odd("localhost", KeyPurposeId.id_kp_serverAuth, List.of())), leaf, "localhost");

        assertThat(atAgent.get())
                .isEqualTo("failed: the certificate names no host (subject alternative names), expected localhost");
    }

    @Test
    void shouldFindASwitchInAWholeNameOnly() throws Exception {
        GeneralName tooShort = new GeneralName(GeneralName.uniformResourceIdentifier, "urn:fabric:switch:0x10");

        assertThat(CertificateNames.of(odd("leaf", KeyPurposeId.id_kp_clientAuth, List.of(tooShort))
                        .own()))
                .isEmpty();
    }

    @Test
    void shouldSayThatACertificateIsOverAndWhatTimeItIs() throws Exception {
        connect(listen(manager), authority.forSwitch(0x10, now.minus(Duration.ofDays(9)), DAY), "127.0.0.1");

        assertThat(atManager.get())
                .startsWith("failed: a certificate is over (NotAfter: ")
                .containsPattern("this machine's clock says 20\\d\\d-");
    }

    @Test
    void shouldSayThatACertificateIsNotValidYetAndWhatTimeItIs() throws Exception {
        Instant later = now.plus(Duration.ofDays(9));

        connect(listen(authority.forManager(List.of("127.0.0.1"), later, DAY)), leaf, "127.0.0.1");

        assertThat(atAgent.get())
                .startsWith("failed: a certificate is not valid yet (NotBefore: ")
                .containsPattern("this machine's clock says 20\\d\\d-");
    }

    @Test
    void shouldBelieveAnAuthorityAsLongAsItIsValid() throws Exception {
        AtomicReference<Instant> clock = new AtomicReference<>(now);
        TlsEndpoint endpoint = TlsEndpoint.ofManager(() -> manager, clock::get).with(ofManager);
        endpoint.accepted(UnpooledByteBufAllocator.DEFAULT);

        clock.set(now.plus(Authority.AUTHORITY_VALID).plus(DAY));

        assertThatThrownBy(() -> endpoint.accepted(UnpooledByteBufAllocator.DEFAULT))
                .isInstanceOf(SSLException.class)
                .message()
                .startsWith("no authority is valid: CN=site from ")
                .contains("; this machine's clock says ")
                .hasLineCount(1);
    }

    /** Each of many authorities of one name and key may have issued each other: nobody is to try all paths among them. */
    @Test
    void shouldNotLoseItsWayInAChainOfManyAuthorities() throws Exception {
        KeyPair pair = OddKeys.pair("secp256r1");
        Instant from = now.minus(Duration.ofHours(1));
        TlsKeys maze = new TlsKeys(OddKeys.maze(pair, 100, from), pair.getPrivate(), leaf.authorities());

        connect(listen(manager), maze, "127.0.0.1");

        assertThat(atManager.get())
                .startsWith(
                        ofManager == SslProvider.JDK
                                ? "failed: The certificate chain length"
                                : "failed: PKIX path building failed");
    }

    @Test
    void shouldEndAConnectionThatBreaksDuringTheHandshake() throws Exception {
        EmbeddedChannel broken = new EmbeddedChannel();
        TlsHandshake.begin(
                broken.pipeline(),
                TlsEndpoint.ofManager(() -> manager).with(ofManager).accepted(broken.alloc()),
                atManager);

        broken.pipeline().fireExceptionCaught(new IllegalStateException("of no use"));

        assertThat(broken.isOpen()).isFalse();
        assertThat(atManager.get()).isEqualTo("failed: of no use");
    }

    /** The agent hears it when its own part of the handshake is over. */
    @Test
    void shouldSayWhoseCertificateAnAlertIsAbout() {
        assertThat(TlsHandshake.text(
                        new DecoderException(new SSLHandshakeException("Received fatal alert: certificate_expired"))))
                .isEqualTo("the other side does not accept the certificate of this one (alert certificate_expired)");
        assertThat(TlsHandshake.text(new SSLHandshakeException("Received fatal alert: handshake_failure")))
                .isEqualTo("Received fatal alert: handshake_failure");
    }

    @Test
    void shouldNotTakeClearTextForMoreThanItIs() throws Exception {
        Channel plain = connect(listen(manager), null, "127.0.0.1");

        plain.writeAndFlush(Unpooled.copiedBuffer("\0\0\0\4 hello, I am a switch", StandardCharsets.US_ASCII));

        assertThat(atManager.get()).isEqualTo("failed: clear text came; is authentication off there?");
    }
}

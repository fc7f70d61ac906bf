package io.dmodc.southbound.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One side's TLS: 1.3 alone, certificates both ways. Whoever connects gets the newest keys; connections there are keep theirs.
 * Thread-safe.
 */
public final class TlsEndpoint {
    /** Longest handshake, from the connection on. */
    public static final long HANDSHAKE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private static final String VERSION = "TLSv1.3";

    private final Supplier<TlsKeys> keys;
    private final Function<TlsKeys, SslContextBuilder> start;
    private @Nullable Made newest;

    /** A context and what it was made of. */
    private record Made(TlsKeys keys, SslContext context) {}

    private TlsEndpoint(Supplier<TlsKeys> keys, Function<TlsKeys, SslContextBuilder> start) {
        this.keys = keys;
        this.start = start;
    }

    /** The manager's: refuses who shows no certificate of its authorities for clients. */
    public static TlsEndpoint ofManager(Supplier<TlsKeys> keys) {
        return new TlsEndpoint(
                keys,
                own -> SslContextBuilder.forServer(own.privateKey(), own.chain().toArray(X509Certificate[]::new))
                        .clientAuth(ClientAuth.REQUIRE));
    }

    /** An agent's: leaves when the other side has no certificate of its authorities for servers, or one of another name. */
    public static TlsEndpoint ofAgent(Supplier<TlsKeys> keys) {
        return new TlsEndpoint(
                keys,
                own -> SslContextBuilder.forClient()
                        .keyManager(new OneKeyManager(own))
                        .endpointIdentificationAlgorithm("HTTPS"));
    }

    /** The keys in force. */
    public TlsKeys keys() {
        return keys.get();
    }

    /**
     * The handler of a connection that was accepted.
     *
     * @throws SSLException when nothing can be made of the keys
     */
    public SslHandler accepted(ByteBufAllocator buffers) throws SSLException {
        return limited(context().newHandler(buffers));
    }

    /**
     * The handler of a connection to a manager.
     *
     * @param host name or address that the manager's certificate must name
     * @throws SSLException when nothing can be made of the keys
     */
    public SslHandler to(String host, int port, ByteBufAllocator buffers) throws SSLException {
        return limited(context().newHandler(buffers, host, port));
    }

    private static SslHandler limited(SslHandler handler) {
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
        return handler;
    }

    private synchronized SslContext context() throws SSLException {
        TlsKeys now = keys.get();
        if (newest == null || !newest.keys.equals(now)) {
            newest = new Made(
                    now,
                    start.apply(now)
                            .sslProvider(provider())
                            .protocols(VERSION)
                            .trustManager(now.authorities().toArray(X509Certificate[]::new))
                            .build());
        }
        return newest.context;
    }

    /** BoringSSL where its library is there. */
    private static SslProvider provider() {
        return OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }
}

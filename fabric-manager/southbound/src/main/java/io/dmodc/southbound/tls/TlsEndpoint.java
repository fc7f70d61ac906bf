package io.dmodc.southbound.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One side's TLS: 1.3 alone, certificates both ways. Whoever connects gets the newest keys; connections there are keep theirs.
 * An authority is believed as long as its own certificate is valid, which Java does not ask of those it trusts. Thread-safe.
 *
 * <p>A context of BoringSSL holds memory that the collector does not see. The endpoint has one reference to its newest context, and each
 * engine one to that it was made of, from its beginning until its connection is over. So one that newer keys replaced is freed with the
 * last of its connections, and no engine may be made of one that the endpoint has let go: both happen under the endpoint's lock.
 */
public final class TlsEndpoint {
    /** Longest handshake, from the connection on. */
    public static final long HANDSHAKE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final TlsSide side;
    private final Supplier<TlsKeys> keys;
    private final InstantSource clock;
    private final SslProvider provider;
    private @Nullable Made newest;

    /** A context and what it was made of. */
    private record Made(TlsKeys keys, List<X509Certificate> trusted, SslContext context) {}

    private TlsEndpoint(TlsSide side, Supplier<TlsKeys> keys, InstantSource clock, SslProvider provider) {
        this.side = side;
        this.keys = keys;
        this.clock = clock;
        this.provider = provider;
    }

    /** The manager's: refuses who shows no certificate of its authorities for clients. */
    public static TlsEndpoint ofManager(Supplier<TlsKeys> keys) {
        return ofManager(keys, InstantSource.system());
    }

    /** @param clock for the authorities; certificates of the other side are compared with that of the machine */
    public static TlsEndpoint ofManager(Supplier<TlsKeys> keys, InstantSource clock) {
        return new TlsEndpoint(TlsSide.MANAGER, keys, clock, TlsSide.bestProvider());
    }

    /** An agent's: leaves when the other side has no certificate of its authorities for servers, or one of another name. */
    public static TlsEndpoint ofAgent(Supplier<TlsKeys> keys) {
        return new TlsEndpoint(TlsSide.AGENT, keys, InstantSource.system(), TlsSide.bestProvider());
    }

    /** The same with another TLS than the best there is, of which the JDK's is always there. */
    public TlsEndpoint with(SslProvider other) {
        return new TlsEndpoint(side, keys, clock, other);
    }

    /** The keys in force. */
    public TlsKeys keys() {
        return keys.get();
    }

    /**
     * The handler of a connection that was accepted.
     *
     * @throws SSLException when nothing can be made of the keys, or no authority is valid
     */
    public synchronized SslHandler accepted(ByteBufAllocator buffers) throws SSLException {
        return limited(context().newHandler(buffers));
    }

    /**
     * The handler of a connection to a manager.
     *
     * @param host name or address that the manager's certificate must name
     * @throws SSLException when nothing can be made of the keys, or no authority is valid
     */
    public synchronized SslHandler to(String host, int port, ByteBufAllocator buffers) throws SSLException {
        return limited(context().newHandler(buffers, host, port));
    }

    private static SslHandler limited(SslHandler handler) {
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
        return handler;
    }

    /** Only for engines that are made before another thread can have it replaced. */
    synchronized SslContext context() throws SSLException {
        TlsKeys now = keys.get();
        Instant instant = clock.instant();
        List<X509Certificate> trusted = now.authoritiesAt(instant);
        if (trusted.isEmpty()) {
            throw new SSLException(noneValid(now.authorities(), instant));
        }
        if (newest == null || !newest.keys.equals(now) || !newest.trusted.equals(trusted)) {
            Made made = new Made(now, trusted, side.context(now, trusted, provider));
            if (newest != null) {
                ReferenceCountUtil.release(newest.context);
            }
            newest = made;
        }
        return newest.context;
    }

    private static String noneValid(List<X509Certificate> authorities, Instant now) {
        return authorities.stream()
                .map(one -> CertificateNames.subject(one) + " from "
                        + one.getNotBefore().toInstant() + " until "
                        + one.getNotAfter().toInstant())
                .collect(Collectors.joining(
                        ", ",
                        "no authority is valid: ",
                        "; this machine's clock says " + now.truncatedTo(ChronoUnit.SECONDS)));
    }
}

package io.dmodc.southbound.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
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
 */
public final class TlsEndpoint {
    /** Longest handshake, from the connection on. */
    public static final long HANDSHAKE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final TlsSide side;
    private final Supplier<TlsKeys> keys;
    private final InstantSource clock;
    private @Nullable Made newest;

    /** A context and what it was made of. */
    private record Made(TlsKeys keys, List<X509Certificate> trusted, SslContext context) {}

    private TlsEndpoint(TlsSide side, Supplier<TlsKeys> keys, InstantSource clock) {
        this.side = side;
        this.keys = keys;
        this.clock = clock;
    }

    /** The manager's: refuses who shows no certificate of its authorities for clients. */
    public static TlsEndpoint ofManager(Supplier<TlsKeys> keys) {
        return ofManager(keys, InstantSource.system());
    }

    /** @param clock for the authorities; certificates of the other side are compared with that of the machine */
    public static TlsEndpoint ofManager(Supplier<TlsKeys> keys, InstantSource clock) {
        return new TlsEndpoint(TlsSide.MANAGER, keys, clock);
    }

    /** An agent's: leaves when the other side has no certificate of its authorities for servers, or one of another name. */
    public static TlsEndpoint ofAgent(Supplier<TlsKeys> keys) {
        return new TlsEndpoint(TlsSide.AGENT, keys, InstantSource.system());
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
    public SslHandler accepted(ByteBufAllocator buffers) throws SSLException {
        return limited(context().newHandler(buffers));
    }

    /**
     * The handler of a connection to a manager.
     *
     * @param host name or address that the manager's certificate must name
     * @throws SSLException when nothing can be made of the keys, or no authority is valid
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
        Instant instant = clock.instant();
        List<X509Certificate> trusted = now.authoritiesAt(instant);
        if (trusted.isEmpty()) {
            throw new SSLException(noneValid(now.authorities(), instant));
        }
        if (newest == null || !newest.keys.equals(now) || !newest.trusted.equals(trusted)) {
            newest = new Made(now, trusted, side.context(now, trusted));
        }
        return newest.context;
    }

    private static String noneValid(List<X509Certificate> authorities, Instant now) {
        return authorities.stream()
                .map(one -> one.getSubjectX500Principal() + " from "
                        + one.getNotBefore().toInstant() + " until "
                        + one.getNotAfter().toInstant())
                .collect(Collectors.joining(
                        ", ",
                        "no authority is valid: ",
                        "; this machine's clock says " + now.truncatedTo(ChronoUnit.SECONDS)));
    }
}

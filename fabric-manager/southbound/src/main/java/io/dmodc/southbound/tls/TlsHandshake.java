package io.dmodc.southbound.tls;

import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.BoundedText;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.NetUtil;
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Waits until the other side has shown who it is; before, nothing of the protocol is on the connection. */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {
    /** By which the other side refuses the certificate of this one, as BoringSSL or the JDK tells it. */
    private static final Pattern CERTIFICATE_ALERT = Pattern.compile(
            "(?:fatal alert: |_ALERT_)((?:bad|unsupported)_certificate|certificate_\\w+|unknown_ca)",
            Pattern.CASE_INSENSITIVE);

    private final SslHandler tls;
    private final Outcome outcome;
    private boolean over;

    /** Told one of these, once, on the event loop. */
    public interface Outcome {
        /** The other side holds the key of this certificate; now the protocol's handlers can be added. */
        void proved(X509Certificate peer);

        /**
         * It does not, or the connection is over; it is being closed.
         *
         * @param why one line for people
         */
        void failed(String why);
    }

    private TlsHandshake(SslHandler tls, Outcome outcome) {
        this.tls = tls;
        this.outcome = outcome;
    }

    /** Begins on a connection, or as soon as it is one; the pipeline must have nothing that speaks the protocol yet. */
    public static void begin(ChannelPipeline pipeline, SslHandler tls, Outcome outcome) {
        pipeline.addLast("tls", tls);
        pipeline.addLast("tls-handshake", new TlsHandshake(tls, outcome));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent done)) {
            ctx.fireUserEventTriggered(event);
            return;
        }
        if (!done.isSuccess()) {
            fail(ctx, done.cause());
            return;
        }
        X509Certificate peer;
        try {
            peer = peer();
        } catch (SSLException | CertificateException e) {
            fail(ctx, e);
            return;
        }
        over = true;
        outcome.proved(peer);
        ctx.pipeline().remove(this);
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        if (!over) {
            over = true;
            outcome.failed(text(cause));
        }
        ctx.close();
    }

    /**
     * Its time is looked at again: a session that was taken up again is not verified anew. So are its usage and the
     * manager's name, where Java takes silence for consent.
     */
    private X509Certificate peer() throws SSLPeerUnverifiedException, CertificateException {
        Certificate[] chain = tls.engine().getSession().getPeerCertificates();
        if (chain.length == 0 || !(chain[0] instanceof X509Certificate leaf)) {
            throw new SSLPeerUnverifiedException("no X.509 certificate");
        }
        leaf.checkValidity();
        TlsSide side = tls.engine().getUseClientMode() ? TlsSide.MANAGER : TlsSide.AGENT;
        if (!side.owns(leaf)) {
            throw new CertificateException(
                    "the certificate is not for " + side.purposeText() + " (extended key usage)");
        }
        String host = tls.engine().getPeerHost();
        if (side == TlsSide.MANAGER && !isAddress(host) && !CertificateNames.nameHost(leaf)) {
            throw new CertificateException(
                    "the certificate names no host (subject alternative names), expected " + host);
        }
        return leaf;
    }

    /** Java asks for an address among the alternative names by itself. */
    private static boolean isAddress(@Nullable String host) {
        return host != null && NetUtil.createByteArrayFromIpAddressString(host) != null;
    }

    /** What broke a handshake comes as its outcome, once; whatever else comes here ends the connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof Error) {
            HaltOnDefect.hand(cause);
        }
        fail(ctx, cause);
    }

    /** One line for people; the other side may have a hand in it. */
    public static String text(Throwable cause) {
        String dates = dates(cause);
        if (dates != null) {
            return dates;
        }
        Throwable root = cause;
        while (root.getCause() != null && (root instanceof SSLException || root instanceof DecoderException)) {
            root = root.getCause();
        }
        if (root instanceof NotSslRecordException) {
            return "clear text came; is authentication off there?";
        }
        if (root instanceof ClosedChannelException) {
            return "the connection was closed during the handshake";
        }
        String message = root.getMessage();
        String alert = message == null ? null : certificateAlert(message);
        return alert != null
                ? "the other side does not accept the certificate of this one (alert " + alert + ")"
                : BoundedText.shown(message == null ? root.getClass().getSimpleName() : message);
    }

    /** Returns which one it is, in small letters; null: the handshake failed by something else. */
    private static @Nullable String certificateAlert(String message) {
        Matcher alert = CERTIFICATE_ALERT.matcher(message);
        return alert.find() ? alert.group(1).toLowerCase(Locale.ROOT) : null;
    }

    /** Of a certificate that is not valid now: its date, and the clock that it was compared with. */
    private static @Nullable String dates(Throwable cause) {
        for (Throwable one = cause; one != null; one = one.getCause()) {
            boolean over = one instanceof CertificateExpiredException;
            if (over || one instanceof CertificateNotYetValidException) {
                return BoundedText.shown("a certificate " + (over ? "is over" : "is not valid yet") + " ("
                        + one.getMessage() + "); this machine's clock says "
                        + Instant.now().truncatedTo(ChronoUnit.SECONDS));
            }
        }
        return null;
    }
}

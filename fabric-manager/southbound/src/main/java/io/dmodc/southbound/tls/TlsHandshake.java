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
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Waits until the other side has shown who it is; before, nothing of the protocol is on the connection. */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {
    private final SslHandler tls;
    private final Outcome outcome;

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
            outcome.failed(text(done.cause()));
            ctx.close();
            return;
        }
        try {
            X509Certificate peer = peer();
            outcome.proved(peer);
            ctx.pipeline().remove(this);
        } catch (SSLException | CertificateException e) {
            outcome.failed(text(e));
            ctx.close();
        }
    }

    /** Its time is looked at again: a session that was taken up again is not verified anew. */
    private X509Certificate peer() throws SSLPeerUnverifiedException, CertificateException {
        Certificate[] chain = tls.engine().getSession().getPeerCertificates();
        if (chain.length == 0 || !(chain[0] instanceof X509Certificate leaf)) {
            throw new SSLPeerUnverifiedException("no X.509 certificate");
        }
        leaf.checkValidity();
        return leaf;
    }

    /** What broke a handshake comes as its outcome. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof Error) {
            HaltOnDefect.hand(cause);
        }
    }

    /** One line for people; the other side may have a hand in it. */
    public static String text(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null && (root instanceof SSLException || root instanceof DecoderException)) {
            root = root.getCause();
        }
        if (root instanceof NotSslRecordException) {
            return "what came is not TLS";
        }
        if (root instanceof ClosedChannelException) {
            return "the connection was closed during the handshake";
        }
        String message = root.getMessage();
        return BoundedText.shown(message == null ? root.getClass().getSimpleName() : message);
    }
}

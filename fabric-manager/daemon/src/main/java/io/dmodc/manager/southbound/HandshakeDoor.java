package io.dmodc.manager.southbound;

import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsHandshake;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;

/**
 * Holds a connection until its first bytes are there and its handshake may begin, then takes itself away. Until then TLS has
 * not cost anything, and who hangs up has not failed. From the connection to the end of the handshake it is
 * {@link TlsEndpoint#HANDSHAKE_MILLIS} at most; who waited until there is hardly time for one is turned away.
 */
final class HandshakeDoor extends ByteToMessageDecoder {
    /** With less time left no handshake is begun: it would cost as much, and be good for nothing. */
    private static final long TIME_MIN_MILLIS = 2000;

    private final TlsEndpoint tls;
    private final HandshakeLimit limit;
    private final HandshakeQueue queue;
    private final InetAddress from;
    private final LongSupplier nanoTime;
    private final Visit visit;
    private final long begunNanos;
    private boolean asked;

    /** Who is at the door. */
    interface Visit extends TlsHandshake.Outcome {
        /** There is no handshake for it; it is to be closed. */
        void turnedAway(String why);
    }

    HandshakeDoor(
            TlsEndpoint tls,
            HandshakeLimit limit,
            HandshakeQueue queue,
            InetAddress from,
            LongSupplier nanoTime,
            Visit visit) {
        this.tls = tls;
        this.limit = limit;
        this.queue = queue;
        this.from = from;
        this.nanoTime = nanoTime;
        begunNanos = nanoTime.getAsLong();
        this.visit = visit;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        Channel channel = ctx.channel();
        var silence = ctx.executor()
                .schedule(
                        () -> {
                            if (!ctx.isRemoved()) {
                                channel.close();
                            }
                        },
                        TlsEndpoint.HANDSHAKE_MILLIS,
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> silence.cancel(false));
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (asked) {
            return;
        }
        asked = true;
        long delay = limit.delayNanos(from, nanoTime.getAsLong());
        if (delay == HandshakeLimit.TURN_AWAY) {
            visit.turnedAway("too many handshakes of its address or network failed");
            return;
        }
        ctx.channel().config().setAutoRead(false);
        if (delay == 0) {
            waitForTurn(ctx);
        } else {
            ctx.executor().schedule(() -> waitForTurn(ctx), delay, TimeUnit.NANOSECONDS);
        }
    }

    private void waitForTurn(ChannelHandlerContext ctx) {
        Channel channel = ctx.channel();
        if (channel.isActive()) {
            Runnable begin = () -> begin(ctx);
            queue.add(begin);
            channel.closeFuture().addListener(closed -> queue.left(begin));
        }
    }

    private void begin(ChannelHandlerContext ctx) {
        if (!ctx.channel().isActive()) {
            return;
        }
        long leftMillis =
                TlsEndpoint.HANDSHAKE_MILLIS - TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - begunNanos);
        if (leftMillis < TIME_MIN_MILLIS) {
            visit.turnedAway("too many connect at a time: it waited for its handshake too long");
            return;
        }
        try {
            SslHandler handler = tls.accepted(ctx.alloc());
            handler.setHandshakeTimeoutMillis(leftMillis);
            TlsHandshake.begin(ctx.pipeline(), handler, visit);
            ctx.pipeline().remove(this);
            ctx.channel().config().setAutoRead(true);
        } catch (SSLException | RuntimeException e) {
            // Whatever is amiss is so for this connection alone.
            visit.turnedAway(TlsHandshake.text(e));
        }
    }
}

package io.dmodc.southbound;

import com.google.protobuf.MessageLite;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.KeepAlive;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection from being silent: first the greeting must come in time, then one frame in every three periods.
 *
 * <p>One timer per connection. A period's tick sends a keep-alive (unless unsent bytes already queue up, which would be
 * news enough) and looks whether any whole frame came since the last tick; bytes of an unfinished frame do not count.
 * An agent sends its own with each one that comes, and has no tick until half a period after the next one should have come: so it wakes
 * once in a period instead of twice.
 * Ticks are a period apart also after a stall of this process, so that what waits in the socket is read before it is held
 * missing. While this side itself does not read, the peer is not held silent. Keep-alives end here, the handlers behind see only news.
 */
public final class SilenceGuard extends ChannelInboundHandlerAdapter {
    private final MessageLite keepAlive;
    private final String greeting;
    private final FrameLimits limits;

    /** Whether a keep-alive that comes has one sent. */
    private final boolean answers;

    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> timer;

    /** Of keep-alives, once the greeting came. */
    private int periodMillis;

    private boolean heard;
    private int misses;

    private SilenceGuard(MessageLite keepAlive, String greeting, FrameLimits limits, boolean answers) {
        this.keepAlive = keepAlive;
        this.greeting = greeting;
        this.limits = limits;
        this.answers = answers;
    }

    /** Returns the guard of a manager's connection, which waits for Hello. */
    static SilenceGuard ofManager(FrameLimits limits) {
        ManagerFrame frame = ManagerFrame.newBuilder()
                .setKeepAlive(KeepAlive.getDefaultInstance())
                .build();
        return new SilenceGuard(frame, "Hello", limits, false);
    }

    /** Returns the guard of an agent's connection, which waits for Welcome. */
    static SilenceGuard ofAgent(FrameLimits limits) {
        AgentFrame frame = AgentFrame.newBuilder()
                .setKeepAlive(KeepAlive.getDefaultInstance())
                .build();
        return new SilenceGuard(frame, "Welcome", limits, true);
    }

    /**
     * Ends the wait for the greeting and starts keep-alives. On the channel's event loop, once the handshake is done.
     *
     * @param keepAliveMillis period of both sides, as the Welcome says
     */
    public void greeted(int keepAliveMillis) {
        cancel();
        ChannelHandlerContext ctx = context;
        if (ctx != null && ctx.channel().isActive()) {
            periodMillis = keepAliveMillis;
            heard = true;
            tickAfter(ctx, keepAliveMillis);
        }
    }

    private void tickAfter(ChannelHandlerContext ctx, int millis) {
        timer = ctx.executor().scheduleWithFixedDelay(() -> tick(ctx), millis, periodMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        if (ctx.channel().isActive()) {
            awaitGreeting(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        awaitGreeting(ctx);
        ctx.fireChannelActive();
    }

    private void awaitGreeting(ChannelHandlerContext ctx) {
        if (timer == null) {
            long millis = limits.helloTimeout().toMillis();
            String text = "no " + greeting + " within " + millis + " ms";
            timer = ctx.executor().schedule(() -> giveUp(ctx, text), millis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        heard = true;
        if (!isKeepAlive(message)) {
            ctx.fireChannelRead(message);
        } else if (answers && periodMillis > 0) {
            cancel();
            heard = false;
            misses = 0;
            send(ctx);
            tickAfter(ctx, periodMillis + periodMillis / 2);
        }
    }

    private static boolean isKeepAlive(Object message) {
        return (message instanceof AgentFrame agent && agent.hasKeepAlive())
                || (message instanceof ManagerFrame manager && manager.hasKeepAlive());
    }

    private void tick(ChannelHandlerContext ctx) {
        boolean listening = ctx.channel().config().isAutoRead();
        misses = heard || !listening ? 0 : misses + 1;
        heard = false;
        if (misses >= SouthboundProtocol.KEEP_ALIVE_MISSES) {
            giveUp(ctx, "no frame for " + misses + " keep-alive periods of " + periodMillis + " ms");
        } else {
            send(ctx);
        }
    }

    private void send(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            ctx.writeAndFlush(keepAlive, ctx.voidPromise());
        }
    }

    private void giveUp(ChannelHandlerContext ctx, String text) {
        cancel();
        ctx.fireExceptionCaught(new FrameException(Reason.TOO_SLOW, text));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancel();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancel();
        context = null;
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}

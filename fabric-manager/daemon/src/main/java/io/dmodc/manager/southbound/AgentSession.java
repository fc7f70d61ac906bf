package io.dmodc.manager.southbound;

import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.southbound.FrameException;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.SilenceGuard;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent's connection: frames in become events, decisions become frames out.
 *
 * <p>Runs on its channel's event loop; the sending methods may be called from any thread. When the fabric loop's queue
 * is full, reading stops and the events already decoded wait here, in order.
 */
final class AgentSession extends SimpleChannelInboundHandler<AgentFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);
    private static final long RETRY_MILLIS = 5;

    private final long id;
    private final Channel channel;
    private final FabricLoop loop;
    private final SouthboundCounters counters;
    private final int keepAliveMillis;
    private final AgentTranslator translator;
    private final Deque<FabricEvent> waiting = new ArrayDeque<>();

    private @Nullable SilenceGuard guard;
    private String ending = "connection closed";

    AgentSession(long id, Channel channel, FabricLoop loop, SouthboundCounters counters, int keepAliveMillis) {
        this.id = id;
        translator = new AgentTranslator(id);
        this.channel = channel;
        this.loop = loop;
        this.counters = counters;
        this.keepAliveMillis = keepAliveMillis;
    }

    void guardWith(SilenceGuard silenceGuard) {
        guard = silenceGuard;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, AgentFrame frame) {
        counters.frames.increment();
        AgentTranslator.Heard heard = translator.hear(
                frame, loop.nowNanos(), () -> ((InetSocketAddress) channel.remoteAddress()).getAddress());
        if (heard.event() != null) {
            deliver(heard.event());
        }
        if (heard.answer() != null) {
            send(heard.answer());
        }
        if (heard.refusal() != null) {
            refuse(heard.refusal());
        }
    }

    /** The manager's address as this agent reaches it. */
    InetAddress managerAddress() {
        return ((InetSocketAddress) channel.localAddress()).getAddress();
    }

    /** Gives an event to the loop; while the loop is full, reading stops and events wait in order. */
    private void deliver(FabricEvent event) {
        if (!waiting.isEmpty() || !loop.offer(event)) {
            if (waiting.isEmpty()) {
                counters.pauses.increment();
                channel.config().setAutoRead(false);
                channel.eventLoop().schedule(this::deliverWaiting, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
            waiting.addLast(event);
        }
    }

    private void deliverWaiting() {
        while (!waiting.isEmpty() && loop.offer(waiting.getFirst())) {
            waiting.removeFirst();
        }
        if (waiting.isEmpty()) {
            channel.config().setAutoRead(true);
        } else {
            channel.eventLoop().schedule(this::deliverWaiting, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (translator.greeted()) {
            deliver(new AgentLeft(loop.nowNanos(), id, translator.guid(), ending));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof FrameException broken) {
            refuse(broken.refusal());
        } else {
            ending = cause instanceof IOException ? "connection reset" : String.valueOf(cause.getMessage());
            ctx.close();
        }
    }

    void refuse(Refusal refusal) {
        counters.refusals.increment();
        ending = refusal.getText();
        LOG.warn(
                "refused {}{}: {}",
                channel.remoteAddress(),
                translator.greeted() ? " (" + translator.name() + ")" : "",
                refusal.getText());
        RefusalSender.send(channel, refusal);
    }

    void welcome(long leaderEpoch) {
        channel.eventLoop().execute(() -> {
            translator.welcomed();
            if (guard != null) {
                guard.greeted(keepAliveMillis);
            }
            send(AgentFrames.welcome(leaderEpoch, keepAliveMillis));
        });
    }

    void queryPorts(List<Integer> ports) {
        send(AgentFrames.portQuery(ports));
    }

    void send(ManagerFrame frame) {
        channel.writeAndFlush(frame, channel.voidPromise());
    }

    /** Encodes on the event loop, so that the fabric loop only decides. */
    void push(TableUpdate update) {
        channel.eventLoop().execute(() -> {
            ManagerFrame frame = AgentFrames.push(update);
            counters.pushes.increment();
            counters.pushedBytes.add(frame.getTablePush().getSerializedSize());
            send(frame);
        });
    }
}

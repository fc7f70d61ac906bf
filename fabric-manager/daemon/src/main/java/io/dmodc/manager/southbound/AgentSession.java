package io.dmodc.manager.southbound;

import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.routing.LftRow;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.FrameException;
import io.dmodc.southbound.HelloCheck;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.ReportCheck;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.SilenceGuard;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.FaultAck;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.Welcome;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
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
    private final Deque<FabricEvent> waiting = new ArrayDeque<>();

    private @Nullable SilenceGuard guard;
    private @Nullable Hello hello;
    private boolean welcomed;
    private long lastReport;
    private String ending = "connection closed";

    AgentSession(long id, Channel channel, FabricLoop loop, SouthboundCounters counters, int keepAliveMillis) {
        this.id = id;
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
        if (frame.hasHello() != (hello == null)) {
            refuse(RefusalSender.of(
                    Refusal.Reason.GARBAGE,
                    hello == null
                            ? "first frame is " + frame.getBodyCase() + ", expected HELLO"
                            : "a second HELLO on one connection"));
            return;
        }
        long now = loop.nowNanos();
        switch (frame.getBodyCase()) {
            case HELLO -> greet(frame.getHello(), now);
            case PORT_REPORT -> report(frame.getPortReport(), now);
            case TABLE_ACK -> deliver(AgentFrames.acked(now, id, guid(), frame.getTableAck()));
            case TABLE_REFUSAL -> deliver(AgentFrames.refused(now, id, guid(), frame.getTableRefusal()));
            case FAULT_REPORT ->
                ReportCheck.refusal(frame.getFaultReport(), guid()).ifPresentOrElse(this::refuse, () -> {
                    deliver(AgentFrames.ring(now, id, frame.getFaultReport()));
                    send(ManagerFrame.newBuilder()
                            .setFaultAck(FaultAck.newBuilder()
                                    .setSequence(frame.getFaultReport().getSequence()))
                            .build());
                });
            case KEEP_ALIVE -> {}
            case BODY_NOT_SET -> refuse(RefusalSender.of(Refusal.Reason.GARBAGE, "a frame of an unknown kind"));
        }
    }

    private void greet(Hello greeting, long now) {
        HelloCheck.refusal(greeting).ifPresentOrElse(this::refuse, () -> {
            hello = greeting;
            InetSocketAddress remote = (InetSocketAddress) channel.remoteAddress();
            RingAddress ring = AgentFrames.ringAddress(greeting.getDetector(), remote.getAddress());
            deliver(AgentFrames.joined(now, id, greeting, ring));
        });
    }

    private void report(PortReport report, long now) {
        if (!welcomed) {
            refuse(RefusalSender.of(Refusal.Reason.GARBAGE, "a port report before the Welcome"));
            return;
        }
        int portCount = Objects.requireNonNull(hello).getPortCount();
        ReportCheck.refusal(report, guid(), portCount, lastReport).ifPresentOrElse(this::refuse, () -> {
            lastReport = report.getSequence();
            deliver(AgentFrames.ports(now, id, guid(), report));
        });
    }

    /** The manager's address as this agent reaches it. */
    InetAddress managerAddress() {
        return ((InetSocketAddress) channel.localAddress()).getAddress();
    }

    private long guid() {
        return hello == null ? 0 : hello.getSwitchGuid();
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
        if (hello != null) {
            deliver(new AgentLeft(loop.nowNanos(), id, guid(), ending));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof FrameException broken) {
            refuse(broken.refusal());
        } else {
            if (cause instanceof Error) {
                // Not of this agent's making: the event loop would swallow it.
                HaltOnDefect.hand(cause);
            }
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
                guid() == 0 ? "" : " (" + AgentFrames.name(hello) + ")",
                refusal.getText());
        RefusalSender.send(channel, refusal);
    }

    void welcome(long leaderEpoch) {
        channel.eventLoop().execute(() -> {
            welcomed = true;
            if (guard != null) {
                guard.greeted(keepAliveMillis);
            }
            send(ManagerFrame.newBuilder()
                    .setWelcome(Welcome.newBuilder()
                            .setProtocol(SouthboundProtocol.VERSION_MAX)
                            .setLeaderEpoch(leaderEpoch)
                            .setKeepAliveMillis(keepAliveMillis)
                            .setMaxFrameBytes(SouthboundProtocol.MAX_FRAME_BYTES))
                    .build());
        });
    }

    void queryPorts(List<Integer> ports) {
        send(ManagerFrame.newBuilder()
                .setPortQuery(PortQuery.newBuilder().addAllPorts(ports))
                .build());
    }

    void send(ManagerFrame frame) {
        channel.writeAndFlush(frame, channel.voidPromise());
    }

    /** Encodes on the event loop, so that the fabric loop only decides. */
    void push(TableUpdate update) {
        channel.eventLoop().execute(() -> {
            TableVersion version = new TableVersion(update.leaderEpoch(), update.fabricEpoch());
            TablePush push = update.complete() ? complete(version, update) : difference(version, update);
            counters.pushes.increment();
            counters.pushedBytes.add(push.getSerializedSize());
            send(ManagerFrame.newBuilder().setTablePush(push).build());
        });
    }

    private static TablePush complete(TableVersion version, TableUpdate update) {
        LftRow row = update.row();
        RunEncoder encoder = RunEncoder.complete(version, row.entryCount(), update.resultDigest());
        say(row, 0, row.entryCount(), encoder);
        return encoder.push();
    }

    private static TablePush difference(TableVersion version, TableUpdate update) {
        LftRow row = update.row();
        RunEncoder encoder = RunEncoder.difference(
                version, row.entryCount(), update.blocks(), update.baseDigest(), update.resultDigest());
        for (int block : update.blocks()) {
            int start = block * SouthboundProtocol.BLOCK_ENTRIES;
            say(row, start, Math.min(start + SouthboundProtocol.BLOCK_ENTRIES, row.entryCount()), encoder);
        }
        return encoder.push();
    }

    private static void say(LftRow row, int from, int to, RunEncoder encoder) {
        row.forEachRun(
                from,
                to,
                (start, end, pattern) -> encoder.run(start, end, pattern.divider(), pattern.phase(), pattern.ports()));
    }
}

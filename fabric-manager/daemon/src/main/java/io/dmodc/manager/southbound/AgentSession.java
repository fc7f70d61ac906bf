package io.dmodc.manager.southbound;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.settings.process.LogLimit;
import io.dmodc.southbound.FrameException;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.SilenceGuard;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.tls.CertificateNames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent's connection: frames in become events, decisions become frames out.
 *
 * <p>Runs on its channel's event loop; the sending methods may be called from any thread. When the fabric loop's queue
 * is full, or this session's share of it, reading stops and the events already decoded wait here, in order: those of one read
 * at most. While the agent does not read, nothing is read from it either. After a refusal nothing is handled and nothing follows.
 */
final class AgentSession extends SimpleChannelInboundHandler<AgentFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);
    private static final long RETRY_MILLIS = 5;

    private final long id;
    private final Channel channel;
    private final SessionShared shared;
    private final FabricLoop loop;
    private final SouthboundCounters counters;
    private final @Nullable X509Certificate peer;
    private final SessionOutput output;
    private final AgentTranslator translator;
    private final AtomicBoolean refused = new AtomicBoolean();
    private final AtomicReference<@Nullable String> ending = new AtomicReference<>();
    private final Deque<FabricEvent> waiting = new ArrayDeque<>();
    private final FabricLoop.SessionShare share = new FabricLoop.SessionShare();

    private @Nullable SilenceGuard guard;
    private @Nullable SessionRing ring;
    private @Nullable SessionDestinations destinations;
    private @Nullable SessionAlternatives alternatives;

    /** Waits until the agent was told what its indices stand for; the newest alone. */
    private @Nullable TableUpdate waitingPush;

    private @Nullable PushId lastPush;
    private boolean welcomed;
    private boolean ringDue;

    /** What makes two pushes the same. */
    private record PushId(TableVersion version, long digest) {}

    /** @param peer the certificate the agent holds the key of; null: none was asked for */
    AgentSession(long id, Channel channel, SessionShared shared, @Nullable X509Certificate peer) {
        this.id = id;
        this.channel = channel;
        this.shared = shared;
        this.peer = peer;
        loop = shared.loop();
        counters = shared.counters();
        translator = new AgentTranslator(
                id, shared.rules().detectorElsewhere(), peer == null ? null : CertificateNames.of(peer));
        output = new SessionOutput(channel, shared.bounds(), this::doesNotRead);
    }

    void guardWith(SilenceGuard silenceGuard) {
        guard = silenceGuard;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, AgentFrame frame) {
        if (refused.get()) {
            return; // It came in the same read as what was refused.
        }
        counters.frames.increment();
        AgentTranslator.Heard heard = translator.hear(frame, loop.nowNanos(), () -> address(channel.remoteAddress()));
        if (heard.event() instanceof AgentJoined) {
            ring = new SessionRing(shared.memberships(), frame.getHello(), managerAddress());
            destinations = new SessionDestinations(shared.destinations(), frame.getHello());
            alternatives = new SessionAlternatives(frame.getHello());
        }
        if (heard.event() != null) {
            deliver(heard.event());
        }
        if (heard.answer() != null) {
            output.sendLater(heard.answer());
        }
        if (heard.refusal() != null) {
            refuse(heard.refusal());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        output.flush();
    }

    /** The manager's address as this agent reaches it. */
    private InetAddress managerAddress() {
        return address(channel.localAddress());
    }

    private static InetAddress address(SocketAddress of) {
        return ((InetSocketAddress) of).getAddress();
    }

    /** Gives an event to the loop; while that takes none of it, reading stops and events wait in order. */
    private void deliver(FabricEvent event) {
        if (!waiting.isEmpty() || !loop.offer(event, share)) {
            if (waiting.isEmpty()) {
                channel.eventLoop().schedule(this::deliverWaiting, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
            waiting.addLast(event);
            readOrPause();
        }
    }

    private void deliverWaiting() {
        while (!waiting.isEmpty() && loop.offer(waiting.getFirst(), share)) {
            waiting.removeFirst();
        }
        if (waiting.isEmpty()) {
            readOrPause();
        } else {
            channel.eventLoop().schedule(this::deliverWaiting, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The certificate the agent holds the key of; null: none was asked for. */
    @Nullable
    X509Certificate certificate() {
        return peer;
    }

    /** See {@link SessionOutput#unsentBytes}. */
    long unsentBytes() {
        return output.unsentBytes();
    }

    /** What is read after a refusal is dropped before it comes here, so that the refusal is not lost to a reset. */
    private void readOrPause() {
        boolean read = refused.get() || (waiting.isEmpty() && output.isWritable());
        if (channel.config().isAutoRead() && !read) {
            counters.pauses.increment();
        }
        channel.config().setAutoRead(read);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        output.writabilityChanged();
        readOrPause();
        if (output.isWritable()) {
            sendRing();
            sendTables();
        }
    }

    private void doesNotRead(String why) {
        ending.compareAndSet(null, why);
        counters.unread.increment();
        int leftOut = shared.unreadLog().admit(loop.nowNanos());
        if (leftOut != LogLimit.LEAVE_OUT) {
            LOG.warn(
                    "closed {} ({}): {}; {} more were closed for this since the last such line",
                    channel.remoteAddress(),
                    translator.name(),
                    why,
                    leftOut);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        refused.set(true);
        output.end();
        if (translator.greeted()) {
            String why = ending.get();
            deliver(new AgentLeft(loop.nowNanos(), id, translator.guid(), why == null ? "connection closed" : why));
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
            ending.compareAndSet(
                    null, cause instanceof IOException ? "connection reset" : String.valueOf(cause.getMessage()));
            ctx.close();
        }
    }

    /** The first refusal counts. Any thread. */
    void refuse(Refusal refusal) {
        if (!refused.compareAndSet(false, true)) {
            return;
        }
        counters.refusals.increment();
        ending.compareAndSet(null, refusal.getText());
        if (refusal.getReason() == Refusal.Reason.WRONG_CERTIFICATE) {
            shared.handshakes().failed(address(channel.remoteAddress()), loop.nowNanos());
        }
        shared.tellRefused(
                channel.remoteAddress() + (translator.greeted() ? " (" + translator.name() + ")" : ""),
                refusal.getText());
        channel.eventLoop().execute(output::end);
        RefusalSender.send(channel, refusal);
    }

    void welcome(long leaderEpoch) {
        onEventLoop(() -> {
            translator.welcomed();
            int keepAliveMillis = shared.rules().keepAliveMillis();
            if (guard != null) {
                guard.greeted(keepAliveMillis);
            }
            send(AgentFrames.welcome(leaderEpoch, keepAliveMillis));
            welcomed = true;
            if (alternatives != null) {
                alternatives.leads(leaderEpoch);
            }
            sendTables();
        });
    }

    void queryPorts(List<Integer> ports) {
        ManagerFrame query = AgentFrames.portQuery(ports);
        onEventLoop(() -> send(query));
    }

    void askThrough(Effect.AskThrough asked) {
        ManagerFrame query = AgentFrames.transitQuery(asked);
        onEventLoop(() -> send(query));
    }

    /** Tells the newest ring: now, or as soon as the agent has read enough of what was sent before. */
    void tellRing() {
        onEventLoop(() -> {
            ringDue = true;
            sendRing();
        });
    }

    private void sendRing() {
        if (!ringDue || ring == null || !output.isWritable()) {
            return;
        }
        ringDue = false;
        ByteBuf frame = ring.next();
        if (frame != null) {
            counters.memberships.increment();
            counters.membershipBytes.add(frame.readableBytes());
            output.send(frame);
        }
    }

    /** Tells what is new of destinations and alternatives: now, or as soon as the agent has read enough of what was sent before. */
    void tellNews() {
        onEventLoop(this::sendTables);
    }

    private void sendTables() {
        while (welcomed && output.isWritable()) {
            ManagerFrame frame = nextTable();
            if (frame == null) {
                return;
            }
            send(frame);
        }
    }

    /** First what indices stand for, then the routes to them, then alternatives to these; null: the agent was told all. */
    private @Nullable ManagerFrame nextTable() {
        if (destinations == null || alternatives == null) {
            return null;
        }
        ManagerFrame frame = destinations.next();
        if (frame != null) {
            return frame;
        }
        TableUpdate push = waitingPush;
        waitingPush = null;
        if (push != null) {
            alternatives.leads(push.leaderEpoch());
            return counted(AgentFrames.push(push));
        }
        Effect.TellAlternatives newest = shared.alternatives().get();
        return newest == null ? null : alternatives.next(newest);
    }

    private ManagerFrame counted(ManagerFrame push) {
        counters.pushes.increment();
        counters.pushedBytes.add(push.getTablePush().getSerializedSize());
        return push;
    }

    private void send(ManagerFrame frame) {
        output.send(frame);
    }

    /** In the order of the calls; once the session was refused or is over, not at all. */
    private void onEventLoop(Runnable work) {
        channel.eventLoop().execute(() -> {
            if (!refused.get()) {
                work.run();
            }
        });
    }

    /**
     * Encodes on the event loop, so that the fabric loop only decides. A repetition waits for the first to be sent, and each for
     * what its indices stand for.
     */
    void push(TableUpdate update) {
        onEventLoop(() -> {
            PushId id = new PushId(new TableVersion(update.leaderEpoch(), update.fabricEpoch()), update.resultDigest());
            if (!id.equals(lastPush) || output.isWritable()) {
                lastPush = id;
                waitingPush = update;
                sendTables();
            }
        });
    }
}

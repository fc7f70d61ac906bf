package io.dmodc.manager.southbound;

import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.SouthboundPipeline;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.Refusal;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for agents and speaks to them.
 *
 * <p>Bounds: {@value #SESSIONS_MAX} connections, of one address as many as {@link AgentRules} says,
 * each with at most one frame under assembly,
 * {@value SouthboundProtocol#UNSENT_MAX_BYTES} unsent bytes and the frame that goes over them. Reading from an agent stops
 * while it does not read, and from all while the loop's queue is full. The newest ring is kept encoded once for all
 * sessions, see {@link MembershipFrames}. Methods may be called from any thread.
 */
public final class AgentServer implements AutoCloseable {
    /** Most connections at a time. */
    public static final int SESSIONS_MAX = 16_384;

    private static final int IO_THREADS = 2;
    private static final int BACKLOG = 4096;
    private static final int GOODBYE_MILLIS = 100;
    private static final int CLOSE_MILLIS = 2000;

    /** Lines that strangers can cause are told that often, with how many were left out. */
    private static final long LOG_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Refusals told in that time: enough to see who is wrong about what. */
    private static final int REFUSALS_TOLD = 20;

    private static final Logger LOG = LoggerFactory.getLogger(AgentServer.class);

    private final FabricLoop loop;
    private final SessionShared shared;
    private final EventLoopGroup group;
    private final Channel listener;
    private final MembershipFrames memberships = new MembershipFrames();
    private final LogLimit fullLog = new LogLimit(LOG_PERIOD_NANOS, 1);
    private final Map<Long, AgentSession> sessions = new ConcurrentHashMap<>();
    private final Map<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();
    private final AtomicLong lastSession = new AtomicLong();
    private final SouthboundCounters counters = new SouthboundCounters();

    /**
     * Starts listening.
     *
     * @throws IOException in one line when the address cannot be listened on
     */
    public AgentServer(InetSocketAddress address, AgentRules rules, FabricLoop loop) throws IOException {
        this(address, rules, loop, SessionBounds.DEFAULT);
    }

    AgentServer(InetSocketAddress address, AgentRules rules, FabricLoop loop, SessionBounds bounds) throws IOException {
        this.loop = loop;
        shared = new SessionShared(
                loop,
                rules,
                bounds,
                counters,
                memberships,
                new LogLimit(LOG_PERIOD_NANOS, 1),
                new LogLimit(LOG_PERIOD_NANOS, REFUSALS_TOLD));
        Transport transport = Transport.best();
        group = transport.group(IO_THREADS, "southbound");
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(transport.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        open(channel);
                    }
                });
        var bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "southbound.listen: cannot listen on " + address + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        listener = bound.channel();
    }

    private void open(Channel channel) {
        counters.connections.increment();
        SessionBounds bounds = shared.bounds();
        if (bounds.kernelSendBytes() > 0) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, bounds.kernelSendBytes());
        }
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            channel.close(); // It is gone already.
            return;
        }
        InetAddress from = peer.getAddress();
        int perAddressMax = shared.rules().sessionsPerAddress();
        if (sessions.size() >= bounds.sessionsMax()) {
            turnAway(channel, "all " + bounds.sessionsMax() + " sessions are taken");
            return;
        }
        if (perAddress.merge(from, 1, Integer::sum) > perAddressMax) {
            leave(from);
            turnAway(channel, "all " + perAddressMax + " sessions of one address are taken");
            return;
        }
        long id = lastSession.incrementAndGet();
        AgentSession session = new AgentSession(id, channel, shared);
        sessions.put(id, session);
        channel.closeFuture().addListener(closed -> {
            sessions.remove(id);
            leave(from);
        });
        session.guardWith(SouthboundPipeline.manager(channel.pipeline(), FrameLimits.DEFAULT));
        channel.pipeline().addLast("session", session);
    }

    private void leave(InetAddress from) {
        perAddress.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
    }

    private void turnAway(Channel channel, String why) {
        counters.turnedAway.increment();
        int leftOut = fullLog.admit(loop.nowNanos());
        if (leftOut != LogLimit.LEAVE_OUT) {
            LOG.warn(
                    "turned {} away: {}; {} more were turned away since the last such line",
                    channel.remoteAddress(),
                    why,
                    leftOut);
        }
        channel.close();
    }

    /** Where agents connect to. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) listener.localAddress();
    }

    public SouthboundCounters counters() {
        return counters;
    }

    /** Connections open now. */
    public int sessionCount() {
        return sessions.size();
    }

    /** Bytes that agents have not read yet; sessions below Netty's high water mark, 256 KiB, are not counted. */
    public long unsentBytes() {
        return sessions.values().stream().mapToLong(AgentSession::unsentBytes).sum();
    }

    public void accept(Effect.Accept accept) {
        with(accept.session(), session -> session.welcome(accept.leaderEpoch()));
    }

    public void dismiss(Effect.Dismiss dismiss) {
        with(dismiss.session(), session -> session.refuse(AgentFrames.refusal(dismiss)));
    }

    public void queryPorts(Effect.QueryPorts query) {
        with(query.session(), session -> session.queryPorts(query.ports()));
    }

    /**
     * Makes this the newest ring and tells it to these sessions: to each what it lacks. A manager's place without a host is
     * where each one's session leads.
     */
    public void sendMembership(Iterable<Long> receivers, Effect.Membership membership, int cluster, RingRules rules) {
        memberships.tell(new MembershipFrames.Ring(membership, cluster, rules));
        receivers.forEach(id -> with(id, AgentSession::tellRing));
    }

    public void push(Effect.Push push) {
        with(push.session(), session -> session.push(push.update()));
    }

    private void with(long id, Consumer<AgentSession> action) {
        AgentSession session = sessions.get(id);
        if (session != null) {
            action.accept(session);
        }
    }

    /** Stops listening, tells all agents, closes. Agents keep their tables and try again. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        Refusal goodbye = RefusalSender.of(Refusal.Reason.SHUTTING_DOWN, "the manager is shutting down");
        sessions.values().forEach(session -> session.refuse(goodbye));
        int goodbyeMillis = sessions.isEmpty() ? 0 : GOODBYE_MILLIS;
        group.shutdownGracefully(goodbyeMillis, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly();
        memberships.close();
    }
}

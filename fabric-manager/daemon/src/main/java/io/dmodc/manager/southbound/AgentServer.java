package io.dmodc.manager.southbound;

import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.settings.process.LogLimit;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.SouthboundPipeline;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for agents and speaks to them.
 *
 * <p>Bounds: {@value #SESSIONS_MAX} connections, of one address as many as {@link AgentRules} says,
 * each with at most one frame under assembly,
 * {@value SouthboundProtocol#UNSENT_MAX_BYTES} unsent bytes and the frame that goes over them. Who has to show a certificate
 * is no session before it did, and a connection for {@link TlsEndpoint#HANDSHAKE_MILLIS} at most: {@link ConnectionLimit}
 * says how many of these there are, {@link HandshakeLimit} how many handshakes of one address a second,
 * {@link HandshakeQueue} when one begins. Reading from an agent stops
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

    /** How often certificates are looked at, and the core told of those that end soon. */
    private static final int LOOK_SECONDS = 60;

    private static final Logger LOG = LoggerFactory.getLogger(AgentServer.class);

    private final FabricLoop loop;
    private final SessionShared shared;
    private final CertificateWatch certificates;
    private final EventLoopGroup group;
    private final Channel listener;
    private final MembershipFrames memberships = new MembershipFrames();
    private final DestinationFrames destinations = new DestinationFrames();
    private final AtomicReference<Effect.@Nullable TellAlternatives> alternatives = new AtomicReference<>();
    private final LogLimit fullLog = new LogLimit(LOG_PERIOD_NANOS, 1);
    private final Map<Long, AgentSession> sessions = new ConcurrentHashMap<>();
    private final ConnectionLimit<Channel> connections;
    private final Map<EventLoop, HandshakeQueue> queues = new ConcurrentHashMap<>();
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
                destinations,
                alternatives,
                new HandshakeLimit(),
                new LogLimit(LOG_PERIOD_NANOS, 1),
                new LogLimit(LOG_PERIOD_NANOS, REFUSALS_TOLD));
        connections = new ConnectionLimit<>(bounds.sessionsMax(), rules.sessionsPerAddress());
        certificates = new CertificateWatch(rules.tls(), InstantSource.system());
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
        if (rules.tls() != null) {
            Runnable look = HaltOnDefect.guarding(new CertificateLook());
            group.scheduleWithFixedDelay(look, 0, LOOK_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Tells the core when what it was told of the certificates has changed. */
    private final class CertificateLook implements Runnable {
        private String told = "";

        @Override
        public void run() {
            String ending = certificates.ending(certificatesOfAgents());
            if (!ending.equals(told) && loop.offer(new FabricEvent.CertificatesLooked(loop.nowNanos(), ending))) {
                told = ending;
            }
        }
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
        TlsEndpoint tls = shared.rules().tls();
        ConnectionLimit.Entry<Channel> entry = connections.enter(channel, from, tls != null, loop.nowNanos());
        if (entry.leaver() != null) {
            turnAway(entry.leaver(), "it shows no certificate, and others want its place");
        }
        if (entry.refusal() != null) {
            turnAway(channel, entry.refusal());
            return;
        }
        channel.closeFuture().addListener(closed -> connections.left(channel));
        if (tls == null) {
            admit(channel, null);
        } else {
            channel.pipeline()
                    .addLast(
                            "handshake-door",
                            new HandshakeDoor(
                                    tls,
                                    shared.handshakes(),
                                    queues.computeIfAbsent(channel.eventLoop(), HandshakeQueue::new),
                                    from,
                                    loop::nowNanos,
                                    new Proof(channel, from)));
        }
    }

    /** What comes of who has to show a certificate. */
    private final class Proof implements HandshakeDoor.Visit {
        private final Channel channel;
        private final InetAddress from;

        Proof(Channel channel, InetAddress from) {
            this.channel = channel;
            this.from = from;
        }

        @Override
        public void turnedAway(String why) {
            turnAway(channel, why);
        }

        @Override
        public void proved(X509Certificate peer) {
            connections.proved(channel);
            admit(channel, peer);
        }

        @Override
        public void failed(String why) {
            shared.handshakes().failed(from, loop.nowNanos());
            counters.unproved.increment();
            shared.tellRefused(from.getHostAddress(), "handshake failed: " + why);
        }
    }

    private void admit(Channel channel, @Nullable X509Certificate peer) {
        long id = lastSession.incrementAndGet();
        AgentSession session = new AgentSession(id, channel, shared, peer);
        sessions.put(id, session);
        channel.closeFuture().addListener(closed -> sessions.remove(id));
        session.guardWith(SouthboundPipeline.manager(channel.pipeline(), FrameLimits.DEFAULT));
        channel.pipeline().addLast("session", session);
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

    /** Sessions open now; who has yet to show a certificate has none. */
    public int sessionCount() {
        return sessions.size();
    }

    /** Bytes that agents have not read yet; sessions below Netty's high water mark, 256 KiB, are not counted. */
    public long unsentBytes() {
        return sessions.values().stream().mapToLong(AgentSession::unsentBytes).sum();
    }

    /** Seconds that the manager's certificate is still valid; NaN without one. */
    public double certificateSeconds() {
        return certificates.secondsOfManager();
    }

    /** The same of the agents, of those connected whose certificate ends first. */
    public double agentCertificateSeconds() {
        return certificates.secondsOfAgents(certificatesOfAgents());
    }

    /** The same of the authorities whose agents the manager believes, of that which ends first. */
    public double authorityCertificateSeconds() {
        return certificates.secondsOfAuthorities();
    }

    private Stream<X509Certificate> certificatesOfAgents() {
        return sessions.values().stream().map(AgentSession::certificate).filter(Objects::nonNull);
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

    public void askThrough(Effect.AskThrough asked) {
        with(asked.session(), session -> session.askThrough(asked));
    }

    /**
     * Makes this the newest ring and tells it to these sessions: to each what it lacks. A manager's place without a host is
     * where each one's session leads.
     */
    public void sendMembership(Iterable<Long> receivers, Effect.Membership membership, int cluster, RingRules rules) {
        memberships.tell(new MembershipFrames.Ring(membership, cluster, rules));
        receivers.forEach(id -> with(id, AgentSession::tellRing));
    }

    /** Tells all agents that want to know what these indices stand for, before any table pushed from now on. */
    public void nameDestinations(Effect.NameDestinations news) {
        destinations.tell(news);
        sessions.values().forEach(AgentSession::tellNews);
    }

    /** Tells each agent that wants to know its alternatives those of these tables, behind what was pushed to it before. */
    public void tellAlternatives(Effect.TellAlternatives news) {
        alternatives.set(news);
        sessions.values().forEach(AgentSession::tellNews);
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

package io.dmodc.manager.ring;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingEndpoint;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.detector.net.RingMeters;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.loop.FabricLoop;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The manager's place in the ring: a member like the agents, on an event loop of its own, whose news are events of the
 * fabric loop.
 *
 * <p>At the bound of that loop's queue news are dropped and counted: agents repeat their reports over their sessions
 * until these are acknowledged. Methods may be called from any thread.
 */
public final class ManagerRingMember implements RingEndpoint.Listener, AutoCloseable {
    /** Without a session of an agent. */
    private static final long NO_SESSION = 0;

    private static final long TELL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long ownGuid;
    private final int incarnation;
    private final RingLoop sockets = RingLoop.start("detector");
    private final RingEndpoint endpoint;
    private final AtomicLong dropped = new AtomicLong();
    private volatile @Nullable FabricLoop loop;
    private volatile boolean deaf;

    private ManagerRingMember(InetSocketAddress listen, long ownGuid, int incarnation, RingKey key) throws IOException {
        this.ownGuid = ownGuid;
        this.incarnation = incarnation;
        try {
            endpoint = RingEndpoint.bind(sockets, listen, ownGuid, incarnation, key, this);
        } catch (UncheckedIOException e) {
            sockets.close();
            throw new IOException(
                    "detector.listen: " + Objects.requireNonNull(e.getCause()).getMessage(), e);
        }
    }

    /**
     * Opens the socket; silent until {@link #join}.
     *
     * @param ownGuid no switch may have it
     * @param incarnation unsigned, higher than at any earlier start
     * @throws IOException in one line when the address cannot be listened on
     */
    public static ManagerRingMember open(InetSocketAddress listen, long ownGuid, int incarnation, RingKey key)
            throws IOException {
        return new ManagerRingMember(listen, ownGuid, incarnation, key);
    }

    /** The loop knows who performs its effects, so the member learns of the loop last, before it starts. */
    public void connect(FabricLoop fabricLoop) {
        loop = fabricLoop;
    }

    /** How the membership names this place: without a host when bound to all addresses. */
    public Effect.Member member() {
        InetSocketAddress local = endpoint.localAddress();
        InetAddress address = local.getAddress();
        String host = address.isAnyLocalAddress() ? "" : address.getHostAddress();
        return new Effect.Member(ownGuid, incarnation, new RingAddress(host, local.getPort()));
    }

    /** Takes its place in a membership that names it; one with a lower epoch than before, or the same, is ignored. */
    public void join(Effect.Membership membership, int cluster, RingRules rules) {
        List<Effect.Member> members = membership.members();
        Membership slots = new Membership(
                membership.epoch(),
                cluster,
                members.stream().mapToLong(Effect.Member::guid).toArray(),
                members.stream().mapToInt(Effect.Member::incarnation).toArray());
        List<InetSocketAddress> addresses = new ArrayList<>(members.size());
        members.forEach(member ->
                addresses.add(member.guid() == ownGuid ? endpoint.localAddress() : address(member.address())));
        endpoint.install(slots, slots.slotOf(ownGuid), addresses, rules);
    }

    private static InetSocketAddress address(RingAddress address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a ring address that is not numeric: " + address.host(), e);
        }
    }

    /** Floods that tables older than this must not be applied any more. */
    public void revoke(Effect.Revoke revoke) {
        endpoint.revoke(revoke.leaderEpoch(), revoke.fabricEpoch());
    }

    /** Speaks under this key from now on, and believes whom it accepts. */
    public void use(RingKey key) {
        endpoint.use(key);
    }

    /** The endpoint's counters and state, and the news given up because the fabric loop's queue was full. */
    public MeterBinder meters() {
        RingMeters ring = new RingMeters(endpoint, List.of());
        return registry -> {
            ring.bindTo(registry);
            FunctionCounter.builder("dmodc.ring.news.dropped", dropped, AtomicLong::get)
                    .description("News of the ring given up because too many events waited")
                    .register(registry);
        };
    }

    @Override
    public void onSilent(long subjectGuid, int subjectIncarnation, long observerGuid, long silenceNanos, int hops) {
        ring(true, subjectGuid, subjectIncarnation, observerGuid, silenceNanos, hops);
    }

    /** Who first heard of it does not travel with the news, so the observer is the manager. */
    @Override
    public void onAlive(long subjectGuid, int subjectIncarnation, int hops) {
        ring(false, subjectGuid, subjectIncarnation, ownGuid, 0, hops);
    }

    private void ring(boolean silent, long subject, int subjectIncarnation, long observer, long silence, int hops) {
        tell(now -> new FabricEvent.RingReported(
                now, NO_SESSION, silent, subject, subjectIncarnation, observer, silence, hops));
    }

    @Override
    public void onOwnIncarnation(int raised) {
        tell(now -> new FabricEvent.OwnIncarnationRaised(now, raised));
    }

    @Override
    public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
        tell(now -> new FabricEvent.RevokeHeard(now, leaderEpoch, fabricEpoch));
    }

    @Override
    public void onDeaf(boolean now) {
        deaf = now;
        tellDeaf();
    }

    /** Nobody repeats this, so it is tried until the loop takes it, as it is by then. */
    private void tellDeaf() {
        if (!tell(now -> new FabricEvent.HearingReported(now, NO_SESSION, ownGuid, deaf))) {
            sockets.schedule(System.nanoTime() + TELL_AGAIN_NANOS, this::tellDeaf);
        }
    }

    @Override
    public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {
        tell(now -> new FabricEvent.ForeignSource(
                now, NO_SESSION, ownGuid, guid, ringAddress(expected), ringAddress(actual)));
    }

    private static RingAddress ringAddress(InetSocketAddress address) {
        return new RingAddress(address.getAddress().getHostAddress(), address.getPort());
    }

    private interface News {
        FabricEvent at(long nowNanos);
    }

    /** False when it was given up because too many events wait. */
    private boolean tell(News news) {
        FabricLoop told = loop;
        boolean taken = told == null || told.offer(news.at(told.nowNanos()));
        if (!taken) {
            dropped.incrementAndGet();
        }
        return taken;
    }

    /** Leaves without a word, as an agent does: its observer notices. */
    @Override
    public void close() {
        endpoint.close();
        sockets.close();
    }
}

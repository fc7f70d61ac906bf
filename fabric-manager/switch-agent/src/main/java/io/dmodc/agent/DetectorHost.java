package io.dmodc.agent;

import com.google.protobuf.ByteString;
import io.dmodc.detector.net.RingEndpoint;
import io.dmodc.detector.net.RingKey;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.FaultReport.Kind;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An agent's place in the heartbeat ring: what the ring says becomes events, what the manager says reaches the ring. */
final class DetectorHost implements RingEndpoint.Listener {
    private final long ownGuid;
    private final Consumer<AgentEvent> events;
    private @Nullable RingEndpoint ring;

    private DetectorHost(long ownGuid, Consumer<AgentEvent> events) {
        this.ownGuid = ownGuid;
        this.events = events;
    }

    /**
     * Opens the socket; not on an event loop.
     *
     * @param local null: takes no part
     * @param events told on {@code loop}
     */
    static DetectorHost open(
            EventLoop loop,
            @Nullable InetSocketAddress local,
            long ownGuid,
            int incarnation,
            Consumer<AgentEvent> events) {
        DetectorHost host = new DetectorHost(ownGuid, events);
        if (local != null) {
            host.ring = RingEndpoint.bind(loop, local, ownGuid, incarnation, RingKey.none(), host);
        }
        return host;
    }

    /** Returns how the Hello names this place: without an address when bound to all, without a port when taking no part. */
    Endpoint endpoint() {
        if (ring == null) {
            return Endpoint.getDefaultInstance();
        }
        InetSocketAddress local = ring.localAddress();
        Endpoint.Builder endpoint = Endpoint.newBuilder().setPort(local.getPort());
        if (!local.getAddress().isAnyLocalAddress()) {
            endpoint.setAddress(ByteString.copyFrom(local.getAddress().getAddress()));
        }
        return endpoint.build();
    }

    void join(RingMembership membership, int ownSlot) {
        if (ring != null) {
            ring.install(membership.slots(), ownSlot, membership.addresses(), membership.timing());
        }
    }

    void pause() {
        if (ring != null) {
            ring.pause();
        }
    }

    void close() {
        if (ring != null) {
            ring.close();
        }
    }

    @Override
    public void onSilent(long subjectGuid, int incarnation, long observerGuid, long silenceNanos, int hops) {
        report(FaultReport.newBuilder()
                .setKind(Kind.AGENT_SILENT)
                .setSubjectGuid(subjectGuid)
                .setSubjectIncarnation(incarnation)
                .setObserverGuid(observerGuid)
                .setSilenceNanos(silenceNanos)
                .setHops(hops));
    }

    /** Who first heard of it does not travel with the news, so the observer is this agent. */
    @Override
    public void onAlive(long subjectGuid, int incarnation, int hops) {
        report(FaultReport.newBuilder()
                .setKind(Kind.AGENT_ALIVE)
                .setSubjectGuid(subjectGuid)
                .setSubjectIncarnation(incarnation)
                .setObserverGuid(ownGuid)
                .setHops(hops));
    }

    @Override
    public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {}

    private void report(FaultReport.Builder report) {
        events.accept(new AgentEvent.RingNews(report.build()));
    }

    @Override
    public void onOwnIncarnation(int incarnation) {
        events.accept(new AgentEvent.IncarnationRaised(incarnation));
    }
}

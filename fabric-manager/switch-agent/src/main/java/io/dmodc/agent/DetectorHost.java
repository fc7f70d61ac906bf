package io.dmodc.agent;

import com.google.protobuf.ByteString;
import io.dmodc.detector.net.RingEndpoint;
import io.dmodc.detector.net.RingKey;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.FaultReport.Kind;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent's place in the heartbeat ring: what the ring says becomes events, what the manager says reaches the ring. The
 * ring has an event loop of its own: a session that is busy with a table must not keep heartbeats waiting.
 */
final class DetectorHost implements RingEndpoint.Listener {
    private final long ownGuid;
    private final Consumer<AgentEvent> events;
    private final NewsReporters reporters = new NewsReporters();
    private @Nullable RingEndpoint ring;

    private DetectorHost(long ownGuid, Consumer<AgentEvent> events) {
        this.ownGuid = ownGuid;
        this.events = events;
    }

    /**
     * Opens the socket; not on an event loop.
     *
     * @param place null: takes no part
     * @param events told on the ring's event loop
     */
    static DetectorHost open(
            AgentConfig.@Nullable RingPlace place, long ownGuid, int incarnation, Consumer<AgentEvent> events) {
        DetectorHost host = new DetectorHost(ownGuid, events);
        if (place != null) {
            host.ring = RingEndpoint.bind(place.loop(), place.listen(), ownGuid, incarnation, place.key(), host);
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
            reporters.join(membership.slots(), ownSlot);
            ring.install(membership.slots(), ownSlot, membership.addresses(), membership.rules());
        }
    }

    void use(RingKey key) {
        if (ring != null) {
            ring.use(key);
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
        report(
                observerGuid,
                FaultReport.newBuilder()
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
        report(
                subjectGuid,
                FaultReport.newBuilder()
                        .setKind(Kind.AGENT_ALIVE)
                        .setSubjectGuid(subjectGuid)
                        .setSubjectIncarnation(incarnation)
                        .setObserverGuid(ownGuid)
                        .setHops(hops));
    }

    @Override
    public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
        events.accept(new AgentEvent.Revoked(new TableVersion(leaderEpoch, fabricEpoch)));
    }

    @Override
    public void onDeaf(boolean deaf) {
        events.accept(new AgentEvent.RingDeaf(deaf));
    }

    /** Whoever drops datagrams tells it: few hear from any one member. */
    @Override
    public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {
        events.accept(new AgentEvent.RingNews(FaultReport.newBuilder()
                .setKind(Kind.FOREIGN_SOURCE)
                .setSubjectGuid(guid)
                .setObserverGuid(ownGuid)
                .setExpected(endpoint(expected))
                .setActual(endpoint(actual))
                .build()));
    }

    private static Endpoint endpoint(InetSocketAddress address) {
        return Endpoint.newBuilder()
                .setAddress(ByteString.copyFrom(address.getAddress().getAddress()))
                .setPort(address.getPort())
                .build();
    }

    private void report(long sourceGuid, FaultReport.Builder report) {
        if (reporters.include(sourceGuid)) {
            events.accept(new AgentEvent.RingNews(report.build()));
        }
    }

    @Override
    public void onOwnIncarnation(int incarnation) {
        events.accept(new AgentEvent.IncarnationRaised(incarnation));
    }
}

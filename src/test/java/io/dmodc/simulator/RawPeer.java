package io.dmodc.simulator;

import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.TableState;

/** Somebody who says a Hello of his own making and then listens: a stranger, an impostor, a poisoner. */
final class RawPeer implements Peer {
    private final long guid;

    private RawPeer(long guid) {
        this.guid = guid;
    }

    /** Connects, says Hello, and hangs up after a while. */
    static void say(
            Simulation site, long guid, int portCount, int incarnation, long leaderEpoch, long fabricEpoch, long stay) {
        RawPeer peer = new RawPeer(guid);
        SimulatedSession session = site.network.connect(peer);
        if (session != null) {
            session.toManager(AgentFrame.newBuilder()
                    .setHello(Hello.newBuilder()
                            .setProtocolMin(SouthboundProtocol.VERSION_MIN)
                            .setProtocolMax(SouthboundProtocol.VERSION_MAX)
                            .setSwitchGuid(guid)
                            .setName("stranger")
                            .setPortCount(portCount)
                            .setIncarnation(incarnation)
                            .setTable(TableState.newBuilder()
                                    .setLeaderEpoch(leaderEpoch)
                                    .setFabricEpoch(fabricEpoch))
                            .setDetector(Endpoint.newBuilder().setPort(7472))
                            .setLeaderEpoch(leaderEpoch))
                    .build());
            site.after(stay, () -> session.closeAtPeer("hung up"));
        }
    }

    @Override
    public void received(SimulatedSession session, byte[] frame) {}

    @Override
    public void ended(SimulatedSession session, String why) {}

    @Override
    public long guid() {
        return guid;
    }
}

package io.dmodc.simulator;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.manager.southbound.AgentTranslator;
import io.dmodc.manager.southbound.SessionAlternatives;
import io.dmodc.manager.southbound.SessionDestinations;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Hello;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: bytes arrive late, in order, or not at all. The two ends learn of its end each by itself, so it may
 * be half open for a while.
 */
final class SimulatedSession {
    /** A refused peer may go on reading for that long. */
    private static final long LINGER_NANOS = Simulation.SECOND;

    private final Simulation site;
    final long id;
    final Peer peer;
    final SimulatedManager manager;
    final AgentTranslator translator;
    Hello hello = Hello.getDefaultInstance();

    /** Null before the Welcome. */
    @Nullable
    SessionDestinations destinations;

    /** Null before the Welcome. */
    @Nullable
    SessionAlternatives alternatives;

    boolean peerOpen = true;
    boolean managerOpen = true;

    /** False once the wire is cut: nothing arrives any more. */
    private boolean wire = true;

    private boolean refused;
    private long lastToManager;
    private long lastToPeer;

    /** The agent's end reads nothing before. */
    long slowUntil;

    SimulatedSession(Simulation site, long id, Peer peer, SimulatedManager manager) {
        this.site = site;
        this.id = id;
        this.peer = peer;
        this.manager = manager;
        translator = new AgentTranslator(id, anywhere -> true, null);
    }

    void toManager(AgentFrame frame) {
        if (peerOpen && wire) {
            byte[] bytes = frame.toByteArray();
            lastToManager = Math.max(lastToManager + 1, site.now() + site.network.delayNanos());
            site.after(lastToManager - site.now(), () -> arrive(bytes));
        }
    }

    private void arrive(byte[] bytes) {
        if (!wire || !managerOpen || refused) {
            return;
        }
        try {
            site.mix(id, bytes.length);
            manager.received(this, AgentFrame.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an agent sent what is no frame", e);
        }
    }

    void toPeer(byte[] bytes) {
        if (managerOpen && wire && !refused) {
            long due = Math.max(site.now() + site.network.delayNanos(), slowUntil);
            lastToPeer = Math.max(lastToPeer + 1, due);
            site.after(lastToPeer - site.now(), () -> {
                if (wire && peerOpen) {
                    site.mix(id, bytes.length);
                    peer.received(this, bytes);
                }
            });
        }
    }

    /** The manager said its last word. */
    void refused() {
        refused = true;
        site.after(LINGER_NANOS + site.network.delayNanos(), () -> endAtManager("refused"));
    }

    /** The agent's end closes; what is on its way to the manager still arrives. */
    void closeAtPeer(String why) {
        if (peerOpen) {
            peerOpen = false;
            if (wire) {
                lastToManager = Math.max(lastToManager + 1, site.now() + site.network.delayNanos());
                site.after(lastToManager - site.now(), () -> endAtManager("connection closed"));
            }
            site.after(0, () -> peer.ended(this, why));
        }
    }

    /**
     * Cuts the wire: what is on its way is lost.
     *
     * @param managerNanos when the manager notices
     * @param peerNanos when the agent notices
     */
    void cut(long managerNanos, long peerNanos) {
        if (wire) {
            wire = false;
            site.after(managerNanos, () -> endAtManager("connection reset"));
            site.after(peerNanos, () -> endAtPeer("connection reset"));
        }
    }

    private void endAtPeer(String why) {
        if (peerOpen) {
            peerOpen = false;
            peer.ended(this, why);
        }
    }

    private void endAtManager(String why) {
        if (managerOpen) {
            managerOpen = false;
            manager.ended(this, why);
        }
    }

    boolean open() {
        return wire && peerOpen && managerOpen && !refused;
    }
}

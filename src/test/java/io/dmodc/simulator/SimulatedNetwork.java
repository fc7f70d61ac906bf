package io.dmodc.simulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The management network: who reaches whom, and how long it takes. */
final class SimulatedNetwork {
    private final Simulation site;
    private final SplittableRandom random;
    private final List<SimulatedSession> sessions = new ArrayList<>();

    /** Switches whose agents reach nobody. */
    private final Set<Long> cutOff = new HashSet<>();

    private long lastSession;

    /** Who listens at the manager's address; {@code null}: nobody. */
    @Nullable
    SimulatedManager listening;

    SimulatedNetwork(Simulation site, SplittableRandom random) {
        this.site = site;
        this.random = random;
    }

    /** Mostly a fraction of a millisecond, now and then a hundred. */
    long delayNanos() {
        int kind = random.nextInt(100);
        return 20_000 + random.nextLong(kind < 80 ? 500_000 : kind < 98 ? 5_000_000 : 100_000_000);
    }

    /** Connects to whoever listens; {@code null} when nobody can be reached. */
    @Nullable
    SimulatedSession connect(Peer peer) {
        SimulatedManager manager = listening;
        if (manager == null || !manager.alive() || cutOff.contains(peer.guid())) {
            return null;
        }
        SimulatedSession session = new SimulatedSession(site, ++lastSession, peer, manager);
        sessions.removeIf(old -> !old.managerOpen && !old.peerOpen);
        sessions.add(session);
        manager.connected(session);
        return session;
    }

    boolean reaches(long guid) {
        return !cutOff.contains(guid);
    }

    /** Separates a switch's agent from everybody; either end takes keep-alives to notice. */
    void cutOff(long guid) {
        cutOff.add(guid);
        for (SimulatedSession session : List.copyOf(sessions)) {
            if (session.peer.guid() == guid) {
                session.cut(keepAliveNanos(), keepAliveNanos());
            }
        }
    }

    void rejoin(long guid) {
        cutOff.remove(guid);
    }

    /** All connections of a process that died: the other ends are told at once, or have to miss it. */
    void processDied(SimulatedManager manager) {
        for (SimulatedSession session : List.copyOf(sessions)) {
            if (session.manager == manager) {
                session.cut(0, random.nextInt(10) == 0 ? keepAliveNanos() : delayNanos());
            }
        }
    }

    /** Three missed periods of two seconds, counted from any moment of one. */
    long keepAliveNanos() {
        return 6 * Simulation.SECOND + random.nextLong(2 * Simulation.SECOND);
    }

    List<SimulatedSession> sessions() {
        return sessions;
    }
}

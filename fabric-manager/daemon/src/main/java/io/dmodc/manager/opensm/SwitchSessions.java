package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect.Dismiss;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What agents of the switches that were found would say: a Hello when one is there, its ports, what changed of them, and an
 * end when it is not found any more. One that the core dismissed greets again {@value #AGAIN_SECONDS} s later, so that an agent that
 * speaks for the switch itself is not fought over often. For one thread.
 */
final class SwitchSessions {
    static final int AGAIN_SECONDS = 10;
    private static final long AGAIN_NANOS = AGAIN_SECONDS * 1_000_000_000L;

    /** It has none, and takes no part in the ring. */
    private static final RingAddress NO_RING = new RingAddress("", 0);

    private static final class Session {
        final long number;
        FoundSwitch told;

        Session(long number, FoundSwitch told) {
            this.number = number;
            this.told = told;
        }
    }

    private final Map<Long, Session> sessions = new TreeMap<>(Long::compareUnsigned);
    private final Map<Long, Long> againNanos = new HashMap<>();
    private long lastSession = SwitchRecord.BATCHED_SESSIONS;
    private int incarnation;

    /** @param incarnation above that of any start before */
    SwitchSessions(int incarnation) {
        this.incarnation = incarnation;
    }

    /** True for a session of a switch without an agent. */
    static boolean owns(long session) {
        return session > SwitchRecord.BATCHED_SESSIONS;
    }

    /** What there is to say of a fabric that was found; cables that went come first. */
    List<FabricEvent> found(Discovery found, long nowNanos) {
        List<FabricEvent> events = new ArrayList<>();
        for (FoundSwitch each : found.switches().values()) {
            Session session = sessions.get(each.guid());
            if (session != null && session.told.portCount() == each.portCount()) {
                tellChanges(session, each, nowNanos, events);
            }
        }
        for (Session session : List.copyOf(sessions.values())) {
            FoundSwitch now = found.switches().get(session.told.guid());
            if (now == null || now.portCount() != session.told.portCount()) {
                sessions.remove(session.told.guid());
                events.add(
                        new AgentLeft(nowNanos, session.number, session.told.guid(), "OpenSM's fabric is without it"));
            }
        }
        for (FoundSwitch each : found.switches().values()) {
            if (!sessions.containsKey(each.guid())
                    && againNanos.getOrDefault(each.guid(), Long.MIN_VALUE) <= nowNanos) {
                greet(each, nowNanos, events);
            }
        }
        return events;
    }

    private void greet(FoundSwitch each, long nowNanos, List<FabricEvent> events) {
        Session session = new Session(++lastSession, each);
        sessions.put(each.guid(), session);
        againNanos.remove(each.guid());
        // Nobody has read what it holds: it is to be told everything, and what comes of that is read back.
        HeldTable unknown = new HeldTable(0, 0, 0, 0);
        events.add(new AgentJoined(
                nowNanos, session.number, each.guid(), each.name(), each.portCount(), ++incarnation, unknown, NO_RING));
        List<PortSeen> ports = new ArrayList<>();
        for (int port = 1; port <= each.portCount(); port++) {
            if (each.isUp(port)) {
                ports.add(each.seen(port));
            }
        }
        events.add(new PortsReported(nowNanos, session.number, each.guid(), true, ports, Map.of(), each.rates()));
    }

    private static void tellChanges(Session session, FoundSwitch now, long nowNanos, List<FabricEvent> events) {
        List<PortSeen> changed = new ArrayList<>();
        for (int port = 1; port <= now.portCount(); port++) {
            Neighbour before = session.told.ports().get(port - 1);
            @Nullable Neighbour after = now.ports().get(port - 1);
            boolean otherRate =
                    !Objects.equals(session.told.rates().get(port), now.rates().get(port));
            if (!Objects.equals(before, after) || otherRate) {
                changed.add(new PortSeen(now.guid(), port, after != null, after == null ? before : after));
            }
        }
        session.told = now;
        if (!changed.isEmpty()) {
            events.add(new PortsReported(nowNanos, session.number, now.guid(), false, changed, Map.of(), now.rates()));
        }
    }

    /** The ports somebody asks about, as they were found last. */
    List<FabricEvent> asked(long number, List<Integer> ports, long nowNanos) {
        for (Session session : sessions.values()) {
            if (session.number == number) {
                FoundSwitch told = session.told;
                List<PortSeen> seen = ports.stream()
                        .filter(port -> port >= 1 && port <= told.portCount())
                        .map(told::seen)
                        .toList();
                return List.of(new PortsReported(nowNanos, number, told.guid(), false, seen, Map.of(), told.rates()));
            }
        }
        return List.of();
    }

    /** The core wants no more of this session. */
    List<FabricEvent> dismissed(Dismiss dismiss, long nowNanos) {
        for (Session session : sessions.values()) {
            if (session.number == dismiss.session()) {
                long guid = session.told.guid();
                sessions.remove(guid);
                againNanos.put(guid, nowNanos + AGAIN_NANOS);
                return List.of(new AgentLeft(nowNanos, dismiss.session(), guid, "dismissed: " + dismiss.text()));
            }
        }
        return List.of();
    }
}

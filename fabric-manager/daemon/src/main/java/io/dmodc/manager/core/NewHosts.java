package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.PortPlace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets one port bring {@link #PER_PORT_MAX} new hosts within an hour: each host port never seen before costs a node index
 * for ever, and a port that names one adapter after the other would use them all up.
 *
 * <p>A host beyond that is kept out of the fabric, as if nothing were plugged in there, and people are told once. What
 * the port said last is taken in when the hour of the oldest of the others is over. Hosts that have an index are
 * never kept out. A port that is down brings nobody: what its agent remembers of a forgotten host does not bring that back. Bounded: {@link #PER_PORT_MAX} hosts for each port that brought new ones within the hour, and one
 * report for each port that is full.
 */
final class NewHosts {
    static final int PER_PORT_MAX = 8;
    static final long HOUR_NANOS = 3_600_000_000_000L;

    /** A port brought a host never seen before. */
    private record Arrival(PortPlace port, long hostPortGuid, long nanos) {}

    /** What a full port said last. */
    record KeptOut(PortSeen seen, @Nullable Doubt doubt) {}

    private final FabricState state;
    private final Deque<Arrival> arrivals = new ArrayDeque<>();
    private final Map<PortPlace, List<Long>> byPort = new HashMap<>();
    private final Map<PortPlace, KeptOut> keptOut = new HashMap<>();

    /** Full ports of which the hour of a host is over. */
    private final DirtySet<PortPlace> withRoom = new DirtySet<>();

    NewHosts(FabricState state) {
        this.state = state;
    }

    /** What of this report may be taken in: all of it, or a port without a neighbour. */
    PortSeen admit(PortSeen seen, @Nullable Doubt doubt, long nowNanos, List<Effect> effects) {
        PortPlace port = new PortPlace(seen.guid(), seen.port());
        forgetOld(nowNanos);
        if (!seen.up()
                && seen.neighbour() instanceof ToHost gone
                && isNobody(gone.host().portGuid())) {
            return new PortSeen(seen.guid(), seen.port(), false, inItsPlace(seen));
        }
        if (!(seen.neighbour() instanceof ToHost to) || admits(port, to.host().portGuid(), nowNanos)) {
            keptOut.remove(port);
            return seen;
        }
        if (keptOut.put(port, new KeptOut(seen, doubt)) == null) {
            tell(seen, to, nowNanos, effects);
        }
        return new PortSeen(seen.guid(), seen.port(), seen.up(), null);
    }

    /** A host without an index in a fabric that has some: forgotten, or never there while a manager was. */
    private boolean isNobody(long hostPortGuid) {
        return state.identity.nodes.size() > 0 && !state.identity.nodes.knows(hostPortGuid);
    }

    /** A host that is known and was put at the port of a replaced one, which is what the agent remembers. */
    private @Nullable Neighbour inItsPlace(PortSeen seen) {
        return state.cabling.claim(seen.guid(), seen.port()) instanceof ToHost to
                        && state.identity.nodes.knows(to.host().portGuid())
                ? to
                : null;
    }

    private boolean admits(PortPlace port, long hostPortGuid, long nowNanos) {
        List<Long> brought = byPort.get(port);
        if (state.identity.nodes.knows(hostPortGuid) || (brought != null && brought.contains(hostPortGuid))) {
            return true;
        }
        if (brought != null && brought.size() >= PER_PORT_MAX) {
            return false;
        }
        byPort.computeIfAbsent(port, any -> new ArrayList<>(1)).add(hostPortGuid);
        arrivals.addLast(new Arrival(port, hostPortGuid, nowNanos));
        return true;
    }

    private void forgetOld(long nowNanos) {
        while (!arrivals.isEmpty() && nowNanos - arrivals.getFirst().nanos() >= HOUR_NANOS) {
            Arrival old = arrivals.removeFirst();
            List<Long> brought = byPort.get(old.port());
            if (brought != null) {
                brought.remove(old.hostPortGuid());
                if (keptOut.containsKey(old.port())) {
                    withRoom.add(old.port());
                }
                if (brought.isEmpty()) {
                    byPort.remove(old.port());
                }
            }
        }
    }

    /** What full ports said last, for those that have room now. */
    List<KeptOut> due(long nowNanos) {
        if (keptOut.isEmpty()) {
            return List.of();
        }
        forgetOld(nowNanos);
        List<KeptOut> due = new ArrayList<>();
        for (PortPlace port : withRoom.all()) {
            KeptOut last = keptOut.get(port);
            if (last != null && byPort.getOrDefault(port, List.of()).size() < PER_PORT_MAX) {
                due.add(last);
            }
        }
        withRoom.clear();
        return due;
    }

    /** When a port may have room again; {@code Long.MAX_VALUE}: none waits for it. */
    long nextDeadline() {
        return keptOut.isEmpty() || arrivals.isEmpty()
                ? Long.MAX_VALUE
                : arrivals.getFirst().nanos() + HOUR_NANOS;
    }

    /** The switch is part of the fabric no more. */
    void forgotten(long guid) {
        keptOut.keySet().removeIf(port -> port.guid() == guid);
    }

    private void tell(PortSeen seen, ToHost to, long nowNanos, List<Effect> effects) {
        Cable cable = new Cable(seen.port(), to.host().portGuid(), to.host().name(), 0);
        String text = state.nameOf(seen.guid()) + " port " + seen.port() + ": brought " + PER_PORT_MAX
                + " new hosts within an hour; host " + to.host().name() + " is kept out until the hour is over";
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                Severity.WARNING,
                Kind.TOO_MANY_NEW_HOSTS,
                seen.guid(),
                state.nameOf(seen.guid()),
                cable,
                text)));
    }
}

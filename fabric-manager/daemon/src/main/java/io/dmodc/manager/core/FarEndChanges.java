package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets what a port says to lead to change {@link #AT_ONCE_MAX} times at once, and then once a minute: to another port of a switch, to another host, or to
 * the same one with another name or other addresses. Each change is an epoch, and those of hosts are told to every switch that writes destinations into its hardware.
 *
 * <p>What comes sooner is held back, the newest alone, and people are told once until a change is taken in again; meanwhile the port leads where it did, and is up or
 * down as it says. Each port counts for itself: whoever moves all cables of a switch a few times within minutes is followed at once, and an
 * agent that lies of all its ports makes an epoch a minute for each.
 *
 * <p>A far end that is not known, yet or any more, is no change, nor is the one of before after it: so all ports come back after their agent was started anew. Bounded: a number for each port that changed
 * lately, an end for each that has none, and a report for each that waits.
 */
final class FarEndChanges {
    static final int AT_ONCE_MAX = 8;
    static final long EACH_NANOS = 60_000_000_000L;

    /** What a port said last. */
    record HeldBack(PortSeen seen, @Nullable Doubt doubt) {}

    private final FabricState state;

    /** When a port would have had no change for as long as it took: each one moves it on by a minute. */
    private final Map<PortPlace, Long> paidNanos = new HashMap<>();

    /** What ports led to that do not know it at present. */
    private final Map<PortPlace, Neighbour> lastEnds = new HashMap<>();

    private final Map<PortPlace, HeldBack> heldBack = new HashMap<>();

    /** Ports of which people were told, and no change was taken in since. */
    private final Set<PortPlace> told = new HashSet<>();

    /** When what is held back may be taken in. */
    private final Deadlines<PortPlace> releases = new Deadlines<>(Comparator.naturalOrder());

    FarEndChanges(FabricState state) {
        this.state = state;
    }

    /** What of this report may be taken in: all of it, or the port with the far end as it was. */
    PortSeen admit(PortSeen seen, @Nullable Doubt doubt, long nowNanos, List<Effect> effects) {
        PortPlace port = new PortPlace(seen.guid(), seen.port());
        Neighbour before = state.cabling.claim(seen.guid(), seen.port());
        if (!isOther(port, before, seen.neighbour())) {
            return taken(port, before, seen);
        }
        long paid = Math.max(paidNanos.getOrDefault(port, nowNanos), nowNanos) + EACH_NANOS;
        long early = paid - nowNanos - AT_ONCE_MAX * EACH_NANOS;
        if (early <= 0) {
            paidNanos.put(port, paid);
            told.remove(port);
            return taken(port, before, seen);
        }
        if (heldBack.put(port, new HeldBack(seen, doubt)) == null) {
            releases.set(port, nowNanos + early);
        }
        if (told.add(port)) {
            tell(seen, before, nowNanos, effects);
        }
        return new PortSeen(seen.guid(), seen.port(), seen.up(), before);
    }

    private boolean isOther(PortPlace port, @Nullable Neighbour before, @Nullable Neighbour says) {
        if (says == null || says.equals(before)) {
            return false;
        }
        Neighbour last = lastEnds.get(port);
        return before != null || (last != null && !last.isSameEnd(says));
    }

    private PortSeen taken(PortPlace port, @Nullable Neighbour before, PortSeen seen) {
        release(port);
        if (seen.neighbour() != null) {
            lastEnds.remove(port);
        } else if (before != null) {
            lastEnds.put(port, before);
        }
        return seen;
    }

    private void release(PortPlace port) {
        heldBack.remove(port);
        releases.cancel(port);
    }

    /** What ports said last that may change again. */
    List<HeldBack> due(long nowNanos) {
        List<HeldBack> now = new ArrayList<>();
        for (PortPlace port : releases.due(nowNanos)) {
            HeldBack last = heldBack.get(port);
            release(port);
            if (last != null) {
                now.add(last);
            }
        }
        return now;
    }

    /** When a port may change that is held back; {@code Long.MAX_VALUE}: none is. */
    long nextDeadline() {
        return releases.next();
    }

    /** The switch is part of the fabric no more. */
    void forgotten(long guid) {
        paidNanos.keySet().removeIf(port -> port.guid() == guid);
        lastEnds.keySet().removeIf(port -> port.guid() == guid);
        told.removeIf(port -> port.guid() == guid);
        List.copyOf(heldBack.keySet()).stream()
                .filter(port -> port.guid() == guid)
                .forEach(this::release);
    }

    private void tell(PortSeen seen, @Nullable Neighbour before, long nowNanos, List<Effect> effects) {
        boolean sameHost = before instanceof ToHost && before.isSameEnd(seen.neighbour());
        Cable cable = LinkTracker.ends(state, seen.port(), before);
        String name = state.nameOf(seen.guid());
        String text = name + " port " + seen.port() + ": "
                + (sameHost
                        ? "host " + cable.peerName() + " changes its name or addresses all the time"
                        : "leads elsewhere all the time, as its agent says")
                + "; from now on that is taken in once a minute";
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos, state.epoch, Severity.WARNING, Kind.HOST_CHANGES_OFTEN, seen.guid(), name, cable, text)));
    }
}

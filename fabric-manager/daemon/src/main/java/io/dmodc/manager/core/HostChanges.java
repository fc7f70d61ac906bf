package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets the host at a port change its name and addresses {@link #AT_ONCE_MAX} times at once, and then once a minute: each change is an
 * epoch, and told to every switch that writes destinations into its hardware.
 *
 * <p>What comes sooner is held back, the newest alone, and people are told once; the port itself is up or down as it says. Hosts that
 * are plugged in or moved are no change. Bounded: a number for each port whose host changed lately, and a report for each that waits.
 */
final class HostChanges {
    static final int AT_ONCE_MAX = 8;
    static final long EACH_NANOS = 60_000_000_000L;

    /** What a port said last. */
    record HeldBack(PortSeen seen, @Nullable Doubt doubt) {}

    private final FabricState state;

    /** When a port would have had no change for as long as it took: each one moves it on by a minute. */
    private final Map<PortPlace, Long> paidNanos = new HashMap<>();

    private final Map<PortPlace, HeldBack> heldBack = new HashMap<>();

    /** When what is held back may be taken in. */
    private final Deadlines<PortPlace> releases = new Deadlines<>(Comparator.naturalOrder());

    HostChanges(FabricState state) {
        this.state = state;
    }

    /** What of this report may be taken in: all of it, or the port with the host as it was. */
    PortSeen admit(PortSeen seen, @Nullable Doubt doubt, long nowNanos, List<Effect> effects) {
        PortPlace port = new PortPlace(seen.guid(), seen.port());
        if (!(state.cabling.claim(seen.guid(), seen.port()) instanceof ToHost before
                && before.isSameEnd(seen.neighbour())
                && !before.equals(seen.neighbour()))) {
            release(port);
            return seen;
        }
        long paid = Math.max(paidNanos.getOrDefault(port, nowNanos), nowNanos) + EACH_NANOS;
        long early = paid - nowNanos - AT_ONCE_MAX * EACH_NANOS;
        if (early <= 0) {
            release(port);
            paidNanos.put(port, paid);
            return seen;
        }
        if (heldBack.put(port, new HeldBack(seen, doubt)) == null) {
            releases.set(port, nowNanos + early);
            tell(seen, before, nowNanos, effects);
        }
        return new PortSeen(seen.guid(), seen.port(), seen.up(), before);
    }

    private void release(PortPlace port) {
        heldBack.remove(port);
        releases.cancel(port);
    }

    /** What ports said last whose hosts may change again. */
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

    /** When a host may change that is held back; {@code Long.MAX_VALUE}: none is. */
    long nextDeadline() {
        return releases.next();
    }

    /** The switch is part of the fabric no more. */
    void forgotten(long guid) {
        paidNanos.keySet().removeIf(port -> port.guid() == guid);
        List.copyOf(heldBack.keySet()).stream()
                .filter(port -> port.guid() == guid)
                .forEach(this::release);
    }

    private void tell(PortSeen seen, ToHost before, long nowNanos, List<Effect> effects) {
        Cable cable =
                new Cable(seen.port(), before.host().portGuid(), before.host().name(), 0);
        String name = state.nameOf(seen.guid());
        String text = name + " port " + seen.port() + ": host " + before.host().name()
                + " changes its name or addresses all the time; from now on that is taken in once a minute";
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos, state.epoch, Severity.WARNING, Kind.HOST_CHANGES_OFTEN, seen.guid(), name, cable, text)));
    }
}

package io.dmodc.manager.core;

import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Knows of each drained switch and cable whether it still carries something: as long as a neighbour may have an entry that leads there, and
 * until the packets that were sent before have left. Then, once a crash cannot undo the drain, it is safe to unplug, and people are told.
 *
 * <p>A neighbour that is drained, too, counts as long as something may be sent there; what the hosts of a drained leaf send does not. Looked at
 * when an epoch is complete, and at most every {@value #LOOK_MILLIS} ms: O(neighbours × spans) for each. What was safe is looked at before an
 * epoch is complete, too, as links come up at any time.
 */
final class DrainWatch {
    private static final long LOOK_MILLIS = 100;
    private static final long LOOK_NANOS = LOOK_MILLIS * 1_000_000;

    /** Names of switches that are told, at most. */
    private static final int NAMES_MAX = 20;

    /**
     * What is known of one that is drained.
     *
     * @param emptyNanos since when nothing leads there; {@code Long.MAX_VALUE} while something does
     * @param senders who may still send there, at most {@link #NAMES_MAX}
     */
    record Drain(long emptyNanos, boolean safe, List<String> senders) {
        private static final Drain BEGUN = new Drain(Long.MAX_VALUE, false, List.of());
    }

    private final FabricState state;
    private final NavigableMap<PortPlace, Drain> drains = new TreeMap<>();
    private long lookedNanos;
    private boolean look = true;

    /** Something happened since. */
    private boolean late;

    /** Drained switches that something may be sent to, as looked at last. */
    private Set<Long> carrying = Set.of();

    DrainWatch(FabricState state) {
        this.state = state;
    }

    /** What is wanted changed. */
    void lookAgain() {
        look = true;
    }

    Drain of(PortPlace place) {
        return drains.getOrDefault(place, Drain.BEGUN);
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        if (state.intent.drains().isEmpty() && drains.isEmpty()) {
            late = false;
            return;
        }
        drains.keySet().removeIf(place -> !state.intent.isDrained(place));
        late = !look && nowNanos < lookedNanos + LOOK_NANOS;
        if (late) {
            return;
        }
        look = false;
        lookedNanos = nowNanos;
        carrying = carrying();
        for (Intent intent : state.intent.drains()) {
            PortPlace place = new PortPlace(intent.guid(), intent.port());
            Drain before = of(place);
            Drain now = next(place, before, nowNanos);
            if (!now.equals(before)) {
                drains.put(place, now);
                state.touchSwitch(place.guid());
            }
            if (now.safe() != before.safe()) {
                tell(place, now, nowNanos, effects);
            }
        }
    }

    private Drain next(PortPlace place, Drain before, long nowNanos) {
        EpochRecord serving = state.serving;
        boolean settled = serving != null && serving.stage == Stage.COMPLETE && state.calm();
        if (!settled && !before.safe()) {
            return Drain.BEGUN;
        }
        List<String> senders = senders(place);
        if (!senders.isEmpty()) {
            return new Drain(Long.MAX_VALUE, false, senders);
        }
        long since = Math.min(before.emptyNanos(), nowNanos);
        boolean left = state.rules.drainKnown() && nowNanos - since >= state.rules.drainNanos();
        return new Drain(since, before.safe() || (left && state.records.askedIsPersisted()), List.of());
    }

    /** Those that a switch sends to which is not drained, and those that one of them sends to. */
    private Set<Long> carrying() {
        Set<Long> found = new HashSet<>();
        carrying = found;
        boolean more = true;
        while (more) {
            more = false;
            for (PortPlace place : state.intent.drained()) {
                if (place.port() == 0 && !found.contains(place.guid())) {
                    more |= !senders(place).isEmpty() && found.add(place.guid());
                }
            }
        }
        return found;
    }

    /** Switches that may have an entry that leads there. */
    private List<String> senders(PortPlace place) {
        List<String> senders = new ArrayList<>();
        if (!state.cabling.knows(place.guid()) || (place.port() == 0 && !state.cabling.alive(place.guid()))) {
            return senders;
        }
        int portCount = state.cabling.portCount(place.guid());
        int first = place.port() == 0 ? 1 : place.port();
        int last = place.port() == 0 ? portCount : Math.min(place.port(), portCount);
        for (int port = first; port <= last; port++) {
            if (state.cabling.neighbour(place.guid(), port) instanceof ToSwitch to
                    && mayCarry(place.guid(), port, to)) {
                addIfSends(to.guid(), to.port(), senders);
                if (place.port() != 0) {
                    addIfSends(place.guid(), port, senders);
                }
            }
        }
        return senders;
    }

    /**
     * No route leads through a cable of which one end has not said that it is up, and a switch that cannot say so may send there. Where neither end can
     * say anything now, what they said last counts: a switch that is held to be dead may forward again.
     */
    private boolean mayCarry(long guid, int port, ToSwitch to) {
        boolean near = saysUp(guid, port);
        boolean far = saysUp(to.guid(), to.port());
        boolean nearNow = near && isReachable(guid);
        boolean farNow = far && isReachable(to.guid());
        boolean untold = near && far && !isReachable(guid) && !isReachable(to.guid());
        return state.cabling.isLive(guid, port) || nearNow || farNow || untold;
    }

    private boolean saysUp(long guid, int port) {
        SwitchRecord record = state.switches.get(guid);
        return record != null && port <= record.portCount && state.cabling.saysUp(guid, port);
    }

    private boolean isReachable(long guid) {
        SwitchRecord record = state.switches.get(guid);
        return record != null && record.reachable();
    }

    private void addIfSends(long guid, int port, List<String> senders) {
        SwitchRecord record = state.switches.get(guid);
        if (record == null || senders.size() == NAMES_MAX || isEmpty(record)) {
            return;
        }
        // A switch that was held to be dead is on record without entries, too, and may forward by what it had.
        boolean unknown = record.ackedRow == null || (record.awaited && record.ackedEntries == 0);
        if ((unknown || record.possibleRows().stream().anyMatch(row -> leadsThrough(row, port)))
                && !senders.contains(record.name)) {
            senders.add(record.name);
        }
    }

    private boolean isEmpty(SwitchRecord record) {
        return state.intent.isDrained(new PortPlace(record.guid, 0)) && !carrying.contains(record.guid);
    }

    /** True if some entry of the row leads out of this port. */
    static boolean leadsThrough(LftRow row, int port) {
        int first = TurnTableSet.isTurnTable(row) ? TurnTableSet.HEADER : 0;
        int spans = (row.entryCount() + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
        for (int k = 0; k < spans; k++) {
            boolean can = (row.entrySet(k)[port >> 6] >>> port & 1) != 0;
            int end = Math.min(row.entryCount(), (k + 1) * LftRow.SPAN_COLUMNS);
            for (int d = Math.max(first, k * LftRow.SPAN_COLUMNS); can && d < end; d++) {
                if (row.port(d) == port) {
                    return true;
                }
            }
        }
        return false;
    }

    private void tell(PortPlace place, Drain now, long nowNanos, List<Effect> effects) {
        String name = state.nameOf(place);
        String text = now.safe()
                ? name + " is drained: safe to unplug"
                : name + " is drained and not safe to unplug any more: " + String.join(", ", now.senders())
                        + " may send there";
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                now.safe() ? Severity.INFO : Severity.WARNING,
                now.safe() ? Kind.SAFE_TO_UNPLUG : Kind.NOT_SAFE_TO_UNPLUG,
                place.guid(),
                state.nameOf(place.guid()),
                null,
                text)));
    }

    /** When what was sent before has left, or what happened lately is looked at. */
    long nextDeadline() {
        long next = late ? lookedNanos + LOOK_NANOS : Long.MAX_VALUE;
        for (Drain drain : drains.values()) {
            if (state.rules.drainKnown()
                    && !drain.safe()
                    && drain.emptyNanos() != Long.MAX_VALUE
                    && state.records.askedIsPersisted()) {
                next = Math.min(
                        next, Math.max(lookedNanos + LOOK_NANOS, drain.emptyNanos() + state.rules.drainNanos()));
            }
        }
        return next;
    }
}

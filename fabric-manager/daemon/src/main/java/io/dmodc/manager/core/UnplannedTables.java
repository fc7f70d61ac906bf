package io.dmodc.manager.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Switches that forward by tables nobody planned with, and so call for another plan. The first time that is at once; one that calls again soon is
 * heard after ever longer, as a push that is refused is sent again: after the acknowledgement timeout, twice that, a minute at most. So one agent, whatever it
 * says of its table, makes one epoch in a minute in the end, and one for each entry more that it refuses. Meanwhile what it says is known and reckoned with, and its switch waits, all others go on. It begins anew
 * when it was quiet for twice the longest wait.
 *
 * <p>At most one entry a switch.
 */
final class UnplannedTables {
    private final FabricState state;
    private final PushGate gate;
    private final PushesUnderWay underWay;

    /** When switches that called too soon are heard. */
    private final Deadlines<Long> waiting = new Deadlines<>(Long::compareUnsigned);

    UnplannedTables(FabricState state, PushGate gate, PushesUnderWay underWay) {
        this.state = state;
        this.gate = gate;
        this.underWay = underWay;
    }

    /** It forwards by a table that nobody planned with: nothing that was planned leaves, once it is heard. */
    void surprised(SwitchRecord record, String how, long nowNanos) {
        record.surprise = how;
        boolean more = refusesMore(record);
        if (hears(record, nowNanos) || more) {
            waiting.cancel(record.guid);
            planAnew(record, nowNanos);
        }
    }

    /** True if packets are lost by entries that it did not refuse before, until others lead around it: that is heard at once, at most once for each such entry. */
    private static boolean refusesMore(SwitchRecord record) {
        int refused = record.refusedEntries.ports().size();
        boolean more = refused > record.refusedMost;
        record.refusedMost = Math.max(refused, record.refusedMost);
        return more;
    }

    private void planAnew(SwitchRecord record, long nowNanos) {
        gate.planFails();
        state.news.add(nowNanos, record.name + " " + Objects.requireNonNull(record.surprise));
        record.surprise = null;
    }

    /** It can be told its table, and there is no plan for that. */
    void canBeTold(SwitchRecord record, long nowNanos) {
        if (hears(record, nowNanos)) {
            state.news.add(nowNanos, record.name + " can be told its table");
        }
    }

    /** True if it calls for a plan now; false: it waits until it does. */
    private boolean hears(SwitchRecord record, long nowNanos) {
        if (waits(record)) {
            return false;
        }
        long since = nowNanos - record.plannedAnewNanos;
        boolean soon = record.plannedAnew > 0 && since <= 2 * underWay.longestWaitNanos();
        long wait = soon ? underWay.waitNanos(record.plannedAnew) : 0;
        if (since < wait) {
            waiting.set(record.guid, record.plannedAnewNanos + wait);
            return false;
        }
        record.refusedMost =
                soon ? record.refusedMost : record.refusedEntries.ports().size();
        record.plannedAnew = soon ? record.plannedAnew + 1 : 1;
        record.plannedAnewNanos = nowNanos;
        return true;
    }

    /** True while it is not given anything, as it is not heard yet. */
    boolean waits(SwitchRecord record) {
        return waiting.contains(record.guid);
    }

    /** Those that waited long enough are heard; returns the ones that nobody plans anew for, but that can be told their table. */
    List<SwitchRecord> timePassed(long nowNanos) {
        List<SwitchRecord> told = new ArrayList<>();
        for (long guid : waiting.takeDue(nowNanos)) {
            SwitchRecord record = state.switches.get(guid);
            if (record != null && record.surprise != null && record.desiredRow != null) {
                hears(record, nowNanos);
                planAnew(record, nowNanos);
            } else if (record != null) {
                told.add(record);
            }
        }
        return told;
    }

    /** A computation is begun, which knows what all hold. */
    void planned() {
        for (long guid : List.copyOf(waiting.keys())) {
            waiting.cancel(guid);
            SwitchRecord record = state.switches.get(guid);
            if (record != null) {
                record.surprise = null;
            }
        }
    }

    /** When somebody is heard next. */
    long nextDeadline() {
        return waiting.next();
    }
}

package io.dmodc.manager.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Switches that forward by tables nobody planned with, and so call for another plan, heard as {@link CallLimit} has it. So one agent, whatever it
 * says of its table, makes one epoch in a minute in the end, and one for each entry more that it refuses. Meanwhile what it says is known and reckoned with, and its switch waits, all others go on.
 */
final class UnplannedTables {
    private final FabricState state;
    private final PushGate gate;
    private final CallLimit limit;

    UnplannedTables(FabricState state, PushGate gate) {
        this.state = state;
        this.gate = gate;
        limit = new CallLimit(state);
    }

    /** It forwards by a table that nobody planned with: nothing that was planned leaves, once it is heard. */
    void surprised(SwitchRecord record, String how, long nowNanos) {
        record.surprise = how;
        boolean more = refusesMore(record);
        if (hears(record, nowNanos) || more) {
            limit.cancel(record.guid);
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
        boolean soon = limit.times(record.guid, nowNanos) > 0;
        if (!limit.hears(record.guid, nowNanos)) {
            return false;
        }
        record.refusedMost =
                soon ? record.refusedMost : record.refusedEntries.ports().size();
        return true;
    }

    /** True while it is not given anything, as it is not heard yet. */
    boolean waits(SwitchRecord record) {
        return limit.waits(record.guid);
    }

    /** Those that waited long enough are heard; returns the ones that nobody plans anew for, but that can be told their table. */
    List<SwitchRecord> timePassed(long nowNanos) {
        List<SwitchRecord> told = new ArrayList<>();
        for (long guid : limit.takeDue(nowNanos)) {
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
        for (long guid : limit.waiting()) {
            limit.cancel(guid);
            SwitchRecord record = state.switches.get(guid);
            if (record != null) {
                record.surprise = null;
            }
        }
    }

    /** It is part of the fabric no more. */
    void forgotten(long guid) {
        limit.forgotten(guid);
    }

    /** When somebody is heard next. */
    long nextDeadline() {
        return limit.nextDeadline();
    }
}

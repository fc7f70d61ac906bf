package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.TableProgressed;
import io.dmodc.manager.core.SwitchRecord.InFlight;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pushes that wait for an answer, one a switch at most, and when each is sent again. */
final class PushesUnderWay {
    /** Longest wait between two tries, unless the first is longer. */
    static final long RETRY_MAX_NANOS = 60_000_000_000L;

    /** Doublings after which any wait that is allowed has reached the longest. */
    private static final int DOUBLINGS_MAX = 13;

    /** So long after its switch wrote some of it, a table is not sent again. */
    static final long PROGRESS_NANOS = 5_000_000_000L;

    /** So long a table may take to be written, however slowly it goes on. */
    static final long WRITING_MAX_NANOS = 600_000_000_000L;

    private final FabricState state;
    private final AlternativeNews alternatives;

    /** When pushes under way are sent again, by the switch they are for. */
    private final Deadlines<Long> repeats = new Deadlines<>(Long::compareUnsigned);

    PushesUnderWay(FabricState state, AlternativeNews alternatives) {
        this.state = state;
        this.alternatives = alternatives;
    }

    /** Switches whose push is to be sent again, in no order. */
    List<Long> due(long nowNanos) {
        return repeats.due(nowNanos);
    }

    /** When the next one is. */
    long next() {
        return repeats.next();
    }

    /** Waits for the answer to this push; null: for none. */
    void await(SwitchRecord record, @Nullable InFlight push) {
        record.inFlight = push;
        alternatives.changed(record);
        state.snapshots.switchChanged(record.guid);
        scheduleRepeat(record);
    }

    /** What is under way is sent again some time, as long as its agent can be told something. */
    void scheduleRepeat(SwitchRecord record) {
        InFlight push = record.inFlight;
        if (push != null && record.reachable()) {
            repeats.set(record.guid, push.deadlineNanos());
        } else {
            repeats.cancel(record.guid);
        }
    }

    /** The n-th try is waited for 2^(n-1) times as long as the first. */
    long waitNanos(int tries) {
        return waitNanos(state.rules, tries);
    }

    static long waitNanos(FabricRules rules, int tries) {
        long first = rules.ackTimeoutNanos();
        long doubled = first << Math.min(tries - 1, DOUBLINGS_MAX);
        return Math.min(doubled, Math.max(first, RETRY_MAX_NANOS));
    }

    long longestWaitNanos() {
        return longestWaitNanos(state.rules);
    }

    static long longestWaitNanos(FabricRules rules) {
        return waitNanos(rules, DOUBLINGS_MAX);
    }

    /**
     * A switch that writes is left to it, as long as it goes on: its agent is neither sent the table again nor flagged. It may be
     * at a table of an earlier session yet, behind which this one waits. Its tries count from there anew, but not its refusals:
     * one that writes some of each table and then says no comes to an end, too.
     */
    void progressed(TableProgressed progress) {
        SwitchRecord record = state.switches.get(progress.guid());
        InFlight push = record == null || record.session != progress.session() ? null : record.inFlight;
        if (record == null
                || push == null
                || push.refused()
                || (push.writing() == progress.fabricEpoch() && progress.done() <= push.written())
                || progress.nowNanos() - push.sinceNanos() > WRITING_MAX_NANOS) {
            return;
        }
        long deadline = Math.max(push.deadlineNanos(), progress.nowNanos() + PROGRESS_NANOS);
        record.inFlight = new InFlight(
                push.update(),
                deadline,
                1,
                false,
                push.sinceNanos(),
                progress.fabricEpoch(),
                progress.done(),
                push.refusals());
        scheduleRepeat(record);
    }
}

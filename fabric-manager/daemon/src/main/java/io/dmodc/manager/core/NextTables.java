package io.dmodc.manager.core;

import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.routing.LftRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which table each switch may be given now: what was planned for it, as far as its round has come and nothing holds all back. */
final class NextTables {
    private final FabricState state;
    private final PushRounds rounds;
    private final PushGate gate;
    private final UnplannedTables unplanned;

    NextTables(FabricState state, PushRounds rounds, PushGate gate, UnplannedTables unplanned) {
        this.state = state;
        this.rounds = rounds;
        this.gate = gate;
        this.unplanned = unplanned;
    }

    /** The table that its switch may be given now; {@code null} if it waits for others, for the store or for a plan. */
    @Nullable
    PlannedTable next(SwitchRecord record, long nowNanos) {
        if (!gate.letsPass(nowNanos)) {
            return null;
        }
        PlannedTable last = wanted(record);
        if (record.servesNobody()
                && !record.lostSince(wantedEpoch())
                && rounds.change().neverTurns()) {
            return last;
        }
        if (gate.awaitsPlan(isPlannedWith(record), round(record)) || unplanned.waits(record)) {
            return null;
        }
        if (record.upToDate()) {
            return last;
        }
        if (record.due.isEmpty() && !goesOnAsPlanned(record, nowNanos)) {
            return null;
        }
        if (record.due.isEmpty()) {
            return rounds.mayLeaveLast(record.guid) ? last : null;
        }
        PlannedTable next = record.due.get(0);
        return rounds.mayLeave(record.guid, next.round(), nowNanos) ? next : null;
    }

    private long wantedEpoch() {
        return Objects.requireNonNull(state.tables).epoch();
    }

    /** What nobody planned comes behind all that was. */
    private static int round(SwitchRecord record) {
        return !record.due.isEmpty() ? record.due.get(0).round() : record.upToDate() ? 1 : PushRounds.DONE;
    }

    /** What it is to hold in the end. */
    static PlannedTable wanted(SwitchRecord record) {
        return new PlannedTable(PushRounds.DONE, Objects.requireNonNull(record.desiredRow), record.desiredDigest);
    }

    /**
     * It can be told its table since the change was planned, or was planned with and could not be told since: the next plan has it. If the last epoch was
     * refused, so that none may come for long, it is given what it was to be given.
     *
     * @return false if there will be another plan
     */
    private boolean goesOnAsPlanned(SwitchRecord record, long nowNanos) {
        EpochRecord epoch = state.epochs.peekLast();
        if (epoch == null || epoch.stage != Stage.REFUSED) {
            unplanned.canBeTold(record, nowNanos);
            return false;
        }
        record.due = rounds.left(record);
        record.countedOn = true;
        return true;
    }

    /** The computation under way knows that it may be given its next table. */
    private static boolean isPlannedWith(SwitchRecord record) {
        return !record.due.isEmpty() && record.due.get(0).equals(record.plannedWith);
    }

    /**
     * Every row that a switch may have until other tables are accepted: those it may have now, and the next that it may be given; none if it may have
     * any. What else was planned waits until then, and so does all while nothing may leave.
     */
    List<LftRow> inForceMeanwhile(SwitchRecord record, long nowNanos) {
        List<LftRow> rows = record.ackedRow == null ? List.of() : record.possibleRows();
        record.plannedWith = null;
        if (!gate.keepsBack()
                && !record.due.isEmpty()
                && rounds.mayLeave(record.guid, record.due.get(0).round(), nowNanos)) {
            PlannedTable next = record.due.get(0);
            record.plannedWith = next;
            if (record.ackedRow != null) {
                rows = new ArrayList<>(rows);
                rows.add(next.row());
            }
        }
        return rows;
    }
}

package io.dmodc.manager.core;

import io.dmodc.manager.core.SwitchRecord.PossibleRow;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.routing.LftRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps on record what each switch may hold, or may be given before it holds what it should, so that a manager that starts knows it of those whose agents do not come.
 *
 * <p>A row that is wanted by the last view on record needs no more than its digest: it is computed again; and while nothing may leave, nobody has it but who
 * acknowledged it, or was sent it before. Others are kept,
 * as differences where that can be; of those at most {@value #KEPT_MAX} bytes in one batch. What is beyond is not known after a restart.
 */
final class HeldTableRecords {
    static final int KEPT_MAX = 16 << 20;

    private final FabricState state;
    private final int keptMax;

    /** Switches of which the record is not written yet. */
    private final DirtySet<Long> changed = new DirtySet<>();

    /** @param keptMax bytes of rows in one batch */
    HeldTableRecords(FabricState state, int keptMax) {
        this.state = state;
        this.keptMax = keptMax;
    }

    /** What this switch may hold is other than its record says. */
    void changed(SwitchRecord record) {
        changed.add(record.guid);
    }

    /** Other tables are wanted: of a switch that does not surely hold its own, what it may hold is kept anew. */
    void wantedChanged(SwitchRecord record) {
        if (!record.surelyUpToDate() && record.mayHoldAnything()) {
            changed.add(record.guid);
        }
    }

    /** Writes what changed since the last call. */
    void write() {
        long room = keptMax;
        for (long guid : changed.all()) {
            SwitchRecord record = state.switches.get(guid);
            if (record == null) {
                state.records.observed(new Removed(new StateRecord.Key(StateRecord.Kind.HELD_TABLE, guid, 0, "")));
                continue;
            }
            List<KeptRow> rows = rows(record, state.tablesHeldBack ? List.of() : record.due);
            if (size(rows) > room) {
                rows = rows(record, List.of());
            }
            boolean fits = size(rows) <= room;
            room -= fits ? size(rows) : 0;
            state.records.observed(new StateRecord.HeldTable(
                    guid,
                    record.awaited ? record.recordedBy : state.leaderEpoch(),
                    record.ackedEpoch,
                    record.ackedEntries,
                    record.ackedDigest,
                    record.transitHellos,
                    fits ? rows : List.of()));
        }
        changed.clear();
    }

    private static long size(List<KeptRow> rows) {
        return rows.stream().mapToLong(row -> row.entries().length).sum();
    }

    private List<KeptRow> rows(SwitchRecord record, List<PlannedTable> due) {
        if (state.restored.pending()) {
            // What they differ from is not known again yet.
            return state.restored.kept(record.guid);
        }
        LftRow desired = record.desiredRow;
        PossibleRow wanted =
                desired == null ? state.restored.wanted(record.guid) : new PossibleRow(desired, record.desiredDigest);
        List<KeptRow> rows = new ArrayList<>();
        List<PossibleRow> all = record.possible();
        due.forEach(table -> all.add(new PossibleRow(table.row(), table.digest())));
        for (PossibleRow possible : all) {
            if (possible.row().entryCount() > 0 && (wanted == null || !isImplied(record, possible, wanted))) {
                rows.add(row(possible, record.reachable() && record.refusedEntries.isEmpty() ? wanted : null));
            }
        }
        return rows;
    }

    /** True if whoever computes the wanted row again knows without a word that the switch may hold this one. What it refuses is not computed again. */
    private boolean isImplied(SwitchRecord record, PossibleRow possible, PossibleRow wanted) {
        return possible.row().sameEntries(wanted.row())
                && record.refusedEntries.isEmpty()
                && (!state.tablesHeldBack || record.isHeld(possible.row().entryCount(), possible.digest()));
    }

    private static KeptRow row(PossibleRow possible, @Nullable PossibleRow base) {
        return base != null && possible.row().entryCount() <= base.row().entryCount()
                ? KeptRows.differing(possible.row(), possible.digest(), base.row(), base.digest())
                : KeptRows.whole(possible.row(), possible.digest());
    }
}

package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the last run, computed again from what it left, so that the manager knows what switches forward with whose
 * agents do not come: records keep digests, and a digest that fits tells the row.
 *
 * <p>The view is drawn from the records alone, before the first event, and gives the same tables as it gave then. Nothing is
 * pushed for it. A switch whose digest does not fit holds an older table, or that one if the manager ended before it had written
 * the acknowledgement down: both count as far as they are known ({@link SwitchRecord#possibleRows}).
 */
final class RestoredTables {
    private final FabricState state;

    /** What switches may hold besides the wanted row, by GUID. */
    private final Map<Long, List<KeptRow>> kept = new HashMap<>();

    private @Nullable FabricView view;
    private boolean computing;

    RestoredTables(FabricState state, StoredState stored) {
        this.state = state;
        stored.all(HeldTable.class).forEach(held -> kept.put(held.guid(), held.rows()));
        view = stored.fabricEpoch() == 0
                ? null
                : state.cabling.buildByLevels(
                        stored.fabricEpoch(), state.nodes, state.levels().levels());
    }

    /** True until the tables were computed, or turned out not to be computable. */
    boolean pending() {
        return view != null;
    }

    /** Has them computed if that was not begun. */
    void start(List<Effect> effects) {
        if (view != null && !computing) {
            computing = true;
            effects.add(new Effect.Compute(view, heldThen(view)));
        }
    }

    /** The rows of those that could not be told anything then, as far as they are on record: the others' tables fitted them. */
    private Map<Integer, List<LftRow>> heldThen(FabricView drawn) {
        Map<Integer, List<LftRow>> held = new TreeMap<>();
        for (SwitchRecord record : state.switches.values()) {
            int s = drawn.switchOf(record.guid);
            List<LftRow> rows = record.ackedEntries > 0 ? record.possibleRows() : List.of();
            if (s >= 0 && drawn.alive(s) && !rows.isEmpty()) {
                held.put(s, rows);
            }
        }
        return held;
    }

    /** Takes the result in if it is the one that is waited for. */
    boolean take(Routed routed) {
        FabricView drawn = view;
        if (drawn == null || !computing || routed.epoch() != drawn.epoch()) {
            return false;
        }
        view = null;
        LftSet tables = routed.result().tables();
        if (tables != null) {
            state.switches.values().forEach(record -> {
                compare(record, drawn, tables, routed.digests());
                state.snapshots.switchChanged(record.guid);
            });
        }
        kept.clear();
        return true;
    }

    private void compare(SwitchRecord record, FabricView drawn, LftSet tables, long[] digests) {
        int s = drawn.switchOf(record.guid);
        if (s < 0 || !drawn.alive(s)) {
            return;
        }
        LftRow row = tables.row(s);
        if (!record.awaited) {
            recognise(record, row, digests[s]);
            return;
        }
        if (!recognise(record, row, digests[s])) {
            record.mayHold(row, digests[s]);
        }
        for (KeptRow other : kept.getOrDefault(record.guid, List.of())) {
            LftRow known = other.whole() ? null : KeptRows.row(other, row, digests[s]);
            if (known != null) {
                Restoring.restore(record, known, other.digest());
            }
        }
    }

    /** A digest that fits tells the row that its switch holds. */
    private static boolean recognise(SwitchRecord record, LftRow row, long digest) {
        boolean fits = record.ackedEntries == row.entryCount() && record.ackedDigest == digest;
        record.ackedRow = fits ? row : record.ackedRow;
        return fits;
    }
}

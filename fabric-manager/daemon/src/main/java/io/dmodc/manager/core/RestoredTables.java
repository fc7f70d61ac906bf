package io.dmodc.manager.core;

import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.SwitchRecord.PossibleRow;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the last run, computed again from what it left, so that the manager knows what switches forward with whose
 * agents do not come: records keep digests, and a digest that fits tells the row.
 *
 * <p>The view is drawn from the records alone, before the first event, and gives the same tables as it gave then. Nothing is
 * pushed for it. A switch whose digest does not fit holds an older table, or that one if the manager ended before it had written
 * the acknowledgement down: both count as far as they are known ({@link SwitchRecord#possibleRows}), unless none of the last tables had left. Where a
 * switch holds what none of this tells, port groups may have been counted in the other order then: what fits better counts. Where settings that
 * decide tables are others than then, only digests that fit count. Where none does, the
 * tables may have been those of the fall-back engine; where there are none at all, another try from scratch may find them.
 */
final class RestoredTables {
    private final FabricState state;

    /** What switches may hold besides the wanted row, by GUID; until the tables are known. */
    private final Map<Long, List<KeptRow>> kept = new HashMap<>();

    /** Awaited switches whose neighbours saw all links down before the tables were known. */
    private final Set<Long> lost = new HashSet<>();

    /** Of the last accepted epoch; {@code null} without one, and from the next one on. */
    private @Nullable FabricView view;

    /** That view with what was drained. */
    private @Nullable FabricView works;

    /** Both with the other order of port groups. */
    private @Nullable FabricView otherView;

    private @Nullable FabricView otherWorks;

    /** That made them; empty for that of the settings, as releases before wrote it. */
    private final String engine;

    /** Digest of what else decided them; 0 if nobody wrote it down. */
    private final long basis;

    private boolean pending;

    /** The other order is tried now, or was. */
    private boolean otherOrder;

    /** How it is computed now; {@code null} before the first try. */
    private @Nullable Method method;

    /** Those whose digests fit best so far, {@code null} while there are none, and how many do. */
    private @Nullable Tables tables;

    private long[] digests = new long[0];
    private int fits = -1;

    RestoredTables(FabricState state, StoredState stored) {
        this.state = state;
        stored.all(HeldTable.class).forEach(held -> kept.put(held.guid(), held.rows()));
        FabricEpoch last = stored.lastEpoch();
        engine = last.engine();
        basis = last.basis();
        if (last.epoch() > 0) {
            FabricView cables = state.cabling.buildByLevels(
                    last.epoch(), state.identity.nodes, state.identity.levels().levels());
            FabricView drawn = state.identity.planes.numberKnown(cables, Set.of());
            FabricView other = state.identity.planes.otherwise(cables);
            works = drawn;
            view = routed(last, drawn);
            otherWorks = other;
            otherView = routed(last, other);
        }
        pending = view != null;
    }

    private static FabricView routed(FabricEpoch last, FabricView works) {
        return IntentSnapshot.without(last.drained(), works).without(new BitSet(), last.slow());
    }

    /** True until the tables were computed, or turned out not to be computable. */
    boolean pending() {
        return pending;
    }

    /** Has them computed if that was not begun. */
    void start(List<Effect> effects) {
        if (pending && method == null) {
            compute(Method.INCREMENTAL, effects);
        }
    }

    private void compute(Method how, List<Effect> effects) {
        FabricView drawn = Objects.requireNonNull(view);
        method = how;
        String asked = engine.equals(state.settingsEngine) ? "" : engine;
        effects.add(new Effect.Compute(
                drawn,
                Objects.requireNonNull(works),
                heldThen(drawn),
                Map.of(),
                Map.of(),
                null,
                how,
                asked,
                state.terms(),
                state.moves.accepted()));
    }

    /** What is on record of a switch besides the row wanted then; while {@link #pending}. */
    List<KeptRow> kept(long guid) {
        return kept.getOrDefault(guid, List.of());
    }

    /** An awaited switch may come back without its table. */
    void lost(long guid) {
        if (pending) {
            lost.add(guid);
            kept.remove(guid);
        }
    }

    /** The row that was wanted of a switch by the last accepted epoch; {@code null} when it is not known, and from the next epoch on. */
    @Nullable
    PossibleRow wanted(long guid) {
        FabricView drawn = view;
        Tables then = tables;
        int s = drawn == null ? -1 : drawn.switchOf(guid);
        return drawn == null || then == null || pending || !areThoseOfThen() || s < 0 || !drawn.alive(s)
                ? null
                : new PossibleRow(then.row(s), digests[s]);
    }

    /** Other tables are wanted. */
    void replaced() {
        view = null;
        works = null;
        otherView = null;
        otherWorks = null;
        tables = null;
        digests = new long[0];
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

    /** Takes the result in if it is one that is waited for. */
    boolean take(Routed routed, List<Effect> effects) {
        FabricView drawn = view;
        Method how = method;
        if (!pending || drawn == null || how == null || routed.epoch() != drawn.epoch()) {
            return false;
        }
        Tables result = routed.result().made();
        int fitting = result == null ? -1 : fitting(drawn, result, routed.digests());
        if (fitting > fits) {
            fits = fitting;
            tables = result;
            digests = routed.digests();
        } else if (otherOrder && how == Method.INCREMENTAL) {
            takeOtherOrder();
        }
        if (fits <= 0 && !otherOrder && how == Method.INCREMENTAL && result == null) {
            compute(Method.FRESH, effects);
        } else if (!otherOrder && anyUnknown(drawn)) {
            otherOrder = true;
            takeOtherOrder();
            compute(Method.INCREMENTAL, effects);
        } else if (fits <= 0 && how != Method.FALLBACK && anyHeld(drawn) && state.refused.hasFallback()) {
            compute(Method.FALLBACK, effects);
        } else {
            pending = false;
            end(Objects.requireNonNull(view), routed.nowNanos(), effects);
        }
        return true;
    }

    /** Views are those of the other order, or those of this one again. */
    private void takeOtherOrder() {
        FabricView orderedView = view;
        FabricView orderedWorks = works;
        view = otherView;
        works = otherWorks;
        otherView = orderedView;
        otherWorks = orderedWorks;
    }

    private void end(FabricView drawn, long nowNanos, List<Effect> effects) {
        Tables then = tables;
        state.kept.restored(then == null ? null : new ServedEpoch(drawn, then, digests), nowNanos, effects);
        if (then != null) {
            state.switches.values().forEach(record -> {
                compare(record, drawn, then);
                state.snapshots.switchChanged(record.guid);
            });
        }
        kept.clear();
        lost.clear();
    }

    /** Of how many switches the digest is that of their row. */
    private int fitting(FabricView drawn, Tables result, long[] ofRows) {
        int fitting = 0;
        for (SwitchRecord record : state.switches.values()) {
            int s = drawn.switchOf(record.guid);
            if (s >= 0 && drawn.alive(s) && record.ackedEntries > 0 && isHeld(record, result.row(s), ofRows[s])) {
                fitting++;
            }
        }
        return fitting;
    }

    private boolean anyHeld(FabricView drawn) {
        return state.switches.values().stream()
                .anyMatch(record -> drawn.switchOf(record.guid) >= 0 && record.ackedEntries > 0);
    }

    /** True if some switch holds neither its row of these tables nor an older one that is on record. */
    private boolean anyUnknown(FabricView drawn) {
        return state.switches.values().stream().anyMatch(record -> isUnknown(record, drawn.switchOf(record.guid)));
    }

    private boolean isUnknown(SwitchRecord record, int s) {
        Tables then = tables;
        return s >= 0
                && record.ackedEntries > 0
                && record.ackedRow == null
                && kept(record.guid).stream().noneMatch(row -> row.digest() == record.ackedDigest)
                && (then == null || !isHeld(record, then.row(s), digests[s]));
    }

    private void compare(SwitchRecord record, FabricView drawn, Tables then) {
        int s = drawn.switchOf(record.guid);
        if (s < 0 || !drawn.alive(s) || (record.awaited && lost.contains(record.guid))) {
            return;
        }
        LftRow row = then.row(s);
        boolean recognised = recognise(record, row, digests[s]);
        if (record.awaited && !recognised && areThoseOfThen() && !state.tablesHeldBack) {
            record.mayHold(row, digests[s]);
        }
        for (KeptRow other : kept(record.guid)) {
            LftRow known = other.whole() ? null : KeptRows.row(other, row, digests[s]);
            if (known != null && record.awaited) {
                Restoring.restore(record, known, other.digest());
            } else if (known != null && isHeld(record, known, other.digest())) {
                // Its agent came before the tables were known, and said that it holds this one.
                record.ackedRow = known;
            }
        }
    }

    /** False if the settings give other tables now: then a row was wanted only if some switch says that it holds it. */
    private boolean areThoseOfThen() {
        return basis == 0 || basis == state.basis(engine);
    }

    /** A digest that fits tells the row that its switch holds. */
    private static boolean recognise(SwitchRecord record, LftRow row, long digest) {
        boolean fits = isHeld(record, row, digest);
        record.ackedRow = fits ? row : record.ackedRow;
        return fits;
    }

    private static boolean isHeld(SwitchRecord record, LftRow row, long digest) {
        return record.ackedEntries == row.entryCount() && record.ackedDigest == digest;
    }
}

package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The accepted epochs whose tables are kept: those of the last one, and in what each before differs from the next. Immutable.
 *
 * <p>Tables of an older epoch are made when somebody asks for them, on that one's thread: O(switches + what changed since).
 */
public final class EpochHistory {
    /** Nothing was accepted, or what was is not known. */
    static final EpochHistory NONE = new EpochHistory(null, List.of());

    private final @Nullable ServedEpoch last;

    /** Newest first. */
    private final List<KeptEpoch> records;

    /** @param records newest first; each is based on the one before it in the list, the first one is {@code last} */
    EpochHistory(@Nullable ServedEpoch last, List<KeptEpoch> records) {
        this.last = last;
        this.records = List.copyOf(records);
    }

    /** Newest first; the first one is the one whose tables are in force. */
    public List<KeptEpoch> epochs() {
        return records;
    }

    /** True if tables of this epoch are kept. */
    public boolean has(long epoch) {
        return records.stream().anyMatch(kept -> kept.epoch() == epoch);
    }

    @Nullable
    ServedEpoch last() {
        return last;
    }

    /**
     * Tables of an epoch, and the view they were made for: its switches, live links and hosts, with ranks as they follow from
     * these alone.
     *
     * @return {@code null} if they are not kept
     * @throws IllegalArgumentException in one line when a record is damaged, or its digest says that it gives other tables
     */
    public @Nullable EpochTables at(long epoch, RowDigest digest) {
        ServedEpoch from = last;
        if (from == null || !has(epoch)) {
            return null;
        }
        if (records.get(0).epoch() == epoch) {
            return new EpochTables(from.view(), from.tables());
        }
        EpochUndoing undoing = new EpochUndoing(from, digest);
        for (int i = 1; records.get(i - 1).epoch() != epoch; i++) {
            undoing.backTo(records.get(i));
        }
        return undoing.tables();
    }

    /**
     * Tables of an epoch for the switches of another view, to be compared with it or checked by it. A row is that of the switch
     * with the same GUID; one that did not forward then, or is not known to that epoch, has no routes. Columns are destination
     * indices as they were then: which host an index stood for, {@link #at} says.
     *
     * @return {@code null} if they are not kept, or a switch that forwarded then is not in the view
     * @throws IllegalArgumentException as {@link #at}
     */
    public @Nullable Tables tables(long epoch, FabricView into, RowDigest digest) {
        EpochTables then = at(epoch, digest);
        if (then == null || !hasAll(into, then.view())) {
            return null;
        }
        int wanted =
                then.tables() instanceof TurnTableSet ? TurnTableSet.entryCount(into.nodeCount()) : into.nodeCount();
        int entryCount = Math.max(wanted, then.tables().entryCount());
        LftRow none = LftRow.noRoutes(entryCount);
        LftRow[] rows = new LftRow[into.switchCount()];
        Arrays.setAll(rows, s -> {
            LftRow row = then.row(into.switchGuid(s));
            return row == null ? none : row.fittedTo(entryCount);
        });
        return Tables.ofRows(into.epoch(), entryCount, rows);
    }

    private static boolean hasAll(FabricView into, FabricView then) {
        for (int s = 0; s < then.switchCount(); s++) {
            if (then.alive(s) && into.switchOf(then.switchGuid(s)) < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Since when the tables in force send a node out of the port of now at one switch.
     *
     * @param guid switch
     * @param node destination index
     * @param nodeGuid of the host port that has this index now
     * @return {@code null} if nothing is kept, for a switch that does not forward, and for one that is drained
     */
    public @Nullable EntryAge age(long guid, int node, long nodeGuid) {
        if (last == null) {
            return null;
        }
        int entry = last.tables() instanceof TurnTableSet ? TurnTableSet.entry(TurnTableSet.CLASS_HOST, node) : node;
        return EntryAge.of(last, records, guid, node, entry, nodeGuid);
    }

    /** With one more epoch, which is in force now. */
    EpochHistory with(ServedEpoch next, KeptEpoch head, @Nullable KeptEpoch before) {
        List<KeptEpoch> all = new ArrayList<>();
        all.add(head);
        if (before != null) {
            all.add(before);
            all.addAll(records.subList(1, records.size()));
        }
        return new EpochHistory(next, all);
    }

    /** With so many of the newest. */
    EpochHistory newest(int count) {
        return new EpochHistory(last, records.subList(0, count));
    }
}

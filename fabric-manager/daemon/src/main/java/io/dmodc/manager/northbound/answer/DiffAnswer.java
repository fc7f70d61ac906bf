package io.dmodc.manager.northbound.answer;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.TableDifference;
import io.dmodc.routing.change.TableDifference.ChangedEntry;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In what the tables of two accepted epochs differ.
 *
 * @param hosts that are in both
 * @param pairs of these, ordered
 * @param pairsMoved those that are led another way
 * @param entries that differ, of switches that forward in both
 * @param switches that have such entries, by GUID
 * @param onlyFrom switches that forward in {@code from} and not in {@code to}
 * @param onlyTo switches that forward in {@code to} and not in {@code from}
 * @param table the entries of the switch that was asked for
 */
public record DiffAnswer(
        long from,
        long to,
        int hosts,
        long pairs,
        long pairsMoved,
        long entries,
        List<Changed> switches,
        List<Named> onlyFrom,
        List<Named> onlyTo,
        @Nullable Table table) {

    /** A switch with so many other entries. */
    public record Changed(String guid, String name, int entries) {}

    /** A switch. */
    public record Named(String guid, String name) {
        static Named of(long guid, FabricView view) {
            return new Named(Guid.format(guid), view.switchName(view.switchOf(guid)));
        }
    }

    /**
     * What differs in the table of one switch; without a table in one of the epochs, it has no routes there.
     *
     * @param more entries that are not listed
     */
    public record Table(String guid, String name, List<Entry> entries, int more) {}

    /**
     * An entry that differs.
     *
     * @param index of the destination
     * @param node its name in {@code to}, or in {@code from}
     * @param before port in {@code from}; left out where there is no route
     * @param after port in {@code to}; left out where there is no route
     */
    public record Entry(
            int index,
            String node,
            @Nullable Integer before,
            @Nullable Integer after) {}

    /** @param table {@code null} when no switch was asked for */
    public static DiffAnswer of(EpochTables before, EpochTables after, @Nullable Table table) {
        TableDifference difference = TableDifference.of(before, after);
        return new DiffAnswer(
                before.tables().epoch(),
                after.tables().epoch(),
                difference.hosts(),
                (long) difference.hosts() * Math.max(0, difference.hosts() - 1),
                difference.pairsMoved(),
                difference.entries(),
                difference.switches().stream()
                        .map(it -> new Changed(Guid.format(it.guid()), it.name(), it.entries()))
                        .toList(),
                difference.forwardedBefore().stream()
                        .map(guid -> Named.of(guid, before.view()))
                        .toList(),
                difference.forwardAfter().stream()
                        .map(guid -> Named.of(guid, after.view()))
                        .toList(),
                table);
    }

    /** @param limit most entries listed */
    public static Table table(EpochTables before, EpochTables after, long guid, String name, int limit) {
        List<ChangedEntry> changed = TableDifference.entries(row(before, guid), row(after, guid));
        List<Entry> entries = changed.stream()
                .limit(limit)
                .map(it -> new Entry(
                        it.destination(), node(before, after, it.destination()), port(it.before()), port(it.after())))
                .toList();
        return new Table(Guid.format(guid), name, entries, changed.size() - entries.size());
    }

    private static LftRow row(EpochTables tables, long guid) {
        LftRow row = tables.row(guid);
        return row == null ? LftRow.noRoutes(tables.tables().entryCount()) : row;
    }

    private static String node(EpochTables before, EpochTables after, int index) {
        boolean there = index < after.view().nodeCount() && after.view().nodeSwitch(index) >= 0;
        FabricView view = there ? after.view() : before.view();
        return index < view.nodeCount() ? NodesAnswer.name(view, index) : "node index " + index;
    }

    private static @Nullable Integer port(int entry) {
        return entry == LftSet.NO_ROUTE ? null : entry;
    }
}

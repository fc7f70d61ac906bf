package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A whole dump: a section for each switch that was found and has a row. What is as in the dump before is taken from there:
 * a fault costs the sections it changes. Immutable.
 */
final class DumpTables {
    private final LidTable lids;
    private final SortedMap<Long, SwitchTable> tables = new TreeMap<>(Long::compareUnsigned);
    private int leftOut;
    private int blocks;
    private int changed;

    /**
     * Puts it together.
     *
     * @param before the dump before, null for none
     * @param view by whose indices the rows are
     * @param toSwitches tables to the switches of the view, null where there are none
     * @param rows by switch GUID
     */
    DumpTables(
            @Nullable DumpTables before,
            FabricView view,
            @Nullable LftSet toSwitches,
            Discovery found,
            Map<Long, LftRow> rows) {
        lids = before == null ? LidTable.of(view, found, null) : before.lidsNow(view, found);
        for (FoundSwitch each : found.switches().values()) {
            LftRow row = rows.get(each.guid());
            if (row != null) {
                int s = view.switchOf(each.guid());
                LftRow switchRow = s < 0 || toSwitches == null ? null : toSwitches.row(s);
                SwitchTable last = before == null ? null : before.tables.get(each.guid());
                add(each, found.lids().lidOf(each.guid()), s, row, switchRow, last);
            }
        }
    }

    private void add(
            FoundSwitch found, int lid, int self, LftRow row, @Nullable LftRow switchRow, @Nullable SwitchTable last) {
        boolean same = last != null && last.isOf(found, lid, lids, row, switchRow);
        SwitchTable table = same && last != null ? last : new SwitchTable(found, lid, self, lids, row, switchRow);
        int differing = same ? 0 : table.blocksChangedSince(last);
        blocks += differing;
        changed += differing > 0 ? 1 : 0;
        leftOut += table.leftOut();
        tables.put(found.guid(), table);
    }

    Collection<SwitchTable> tables() {
        return tables.values();
    }

    /** Of a switch, or null. */
    @Nullable
    SwitchTable of(long guid) {
        return tables.get(guid);
    }

    /** Entries left out because their port is down. */
    int leftOut() {
        return leftOut;
    }

    /** Blocks of 64 entries that differ from the dump before. */
    int blocks() {
        return blocks;
    }

    /** Switches they are of. */
    int changedSwitches() {
        return changed;
    }

    /** True if no byte differs. */
    boolean sameText(DumpTables that) {
        return pairs(that, SwitchTable::sameText);
    }

    /** True if the same lines stand at the same places, whatever their ports. */
    boolean sameLayout(DumpTables that) {
        return pairs(that, SwitchTable::sameLayout);
    }

    private boolean pairs(DumpTables that, BiPredicate<SwitchTable, SwitchTable> same) {
        return tables.keySet().equals(that.tables.keySet())
                && tables.values().stream()
                        .allMatch(table -> same.test(table, Objects.requireNonNull(that.of(table.guid()))));
    }

    /** Of the file, in bytes. */
    long length(DumpForm form) {
        return tables.values().stream()
                .mapToLong(table -> table.sectionLength(form))
                .sum();
    }

    /** The whole file, switch by switch, each written out as it is asked for. */
    Iterable<byte[]> sections(DumpForm form) {
        return () -> tables.values().stream().map(table -> table.section(form)).iterator();
    }

    /**
     * What makes a file of that dump, which has the same form and layout, one of this; from its beginning to its end, made switch by switch as it is asked
     * for: all together it can be as much as the file.
     */
    Iterable<FilePart> changesSince(DumpTables that, DumpForm form) {
        SortedMap<Long, SwitchTable> begins = new TreeMap<>();
        long begin = 0;
        for (SwitchTable table : tables.values()) {
            begins.put(begin, table);
            begin += table.sectionLength(form);
        }
        return () -> begins.entrySet().stream()
                .flatMap(each -> {
                    SwitchTable table = each.getValue();
                    SwitchTable before = Objects.requireNonNull(that.of(table.guid()));
                    return table.changesSince(before, form, each.getKey()).stream();
                })
                .iterator();
    }

    /** The first entry's switch and port that lead to a port that is down now, for people; empty for none. */
    String deadUse(Discovery now) {
        for (SwitchTable table : tables.values()) {
            FoundSwitch found = now.switches().get(table.guid());
            int port = found == null ? 0 : table.deadPort(found);
            if (port > 0) {
                return table.name() + " port " + port;
            }
        }
        return "";
    }

    /** The LIDs of another moment; those of this dump where they are the same. */
    LidTable lidsNow(FabricView view, Discovery found) {
        return LidTable.of(view, found, lids);
    }

    /** True if OpenSM has dealt another LID to something in here, or one to something that had none. */
    boolean isRenumbered(LidTable now) {
        return !lids.covers(now);
    }

    /** True if that one leads to no LID that means something else here, or nothing. */
    boolean covers(DumpTables that) {
        return lids.covers(that.lids);
    }

    /** True if something in here has no LID any more. */
    boolean hasLost(LidTable now) {
        return !now.covers(lids);
    }
}

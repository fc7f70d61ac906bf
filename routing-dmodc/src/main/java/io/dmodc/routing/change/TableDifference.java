package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In what two epochs differ: entries by switch, and how many pairs of hosts are led another way.
 *
 * <p>Switches are the same by GUID, hosts by port GUID; the views may number both differently. Entries are compared by destination
 * index, and only of switches that forward in both: where one table is shorter it counts as {@link LftSet#NO_ROUTE}.
 *
 * @param switches that have other entries, by GUID
 * @param entries that differ, of all of them
 * @param forwardedBefore GUIDs of switches that forward in the first epoch only
 * @param forwardAfter GUIDs of switches that forward in the second one only
 * @param hosts that are in both
 * @param pairsMoved ordered pairs of these whose way is another: it begins at another switch, leaves one by another port, or
 *     ends elsewhere
 */
public record TableDifference(
        List<ChangedSwitch> switches,
        long entries,
        List<Long> forwardedBefore,
        List<Long> forwardAfter,
        int hosts,
        long pairsMoved) {

    /** A switch that has so many other entries. */
    public record ChangedSwitch(long guid, String name, int entries) {}

    /**
     * An entry that is another; {@link LftSet#NO_ROUTE} where there is none.
     *
     * @param destination index
     */
    public record ChangedEntry(int destination, int before, int after) {}

    /** The tables of one epoch and the view they were made for. */
    public record EpochTables(FabricView view, Tables tables) {
        /** The table of a switch; {@code null} for one that does not forward, or is not known. */
        public @Nullable LftRow row(long guid) {
            int s = view.switchOf(guid);
            return s >= 0 && view.alive(s) ? tables.row(s) : null;
        }
    }

    public TableDifference {
        switches = List.copyOf(switches);
        forwardedBefore = List.copyOf(forwardedBefore);
        forwardAfter = List.copyOf(forwardAfter);
    }

    /** Compares; O(ports + hosts), and O(switches) for each destination in whose block of 64 something differs. */
    public static TableDifference of(EpochTables before, EpochTables after) {
        SwitchPairs pairs = new SwitchPairs(before, after);
        MovedPairs moved = new MovedPairs(pairs);
        List<ChangedSwitch> switches = new ArrayList<>();
        List<Long> forwardedBefore = new ArrayList<>();
        List<Long> forwardAfter = new ArrayList<>();
        long entries = 0;
        for (int u = 0; u < pairs.count(); u++) {
            if (moved.changedEntries(u) > 0) {
                switches.add(new ChangedSwitch(pairs.guid(u), pairs.name(u), moved.changedEntries(u)));
                entries += moved.changedEntries(u);
            }
            if (pairs.flips(u)) {
                (pairs.forwardsAfter(u) ? forwardAfter : forwardedBefore).add(pairs.guid(u));
            }
        }
        return new TableDifference(
                switches, entries, forwardedBefore, forwardAfter, moved.hostCount(), moved.pairsMoved());
    }

    /** In what two tables of a switch differ, by destination. */
    public static List<ChangedEntry> entries(LftRow before, LftRow after) {
        int count = Math.max(before.entryCount(), after.entryCount());
        byte[] old = before.fittedTo(count).toBytes();
        byte[] now = after.fittedTo(count).toBytes();
        List<ChangedEntry> changed = new ArrayList<>();
        for (int d = 0; d < count; d++) {
            if (old[d] != now[d]) {
                changed.add(new ChangedEntry(d, old[d] & 0xff, now[d] & 0xff));
            }
        }
        return changed;
    }
}

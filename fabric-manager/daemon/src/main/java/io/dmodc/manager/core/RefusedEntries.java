package io.dmodc.manager.core;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.PortPattern;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Entries that a switch did not take while it took all others of a table, and where these lead instead. Immutable.
 *
 * @param ports by destination index, the output port; {@link LftSet#NO_ROUTE}: none
 */
public record RefusedEntries(SortedMap<Integer, Integer> ports) {
    /** It takes all. */
    public static final RefusedEntries NONE = new RefusedEntries(Collections.emptySortedMap());

    /** Most that a switch may refuse for the others to count; beyond, it does not take its table. */
    public static final int MAX = 256;

    public RefusedEntries {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    boolean isEmpty() {
        return ports.isEmpty();
    }

    /** A row with these instead of its own; those behind its end are left out, and where it leads there by itself its pattern stays. */
    public LftRow in(LftRow row) {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(row);
        ports.headMap(row.entryCount()).forEach((index, port) -> {
            if (row.port(index) != port) {
                builder.put(index, index + 1, PortPattern.constant(port));
            }
        });
        return builder.build();
    }

    /** Those that a switch with this row still has. */
    RefusedEntries heldBy(LftRow row) {
        TreeMap<Integer, Integer> held = new TreeMap<>(ports.headMap(row.entryCount()));
        held.entrySet().removeIf(entry -> row.port(entry.getKey()) != entry.getValue());
        return held.size() == ports.size() ? this : new RefusedEntries(held);
    }

    /** These and others, which count where both say something. */
    RefusedEntries with(RefusedEntries others) {
        TreeMap<Integer, Integer> all = new TreeMap<>(ports);
        all.putAll(others.ports);
        return new RefusedEntries(all);
    }
}

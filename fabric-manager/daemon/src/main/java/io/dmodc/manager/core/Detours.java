package io.dmodc.manager.core;

import java.util.List;
import java.util.Map;

/**
 * How tables were made to fit switches that cannot be told anything, or do not take single entries.
 *
 * @param around switch indices, ascending: packets to some destinations are led around them
 * @param destinations how many those are
 * @param lost who has no way, or may have none, whatever others are told
 * @param asWanted by switch index, what it would be given if it took all entries: of those that refuse some, and lead elsewhere therefore
 */
public record Detours(List<Integer> around, int destinations, LostPairs lost, Map<Integer, PlannedTable> asWanted) {
    /** Every switch holds what it should, or may as well. */
    public static final Detours NONE = new Detours(List.of(), 0, LostPairs.NONE, Map.of());

    public Detours {
        around = List.copyOf(around);
        asWanted = Map.copyOf(asWanted);
    }
}

package io.dmodc.manager.core;

import java.util.List;

/**
 * How tables were made to fit switches that cannot be told anything.
 *
 * @param around switch indices, ascending: packets to some destinations are led around them
 * @param destinations how many those are
 * @param lostPairs pairs of a switch with hosts and a destination that have a way by the cables and none by what the switches hold
 */
public record Detours(List<Integer> around, int destinations, long lostPairs) {
    /** Every switch holds what it should, or may as well. */
    public static final Detours NONE = new Detours(List.of(), 0, 0);

    public Detours {
        around = List.copyOf(around);
    }
}

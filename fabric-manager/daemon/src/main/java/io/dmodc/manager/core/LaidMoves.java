package io.dmodc.manager.core;

import io.dmodc.routing.rebalance.EntryMoves;

/**
 * What became of the moves of entries that were to be laid over tables.
 *
 * @param moves that are in the tables; the others are no choice any more
 * @param refusal why all were left out that were choices still: what the check said of the tables with them; empty when it said nothing
 */
public record LaidMoves(EntryMoves moves, String refusal) {
    /** None were asked for. */
    public static final LaidMoves NONE = new LaidMoves(EntryMoves.NONE, "");
}

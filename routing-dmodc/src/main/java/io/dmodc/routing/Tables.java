package io.dmodc.routing;

/**
 * Forwarding tables of all switches of one view, of one kind: a row of one-byte entries for each switch, all of one length. What an
 * entry means is a matter of the kind; to hold, compare and send rows nobody has to know. Immutable.
 */
public sealed interface Tables permits LftSet, TurnTableSet {
    /** Of the view they were made for. */
    long epoch();

    int switchCount();

    /** Entries of each row. */
    int entryCount();

    /** The table of switch {@code s}. */
    LftRow row(int s);

    /**
     * These tables, where only linear forwarding tables are of use.
     *
     * @throws IllegalStateException if they are of another kind
     */
    default LftSet lfts() {
        if (this instanceof LftSet lfts) {
            return lfts;
        }
        throw new IllegalStateException("tables by input class; expected linear forwarding tables");
    }

    /**
     * Tables of the kind that their rows say they are of.
     *
     * @param rows one for each switch, of {@code entryCount} entries; taken over
     */
    static Tables ofRows(long epoch, int entryCount, LftRow[] rows) {
        boolean turns = false;
        for (LftRow row : rows) {
            turns |= TurnTableSet.isTurnTable(row);
        }
        return turns
                ? new TurnTableSet(epoch, TurnTableSet.nodeCount(entryCount), rows)
                : new LftSet(epoch, entryCount, rows);
    }
}

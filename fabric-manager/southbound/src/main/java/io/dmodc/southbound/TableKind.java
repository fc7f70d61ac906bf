package io.dmodc.southbound;

/** What the entries of a forwarding table are: some that concern the whole switch, then as many for each destination. */
public enum TableKind {
    /** The output port of each destination. */
    ROUTES(0, 1),

    /** The output ports of each destination by input class, behind what the {@link TurnTable} says of these. */
    TURNS(TurnTable.DESTINATIONS_AT, TurnTable.INPUT_CLASSES);

    private final int firstEntry;
    private final int entriesEach;

    TableKind(int firstEntry, int entriesEach) {
        this.firstEntry = firstEntry;
        this.entriesEach = entriesEach;
    }

    /** Returns the first entry of a destination; its last is before that of the next. */
    public int firstEntryOf(int destination) {
        return firstEntry + entriesEach * destination;
    }

    /** Returns the destination that an entry is of; -1: of the whole switch. */
    public int destinationOf(int entry) {
        return entry < firstEntry ? -1 : (entry - firstEntry) / entriesEach;
    }

    /** Returns how many destinations a table of so many entries has. */
    public int destinationCount(int entryCount) {
        return Math.max(0, (entryCount - firstEntry) / entriesEach);
    }
}

package io.dmodc.routing.vtftr;

import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.grid.GridPlace;

/** Entries of a root, the same whoever sends: to the primary leaf if its cable lives, else to the spares in turn. */
final class RootEntries implements TurnRow.Entries {
    private static final byte[] NO_ROUTE = {(byte) TurnTableSet.NONE};

    private final TurnTables tables;
    private final boolean ofRow;

    /** Number of the line. */
    private final int number;

    private final byte[][] ports;

    RootEntries(TurnTables tables, GridPlace place, SwitchPorts ports) {
        this.tables = tables;
        ofRow = place.kind() == GridPlace.Kind.ROW_ROOT;
        number = ofRow ? place.row() : place.column();
        this.ports = ofRow ? ports.row() : ports.column();
    }

    @Override
    public boolean put(int rd, int cd, int count, byte[] block) {
        int primary = ofRow
                ? tables.paths().rowPrimary(number, rd, cd)
                : tables.paths().columnPrimary(number, rd, cd);
        byte[] inTurn = NO_ROUTE;
        int next = 0;
        if (tables.state().alive(rd, cd)) {
            boolean cabled = primary >= 0 && ports[primary].length > 0;
            byte[] found = cabled ? ports[primary] : SwitchPorts.inTurn(spares(rd, cd), ports);
            inTurn = found.length == 0 ? NO_ROUTE : found;
            // Spares are begun elsewhere for each line of destinations.
            next = cabled ? 0 : (ofRow ? rd : cd) % inTurn.length;
        }
        for (int i = 0, at = TurnTableSet.CLASS_HOST; i < count; i++, at += TurnTableSet.CLASSES) {
            block[at] = inTurn[next];
            next = next + 1 < inTurn.length ? next + 1 : 0;
        }
        return true;
    }

    private long[] spares(int rd, int cd) {
        return ofRow ? tables.paths().rowSpares(number, rd, cd) : tables.paths().columnSpares(number, rd, cd);
    }
}

package io.dmodc.routing.vtftr;

import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.grid.GridPlace;
import org.jspecify.annotations.Nullable;

/** Entries of a leaf: what its hosts send goes as the tables inject it, what came by row goes on by column, what came by column by row. */
final class LeafEntries implements TurnRow.Entries {
    private final GridState state;
    private final int columns;
    private final byte[][] injection;
    private final TurnPorts byRow;
    private final TurnPorts byColumn;

    /** Whose row this one is made of, if any. */
    private final @Nullable LeafEntries base;

    /** By destination what was put, if others may be made of it. */
    private final byte[] @Nullable [] toRow;

    private final byte[] @Nullable [] toColumn;

    /**
     * @param hosts of the leaf with most
     * @param first those of another leaf, for the same thread; none for the first
     * @param fromFirst if the row is made of the first's, put whole: then what is the same as there is not put
     */
    LeafEntries(
            TurnTables tables,
            GridPlace place,
            SwitchPorts ports,
            int hosts,
            @Nullable LeafEntries first,
            boolean fromFirst) {
        state = tables.state();
        columns = state.columns();
        injection = tables.injection[place.row() * columns + place.column()];
        byRow = new TurnPorts(tables, Turn.ROW, place, ports, hosts, first == null ? null : first.byRow);
        byColumn = new TurnPorts(tables, Turn.COLUMN, place, ports, hosts, first == null ? null : first.byColumn);
        base = fromFirst ? first : null;
        toRow = new byte[first == null ? injection.length * columns : 0][];
        toColumn = new byte[toRow.length][];
    }

    @Override
    public boolean put(int rd, int cd, int count, byte[] block) {
        boolean reached = state.alive(rd, cd);
        byte[] row = reached ? byRow.towards(rd, cd) : byRow.none();
        byte[] column = reached ? byColumn.towards(rd, cd) : byColumn.none();
        byte letter = injection[rd][cd];
        if (base != null && base.has(rd, cd, letter, row, column)) {
            return false;
        }
        if (toRow.length > 0) {
            toRow[rd * columns + cd] = row;
            toColumn[rd * columns + cd] = column;
        }
        Turn turn = Turn.of(letter);
        byte[] injected = turn == Turn.ROW ? row : turn == Turn.COLUMN ? column : byRow.none();
        for (int i = 0, at = 0; i < count; i++, at += TurnTableSet.CLASSES) {
            block[at + TurnTableSet.CLASS_HOST] = injected[i];
            block[at + TurnTableSet.CLASS_ROW] = column[i];
            block[at + TurnTableSet.CLASS_COLUMN] = row[i];
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // what is the same object needs no look
    private boolean has(int rd, int cd, byte letter, byte[] row, byte[] column) {
        int destination = rd * columns + cd;
        return toRow[destination] == row && toColumn[destination] == column && injection[rd][cd] == letter;
    }
}

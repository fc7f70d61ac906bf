package io.dmodc.routing.vtftr;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowEdit;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows for one state, line by line: leaves of a column mostly do the same and share the parts in which they do, roots of a line that are
 * cabled alike have one row. What is made of a line is its own, so lines may be made by several threads.
 */
final class LineRows {
    private final FabricView view;
    private final TurnTables tables;
    private final RecognisedGrid grid;
    private final HostsOfLeaves hosts;
    private final SwitchPorts[] ports;
    private final LftRow[] rows;
    private final LftRow empty;

    /** What was made of the state before, what differs from that, and switches of which every entry is looked at; without the first all are. */
    private final LftRow @Nullable [] before;

    private final @Nullable DirtyDestinations dirty;
    private final BitSet anew;

    /**
     * All from nothing.
     *
     * @param ports by switch; those of switches of a line that are alike become one object, so that next time they are seen to be
     */
    LineRows(FabricView view, TurnTables tables, HostsOfLeaves hosts, SwitchPorts[] ports) {
        this(view, tables, hosts, ports, null, null, new BitSet());
    }

    /**
     * What differs from before.
     *
     * @param before rows of the view's switches in another state of the grid
     * @param dirty from that state to this one
     * @param anew switches of which every entry is looked at
     */
    LineRows(
            FabricView view,
            TurnTables tables,
            HostsOfLeaves hosts,
            SwitchPorts[] ports,
            LftRow @Nullable [] before,
            @Nullable DirtyDestinations dirty,
            BitSet anew) {
        this.view = view;
        this.tables = tables;
        this.grid = tables.state().grid();
        this.hosts = hosts;
        this.ports = ports;
        this.before = before;
        this.dirty = dirty;
        this.anew = anew;
        rows = new LftRow[view.switchCount()];
        empty = LftRow.noRoutes(TurnTableSet.entryCount(view.nodeCount()));
    }

    /** How many lines there are to {@link #make}. */
    int count() {
        return Math.max(grid.rows(), grid.columns());
    }

    /** Leaves and roots of the i-th column, and roots of the i-th row. */
    void make(int i) {
        if (i < grid.columns()) {
            leaves(i);
            roots(grid.columnRootCount(i), k -> grid.columnRoot(i, k));
        }
        if (i < grid.rows()) {
            roots(grid.rowRootCount(i), k -> grid.rowRoot(i, k));
        }
    }

    /** All rows when all lines are made; switches that are dead or have no place are added. */
    LftRow[] rows() {
        for (int s = 0; s < rows.length; s++) {
            if (!view.alive(s)) {
                rows[s] = orBefore(s, empty);
            } else if (grid.place(s).kind() == GridPlace.Kind.UNPLACED) {
                TurnRow.Entries none = (rd, cd, count, block) -> false;
                rows[s] = orBefore(s, row(s, new LftRowEdit(empty), none).whole(empty));
            }
        }
        return rows;
    }

    private void leaves(int c) {
        LftRowEdit edit = new LftRowEdit(empty);
        int firstLeaf = -1;
        LeafEntries first = null;
        LftRow firstRow = empty;
        for (int r = 0; r < grid.rows(); r++) {
            int s = grid.leaf(r, c);
            if (s >= 0 && view.alive(s)) {
                firstLeaf = firstLeaf < 0 ? s : firstLeaf;
                ports[s] = ports[s].sameAs(ports[firstLeaf]) ? ports[firstLeaf] : ports[s];
                boolean fromFirst = before == null && first != null;
                LeafEntries entries =
                        new LeafEntries(tables, grid.place(s), ports[s], hosts.countMax(), first, fromFirst);
                edit.begin(before == null ? firstRow : before[s]);
                TurnRow row = row(s, edit, entries);
                rows[s] = dirty == null || anew.get(s) ? row.whole(firstRow) : row.dirty(dirty.ofLeaf(r, c), firstRow);
                firstRow = first == null ? rows[s] : firstRow;
                first = first == null ? entries : first;
            }
        }
    }

    /** Those that lost or got a cable come last, so that they take the row of others that they are like again. */
    private void roots(int count, IntUnaryOperator root) {
        List<Integer> unlike = new ArrayList<>();
        for (int k = 0; k < 2 * count; k++) {
            int s = root.applyAsInt(k % count);
            if (view.alive(s) && anew.get(s) == k >= count) {
                rows[s] = root(s, unlike);
            }
        }
    }

    /** @param unlike roots of the line that have rows already, one of each kind; added to */
    private LftRow root(int s, List<Integer> unlike) {
        for (int other : unlike) {
            if (view.targetOfSwitch(s) < 0 && ports[s].sameAs(ports[other])) {
                ports[s] = ports[other];
                return before == null || before[s] == before[other] ? rows[other] : orBefore(s, rows[other]);
            }
        }
        if (view.targetOfSwitch(s) < 0) {
            unlike.add(s);
        }
        return root(s);
    }

    private LftRow root(int s) {
        GridPlace place = grid.place(s);
        TurnRow row =
                row(s, new LftRowEdit(before == null ? empty : before[s]), new RootEntries(tables, place, ports[s]));
        if (dirty == null || anew.get(s)) {
            return row.whole(empty);
        }
        return row.dirty(
                place.kind() == GridPlace.Kind.ROW_ROOT
                        ? dirty.ofRow(place.row(), ports[s].row())
                        : dirty.ofColumn(place.column(), ports[s].column()),
                empty);
    }

    private TurnRow row(int s, LftRowEdit edit, TurnRow.Entries entries) {
        return new TurnRow(view, tables, hosts, s, ports[s], entries, edit);
    }

    /** The row the switch had, if that is the same. */
    private LftRow orBefore(int s, LftRow row) {
        return before != null && before[s].sameEntries(row) ? before[s] : row;
    }
}

package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks tables of one epoch after the other, and keeps what it found, so that a fault costs what it changes.
 *
 * <p>Says exactly what {@link TableCheck#check(FabricView, LftSet, SurplusEntryRule, Parallel)} says of the same view
 * and tables, or, of tables that route to switches and with no surplus entry allowed, {@link TableCheck#checkSwitchTables}.
 * Rows, and spans of rows, that are the same objects as before are looked at again only where the fabric
 * around them changed, or where a node of their columns came, went or moved. Views and tables may follow each other in any
 * order; after one with other switches, ranks or targets all is looked at again. Keeps a reference to the last rows. For one thread at a time.
 */
public final class TableWatch {
    /** Null before the first check, and while one is under way: one that failed leaves nothing half done. */
    private @Nullable CheckedRows last;

    private BitSet notRight = new BitSet();

    /** Columns are switch indices, not node indices. */
    private final boolean toSwitches;

    /** Of tables that route to nodes. */
    public TableWatch() {
        this(false);
    }

    private TableWatch(boolean toSwitches) {
        this.toSwitches = toSwitches;
    }

    /** Of tables that route to switches: every live switch sends to every other, and its entry for itself is 0. */
    public static TableWatch ofSwitchTables() {
        return new TableWatch(true);
    }

    /**
     * Checks tables.
     *
     * @param parallel where the work runs; the result does not depend on it
     * @throws IllegalArgumentException if the tables have not one row per switch of the view, and one column per node, or per switch
     */
    public CheckReport check(FabricView view, LftSet tables, SurplusEntryRule surplus, Parallel parallel) {
        TableCheck.requireSize(
                view, tables, toSwitches ? view.switchCount() : view.nodeCount(), toSwitches ? "switch" : "node");
        CheckedRows rows = last;
        last = null;
        int[] changed = rows == null ? null : view.switchesRelinkedSince(rows.view());
        if (rows == null || changed == null) {
            rows = new CheckedRows(view, toSwitches ? ColumnHomes.switches(view) : ColumnHomes.nodes(view));
            changed = TableCheck.all(view);
        } else if (!toSwitches) {
            rows.moveNodes(view);
        }
        BitSet suspects = rows.suspects(view, tables, changed, parallel);
        last = rows;
        notRight = (BitSet) suspects.clone();
        Destinations destinations =
                toSwitches ? Destinations.switches(view, rows.columns()) : Destinations.nodes(view, rows.columns());
        return TableCheck.report(rows, tables, destinations, suspects, surplus, parallel);
    }

    /** Columns of the tables checked last with an entry that is not right, as {@link TableCheck#notRight} says; a set of its own. */
    public BitSet notRight() {
        return (BitSet) notRight.clone();
    }
}

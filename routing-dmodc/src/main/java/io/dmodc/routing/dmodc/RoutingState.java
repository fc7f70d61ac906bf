package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/** Costs, dividers and tables of one view, brought up to date with the next. For one thread. */
final class RoutingState {
    private TargetColumns targetColumns;
    private final CostLayers costs;
    private final Dividers dividers;
    private final RowMaker rows;
    private FabricView view;
    private LftRow[] row = {};

    /** Knows nothing of any switch until the first {@link #update}. */
    RoutingState(FabricView view, TargetColumns targetColumns, DmodcForm form) {
        this.view = view;
        this.targetColumns = targetColumns;
        costs = new CostLayers(view, targetColumns, form.order);
        dividers = new Dividers(view);
        rows = form.rule == CandidateRule.STRICT
                ? new StrictRows(view, targetColumns, costs, dividers, form)
                : new PlainRows(view, targetColumns, costs, dividers);
    }

    /**
     * Takes in that nodes came, went or moved; {@link #update} to the same view is to follow.
     *
     * @param newView with the switches and targets of the view before and no fewer nodes
     */
    void moveNodes(FabricView newView) {
        BitSet moved = newView.nodesMovedSince(view);
        if (!moved.isEmpty() || newView.nodeCount() > targetColumns.columnCount) {
            MovedColumns columns = new MovedColumns(newView, moved);
            targetColumns = columns.all;
            rows.move(columns);
        }
    }

    /**
     * @param newView with the same switches, ranks and destinations as the view before
     * @param switches those whose neighbours or liveness changed since; all of them the first time
     */
    void update(FabricView newView, int[] switches, Parallel parallel) {
        view = newView;
        costs.update(newView, switches, parallel);
        dividers.update(newView, switches, costs);
        row = rows.update(newView, withNewDividers(switches), parallel);
    }

    private int[] withNewDividers(int[] switches) {
        if (dividers.changedCount() == 0 || switches.length == view.switchCount()) {
            return switches;
        }
        BitSet all = new BitSet(view.switchCount());
        for (int s : switches) {
            all.set(s);
        }
        for (int i = 0; i < dividers.changedCount(); i++) {
            all.set(dividers.changed(i));
        }
        return all.stream().toArray();
    }

    FabricView view() {
        return view;
    }

    CostLayers costs() {
        return costs;
    }

    LftSet tables() {
        return new LftSet(view.epoch(), targetColumns.columnCount, row);
    }
}

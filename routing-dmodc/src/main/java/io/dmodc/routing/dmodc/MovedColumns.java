package io.dmodc.routing.dmodc;

import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/**
 * Columns that belong to another target than before, to another port of it, or to none any more, while targets are what
 * they were. So a host that comes, goes or moves is one column of each row, found as for any other column of its target.
 * Immutable.
 */
final class MovedColumns {
    /** All columns, as they are now. */
    final TargetColumns all;

    /** Of the columns that moved those that have a target now, by target. */
    final TargetColumns moved;

    /** Targets that have one of them. */
    final TargetSet targets;

    private final BitSet columns;

    /** Those without a target. */
    private final RunList vacated = new RunList();

    /**
     * @param view with the targets of the view before
     * @param columns node indices, at least one unless there are more of them than before
     */
    MovedColumns(FabricView view, BitSet columns) {
        this.columns = columns;
        all = TargetColumns.nodes(view);
        moved = TargetColumns.nodes(view, columns::get);
        long[] found = new long[(view.targetCount() + 63) / 64];
        columns.stream().forEach(node -> {
            int s = view.nodeSwitch(node);
            if (s < 0) {
                vacated.add(node, node + 1, PortPattern.NO_ROUTE);
            } else {
                int target = view.targetOfSwitch(s);
                found[target >> 6] |= 1L << target;
            }
        });
        targets = TargetSet.of(found);
    }

    /** Adds those without a target, as columns without a route. */
    void addVacated(RunList runs) {
        runs.addAll(vacated);
    }

    /** The runs without the columns that moved; they themselves if there are none. */
    RunList removedFrom(RunList runs) {
        return columns.stream().anyMatch(runs::has) ? runs.without(columns) : runs;
    }
}

package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import org.jspecify.annotations.Nullable;

/**
 * What switches with the same neighbours and ports on one side, and the same divider, have in their rows: above, a row
 * for all targets; below, the runs of the targets there.
 */
final class RowPart {
    private static final RunList NO_RUNS = new RunList();

    /** The last row made of the runs below, and the upper row they were put into. */
    record Joined(LftRow upper, LftRow row) {}

    final IntKey key;
    final CostLayers.Side side;
    final PortLayout layout;

    /** Of the switches that share it. */
    final int rank;

    /** How many these are. */
    int members;

    /** Update in which it was last looked at. */
    long stamp;

    /** True until it was made. */
    boolean isNew = true;

    /** Above. */
    LftRow row;

    /** Below. */
    RunList runs = NO_RUNS;

    /** Below; null since the runs changed. */
    @Nullable
    Joined joined;

    RowPart(IntKey key, CostLayers.Side side, PortLayout layout, int rank, LftRow row) {
        this.key = key;
        this.side = side;
        this.layout = layout;
        this.rank = rank;
        this.row = row;
    }
}

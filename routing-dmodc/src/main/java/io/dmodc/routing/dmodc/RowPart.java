package io.dmodc.routing.dmodc;

import io.dmodc.routing.CandidatePorts;
import io.dmodc.routing.LftRow;
import org.jspecify.annotations.Nullable;

/**
 * What switches with the same neighbours and ports on one side, and the same divider, have in their rows: above, a row
 * for all targets; below, the runs of the targets there.
 */
final class RowPart {
    static final long[] NO_SPANS = {};

    private static final RunList NO_RUNS = new RunList();

    /** The last row made of the runs below, and the upper row they were put into. */
    record Joined(LftRow upper, LftRow row) {}

    final IntKey key;
    final Side side;
    final PortLayout layout;

    /** Of the switches that share it. */
    final int rank;

    /** How many these are. */
    int members;

    /** Update in which it was last looked at. */
    long stamp;

    /** True until it was made. */
    boolean isNew = true;

    /** Above: of what the row's candidates are; null unless the layout is small and single. */
    @Nullable
    CandidatePorts ports;

    /** Above: one with all these neighbours and some more, whose candidates this one reads; null if there is none. */
    @Nullable
    RowPart whole;

    /** Above. */
    LftRow row;

    /** Above: its row before the update that made it last. */
    LftRow rowBefore;

    /** Above: the row of its whole that this one's was read from last; null if it was made otherwise. */
    @Nullable
    LftRow readFrom;

    /** Above: the spans of the row that its last update made anew, as bits. */
    long[] changedSpans = NO_SPANS;

    /** Below. */
    RunList runs = NO_RUNS;

    /** Below, where switches share it; null since the runs changed. */
    @Nullable
    Joined joined;

    RowPart(IntKey key, Side side, PortLayout layout, int rank, LftRow row) {
        this.key = key;
        this.side = side;
        this.layout = layout;
        this.rank = rank;
        this.row = row;
        rowBefore = row;
        ports = layout.candidatePorts();
    }
}

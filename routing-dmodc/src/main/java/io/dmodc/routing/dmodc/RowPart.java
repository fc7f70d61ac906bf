package io.dmodc.routing.dmodc;

import io.dmodc.routing.CandidateChanges;
import io.dmodc.routing.CandidatePorts;
import io.dmodc.routing.LftRow;
import org.jspecify.annotations.Nullable;

/**
 * What switches with the same neighbours and ports on one side, and the same divider, have in their rows: above, a row
 * for all targets; below, the runs of the targets there.
 */
final class RowPart extends Shared {
    private static final RunList NO_RUNS = new RunList();

    /** The last row made of the runs below, and the upper row they were put into. */
    record Joined(LftRow upper, LftRow row) {}

    final Side side;
    final PortLayout layout;

    /** Of the switches that share it. */
    final int rank;

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

    /** Above: what the update that made the row last changed in it; null where sets of candidates cannot tell. */
    private @Nullable CandidateChanges changes;

    /** Above: what changed since an earlier row. Threads that find it at once find the same. */
    private volatile @Nullable CandidateChanges earlierChanges;

    /** Above: the row of its whole that this one's was read from last; null if it was made otherwise. */
    @Nullable
    LftRow readFrom;

    /** Below. */
    RunList runs = NO_RUNS;

    /** Below, where switches share it; null since the runs changed. */
    @Nullable
    Joined joined;

    RowPart(IntKey key, Side side, PortLayout layout, int rank, LftRow row) {
        super(key);
        this.side = side;
        this.layout = layout;
        this.rank = rank;
        this.row = row;
        ports = layout.candidatePorts();
    }

    /** Above: gives it another row, or the same once more. */
    void replace(LftRow now) {
        changes = isNew ? null : changes(row, now);
        isNew = false;
        readFrom = null;
        row = now;
    }

    /**
     * Above: what changed since the row that another part was read from. That may be an earlier one than the last: a part to which an update does not matter is not
     * looked at.
     *
     * @return null where sets of candidates cannot tell
     */
    @SuppressWarnings("ReferenceEquality") // which row it was
    @Nullable
    CandidateChanges changesSince(LftRow earlier) {
        CandidateChanges known = changes;
        if (known == null || known.before() != earlier) {
            known = earlierChanges;
            if (known == null || known.before() != earlier || known.now() != row) {
                known = changes(earlier, row);
                earlierChanges = known;
            }
        }
        return known;
    }

    private @Nullable CandidateChanges changes(LftRow from, LftRow to) {
        return ports == null || from.entryCount() != to.entryCount() ? null : CandidateChanges.between(from, to, ports);
    }
}

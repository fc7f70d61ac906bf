package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What changed from one row to the next where both have candidates of the same ports: each set that some columns had,
 * with the one that they have instead. Rows that are read of these {@link LftRow#with by other ports} are brought up to
 * date by the sets alone, however many columns have them. Immutable.
 */
public final class CandidateChanges {
    private final LftRow before;
    private final LftRow now;

    /** What columns had; {@link #have} the same columns have now. Only the first {@link #count} count. */
    private long[] had = {};

    private long[] have = {};
    private int count;

    private CandidateChanges(LftRow before, LftRow now) {
        this.before = before;
        this.now = now;
    }

    /**
     * Compares two rows of one length.
     *
     * @return null if a span that is not the very same in both says nothing of candidates of these ports
     */
    public static @Nullable CandidateChanges between(LftRow before, LftRow now, CandidatePorts ports) {
        CandidateChanges changes = new CandidateChanges(before, now);
        long[] changed = new long[(now.spanCount() + 63) / 64];
        now.addOtherSpans(before, changed);
        for (int i = 0; i < changed.length; i++) {
            for (long rest = changed[i]; rest != 0; rest &= rest - 1) {
                int k = 64 * i + Long.numberOfTrailingZeros(rest);
                RowSpan had = before.span(k);
                RowSpan has = now.span(k);
                if (!had.servesBy(ports, ports) || !has.servesBy(ports, ports)) {
                    return null;
                }
                changes.add(had, has, ports);
            }
        }
        return changes;
    }

    private void add(RowSpan had, RowSpan has, CandidatePorts ports) {
        int run = 0;
        for (int i = 0; i < has.runCount(); i++) {
            long set = setOf(has, i, ports);
            add(setOf(had, run, ports), set);
            while (had.ends[run] < has.ends[i]) {
                add(setOf(had, ++run, ports), set);
            }
            run += had.ends[run] == has.ends[i] ? 1 : 0;
        }
    }

    /** Of a run of a span that serves by the ports. */
    @SuppressWarnings("ReferenceEquality") // one object
    private static long setOf(RowSpan span, int run, CandidatePorts ports) {
        if (span.ports(run) != null) {
            return span.candidates(run);
        }
        return span.pattern(run) == PortPattern.NO_ROUTE ? 0 : ports.places();
    }

    private void add(long old, long set) {
        boolean known = old == set || (count > 0 && had[count - 1] == old && have[count - 1] == set);
        if (!known) {
            if (count == had.length) {
                had = Arrays.copyOf(had, 2 * count + 4);
                have = Arrays.copyOf(have, had.length);
            }
            had[count] = old;
            have[count++] = set;
        }
    }

    /** The row that others were read from. */
    public LftRow before() {
        return before;
    }

    /** The row they are to be read from. */
    public LftRow now() {
        return now;
    }

    /**
     * Brings a row that was read of the one before up to date.
     *
     * @param last has the entries of the row {@link #before} by the other ports
     * @param others at some of the places of the ports
     * @return {@code last} itself if no entry of it changed; null if columns that have candidates would have none
     */
    public @Nullable LftRow read(LftRow last, CandidatePorts others) {
        boolean differs = false;
        for (int i = 0; i < count; i++) {
            if (have[i] != 0 && others.sameAt(have[i], 0)) {
                return null;
            }
            differs |= !others.sameAt(had[i], have[i]);
        }
        return differs ? now.readBy(others) : last;
    }
}

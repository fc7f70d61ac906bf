package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a span that is being written: patterns, or candidates of one switch's ports. As long as all are candidates
 * it becomes a {@link CandidateSpan}; anything else makes patterns of them. Used again and again, by one thread.
 */
@SuppressWarnings("ReferenceEquality") // runs are joined where they share a pattern
final class SpanRuns {
    /** Stands where a run has candidates. */
    private static final PortPattern CANDIDATES = new PortPattern(1, 0, new byte[1]);

    private final short[] ends = new short[RowSpan.COLUMNS];
    private final PortPattern[] patterns = new PortPattern[RowSpan.COLUMNS];
    private final long[] candidates = new long[RowSpan.COLUMNS];
    private int count;

    /** Of all runs that have candidates; null if none has. */
    private @Nullable CandidatePorts ports;

    void clear() {
        count = 0;
        ports = null;
    }

    /** Appends columns up to an end. */
    void add(int end, PortPattern pattern) {
        append(end, pattern, 0);
    }

    /** Appends columns up to an end; of another switch's ports than the first so appended, as a pattern. */
    void add(int end, CandidatePorts of, long some) {
        if (ports == null) {
            ports = of;
        }
        if (ports == of) {
            append(end, CANDIDATES, some & of.places());
        } else {
            append(end, of.pattern(some), 0);
        }
    }

    /** Appends columns up to an end, with what a run of another span has. */
    void add(int end, RowSpan span, int run) {
        if (span instanceof CandidateSpan other) {
            add(end, other.ports(), other.candidates(run));
        } else {
            append(end, span.pattern(run), 0);
        }
    }

    private void append(int end, PortPattern pattern, long some) {
        if (count > 0 && patterns[count - 1] == pattern && candidates[count - 1] == some) {
            ends[count - 1] = (short) end;
        } else {
            patterns[count] = pattern;
            candidates[count] = some;
            ends[count++] = (short) end;
        }
    }

    /** To be called behind the last run: makes all of them candidates if they can be, else patterns. */
    void end() {
        CandidatePorts of = ports;
        if (of != null) {
            boolean asCandidates = haveCandidates(of);
            ports = asCandidates ? of : null;
            int given = count;
            count = 0;
            for (int i = 0; i < given; i++) {
                if (patterns[i] != CANDIDATES) {
                    long some = patterns[i] == of.all() ? of.places() : 0;
                    append(ends[i], asCandidates ? CANDIDATES : patterns[i], asCandidates ? some : 0);
                } else if (asCandidates) {
                    append(ends[i], CANDIDATES, candidates[i]);
                } else {
                    append(ends[i], of.pattern(candidates[i]), 0);
                }
            }
        }
    }

    /** True if each run has candidates, or the pattern of none of them or of all. */
    private boolean haveCandidates(CandidatePorts of) {
        for (int i = 0; i < count; i++) {
            if (patterns[i] != CANDIDATES && patterns[i] != PortPattern.NO_ROUTE && patterns[i] != of.all()) {
                return false;
            }
        }
        return true;
    }

    /** True if a span consists of these runs. */
    boolean are(RowSpan span) {
        if (!Arrays.equals(span.ends, 0, span.runCount(), ends, 0, count)) {
            return false;
        }
        CandidatePorts of = ports;
        if (of != null && span instanceof CandidateSpan other && other.ports() == of) {
            for (int i = 0; i < count; i++) {
                if (!of.sameAt(candidates[i], other.candidates(i))) {
                    return false;
                }
            }
            return true;
        }
        for (int i = 0; i < count; i++) {
            if (!pattern(i).equals(span.pattern(i))) {
                return false;
            }
        }
        return true;
    }

    private PortPattern pattern(int i) {
        return ports == null ? patterns[i] : ports.pattern(candidates[i]);
    }

    /** A span of these runs. */
    RowSpan span() {
        CandidatePorts of = ports;
        if (of != null && (count > 1 || (candidates[0] != 0 && candidates[0] != of.places()))) {
            return new CandidateSpan(Arrays.copyOf(ends, count), Arrays.copyOf(candidates, count), of);
        }
        if (count == 1) {
            return pattern(0).wholeSpan();
        }
        return new PatternSpan(Arrays.copyOf(ends, count), Arrays.copyOf(patterns, count));
    }
}

package io.dmodc.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a span that is being written: patterns, or candidates of some switch's ports. Where all are candidates of the
 * same ports it becomes a {@link CandidateSpan}, where all are patterns a {@link PatternSpan}, else a {@link MixedSpan}. Used
 * again and again, by one thread.
 */
@SuppressWarnings("ReferenceEquality") // runs are joined where they share a pattern, or ports
final class SpanRuns {
    private short[] ends = new short[32];

    /** By run; null where it has candidates. */
    private @Nullable PortPattern[] patterns = new PortPattern[ends.length];

    /** By run, what it has candidates of; null where it has a pattern. */
    private @Nullable CandidatePorts[] ports = new CandidatePorts[ends.length];

    private long[] candidates = new long[ends.length];
    private int count;

    /** After {@link #end}, what all runs have candidates of; null if that are several, or some run has a pattern. */
    private @Nullable CandidatePorts common;

    void clear() {
        count = 0;
    }

    /** Appends columns up to an end. */
    void add(int end, PortPattern pattern) {
        append(end, pattern, null, 0);
    }

    /** Appends columns up to an end. */
    void add(int end, CandidatePorts of, long some) {
        append(end, null, of, some & of.places());
    }

    /** Appends columns up to an end, with what a run of another span has; candidates as they are, so that they stay shared. */
    void add(int end, RowSpan span, int run) {
        CandidatePorts of = span.ports(run);
        append(end, of == null ? span.pattern(run) : null, of, span.candidates(run));
    }

    private void append(int end, @Nullable PortPattern pattern, @Nullable CandidatePorts of, long some) {
        int last = count - 1;
        if (count > 0 && patterns[last] == pattern && ports[last] == of && candidates[last] == some) {
            ends[last] = (short) end;
        } else {
            if (count == ends.length) {
                grow();
            }
            patterns[count] = pattern;
            ports[count] = of;
            candidates[count] = some;
            ends[count++] = (short) end;
        }
    }

    private void grow() {
        ends = Arrays.copyOf(ends, 2 * count);
        patterns = Arrays.copyOf(patterns, 2 * count);
        ports = Arrays.copyOf(ports, 2 * count);
        candidates = Arrays.copyOf(candidates, 2 * count);
    }

    /** To be called behind the last run: makes all of them candidates of the same ports if they can be. */
    void end() {
        common = commonPorts();
        CandidatePorts of = common;
        if (of != null) {
            int given = count;
            count = 0;
            for (int i = 0; i < given; i++) {
                long some = patterns[i] == null ? candidates[i] : patterns[i] == of.all() ? of.places() : 0;
                append(ends[i], null, of, some);
            }
        }
    }

    /** Ports of which each run has candidates, or the pattern of none of them or of all; null if there are no such. */
    private @Nullable CandidatePorts commonPorts() {
        CandidatePorts first = null;
        for (int i = 0; i < count && first == null; i++) {
            first = ports[i];
        }
        for (int i = 0; i < count && first != null; i++) {
            boolean has = ports[i] == first
                    || (ports[i] == null && (patterns[i] == PortPattern.NO_ROUTE || patterns[i] == first.all()));
            first = has ? first : null;
        }
        return first;
    }

    /** True if a span consists of these runs. */
    boolean are(RowSpan span) {
        if (!haveEnds(span)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            CandidatePorts of = ports[i];
            boolean alike = (of != null && of == span.ports(i))
                    ? of.sameAt(candidates[i], span.candidates(i))
                    : pattern(i).equals(span.pattern(i));
            if (!alike) {
                return false;
            }
        }
        return true;
    }

    private boolean haveEnds(RowSpan span) {
        return Arrays.equals(span.ends, 0, span.runCount(), ends, 0, count);
    }

    private PortPattern pattern(int i) {
        CandidatePorts of = ports[i];
        return of == null ? Objects.requireNonNull(patterns[i]) : of.pattern(candidates[i]);
    }

    /** Equal for runs that end alike and have the same sets, of whatever ports. */
    int hash() {
        int hash = count;
        for (int i = 0; i < count; i++) {
            hash = 31 * (31 * hash + ends[i]) + Long.hashCode(candidates[i]);
        }
        return hash;
    }

    /**
     * A span of these runs.
     *
     * @param like another one: what both have alike is shared
     */
    RowSpan span(RowSpan like) {
        CandidatePorts first = ports[0];
        if (count == 1 && (first == null || first.sameAt(candidates[0], 0) || first.sameAt(candidates[0], -1))) {
            return pattern(0).wholeSpan();
        }
        short[] endsOfAll = haveEnds(like) ? like.ends : Arrays.copyOf(ends, count);
        RowSpan span;
        if (common != null) {
            span = new CandidateSpan(
                    endsOfAll, candidates(like instanceof CandidateSpan other ? other.candidates() : null), common);
        } else if (haveCandidates()) {
            span = mixed(endsOfAll, like);
        } else {
            PortPattern[] all = new PortPattern[count];
            Arrays.setAll(all, this::pattern);
            span = new PatternSpan(endsOfAll, all);
        }
        return span.sameAs(like) ? like : span;
    }

    private boolean haveCandidates() {
        boolean have = false;
        for (int i = 0; i < count; i++) {
            have |= ports[i] != null;
        }
        return have;
    }

    private MixedSpan mixed(short[] endsOfAll, RowSpan like) {
        short[] sources = new short[count];
        List<CandidatePorts> allPorts = new ArrayList<>();
        List<PortPattern> allPatterns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CandidatePorts of = ports[i];
            if (of == null) {
                allPatterns.add(pattern(i));
                sources[i] = (short) -allPatterns.size();
            } else {
                sources[i] = (short) number(of, allPorts);
            }
        }
        MixedSpan other = like instanceof MixedSpan mixed ? mixed : null;
        return new MixedSpan(
                endsOfAll,
                other != null && Arrays.equals(sources, other.sources()) ? other.sources() : sources,
                candidates(other != null ? other.candidates() : null),
                allPorts.toArray(CandidatePorts[]::new),
                allPatterns.toArray(PortPattern[]::new));
    }

    /** Place in a list, at the end of which it is put if it is not in it. They are few: those of some epochs. */
    private static int number(CandidatePorts of, List<CandidatePorts> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) == of) {
                return i;
            }
        }
        all.add(of);
        return all.size() - 1;
    }

    /** Those of all runs: others if they are the same, else a copy. */
    private long[] candidates(long @Nullable [] others) {
        return others != null && Arrays.equals(others, 0, others.length, candidates, 0, count)
                ? others
                : Arrays.copyOf(candidates, count);
    }
}

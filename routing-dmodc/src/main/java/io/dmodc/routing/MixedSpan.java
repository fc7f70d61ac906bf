package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A span whose runs have candidates of several ports, or candidates and patterns: what a switch is given while some of its
 * entries wait is part of its new row and part of the one it holds, and each has candidates of the neighbours of its time.
 *
 * <p>Like {@link CandidateSpan} it has the ports of its own switch, two of them mostly, and sets that it shares with the
 * spans of switches beside it: 12 bytes a run for all of them, where patterns written out take some 80 for each.
 */
final class MixedSpan extends RowSpan {
    /** By run: number of its ports, or −1 − number of its pattern. */
    private final short[] sources;

    private final long[] candidates;
    private final CandidatePorts[] ports;
    private final PortPattern[] patterns;

    /**
     * All arrays are kept; those that say something of each run may be shared.
     *
     * @param sources of each run, the number of its ports, or −1 − the number of its pattern
     * @param candidates of each run, by place; 0 where it has a pattern
     */
    MixedSpan(short[] ends, short[] sources, long[] candidates, CandidatePorts[] ports, PortPattern[] patterns) {
        super(ends);
        this.sources = sources;
        this.candidates = candidates;
        this.ports = ports;
        this.patterns = patterns;
    }

    /** The array itself: shared, read only. */
    short[] sources() {
        return sources;
    }

    /** The array itself: shared, read only. */
    long[] candidates() {
        return candidates;
    }

    @Override
    PortPattern pattern(int run) {
        int source = sources[run];
        return source < 0 ? patterns[-1 - source] : ports[source].pattern(candidates[run]);
    }

    @Override
    int port(int run, int column) {
        int source = sources[run];
        return source < 0 ? patterns[-1 - source].port(column) : ports[source].port(candidates[run], column);
    }

    @Override
    void copyTo(int run, int from, int to, byte[] into, int at) {
        int source = sources[run];
        if (source < 0) {
            patterns[-1 - source].copyTo(from, to, into, at);
        } else {
            ports[source].copyTo(candidates[run], from, to, into, at);
        }
    }

    @Override
    @Nullable
    CandidatePorts ports(int run) {
        return sources[run] < 0 ? null : ports[sources[run]];
    }

    @Override
    long candidates(int run) {
        return candidates[run];
    }

    @Override
    boolean sameAs(RowSpan that) {
        return this == that
                || (that instanceof MixedSpan other
                        && areSame(ports, other.ports)
                        && areSame(patterns, other.patterns)
                        && Arrays.equals(sources, other.sources)
                        && Arrays.equals(candidates, other.candidates)
                        && Arrays.equals(ends, other.ends));
    }

    private static boolean areSame(Object[] some, Object[] others) {
        boolean same = some.length == others.length;
        for (int i = 0; same && i < some.length; i++) {
            same = some[i] == others[i];
        }
        return same;
    }

    /** It has the candidates of no single switch. */
    @Override
    boolean servesBy(CandidatePorts of, CandidatePorts others) {
        return false;
    }

    @Override
    RowSpan by(CandidatePorts others) {
        throw new UnsupportedOperationException("candidates of several switches");
    }

    @Override
    int partHash() {
        return 31 * (31 * ends.length + sources[0]) + Long.hashCode(candidates[0]);
    }

    @Override
    long[] findEntrySet() {
        long[] set = new long[4];
        for (PortPattern pattern : patterns) {
            addEntries(pattern, set);
        }
        for (int i = 0; i < sources.length; i++) {
            if (sources[i] >= 0) {
                ports[sources[i]].addEntries(candidates[i], set);
            }
        }
        return set;
    }
}

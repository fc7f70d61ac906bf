package io.dmodc.routing;

import java.util.Arrays;

/**
 * A span that has the candidates of its runs instead of their patterns, and the ports they are reached by: rows whose
 * switches have the same neighbours but a few share the former, and differ in the latter. So where thousands of cables
 * are lost, what a row has of its own is a reference a span.
 */
final class CandidateSpan extends RowSpan {
    /** What it is made of; arrays are equal to themselves alone. */
    private record Key(short[] ends, long[] candidates, CandidatePorts ports) {}

    private final long[] candidates;
    private final CandidatePorts ports;

    /** @param candidates of each run, by place; places without a port are left out; shared, like the ends */
    CandidateSpan(short[] ends, long[] candidates, CandidatePorts ports) {
        super(ends);
        this.candidates = candidates;
        this.ports = ports;
    }

    /** The array itself: shared, read only. */
    long[] candidates() {
        return candidates;
    }

    @Override
    boolean isVery(RowSpan that) {
        return this == that
                || (that instanceof CandidateSpan other
                        && candidates == other.candidates
                        && ports == other.ports
                        && ends == other.ends);
    }

    @Override
    Object key() {
        return new Key(ends, candidates, ports);
    }

    @Override
    boolean servesBy(CandidatePorts of, CandidatePorts others) {
        boolean serves = ports == of;
        for (int i = 0; serves && i < candidates.length; i++) {
            serves = candidates[i] == 0 || !others.sameAt(candidates[i], 0);
        }
        return serves;
    }

    @Override
    RowSpan by(CandidatePorts others) {
        return new CandidateSpan(ends, candidates, others);
    }

    @Override
    PortPattern pattern(int run) {
        return ports.pattern(candidates[run]);
    }

    @Override
    int port(int run, int column) {
        return ports.port(candidates[run], column);
    }

    @Override
    void copyTo(int run, int from, int to, byte[] into, int at) {
        ports.copyTo(candidates[run], from, to, into, at);
    }

    @Override
    CandidatePorts ports(int run) {
        return ports;
    }

    @Override
    long candidates(int run) {
        return candidates[run];
    }

    @Override
    boolean sameAs(RowSpan that) {
        return this == that
                || (that instanceof CandidateSpan other
                        && ports == other.ports
                        && Arrays.equals(candidates, other.candidates)
                        && Arrays.equals(ends, other.ends));
    }

    @Override
    int partHash() {
        return 31 * ends.length + Long.hashCode(candidates[0]);
    }

    @Override
    long[] findEntrySet() {
        long[] set = new long[4];
        long all = 0;
        for (long some : candidates) {
            all |= some;
            if (ports.sameAt(some, 0)) {
                addEntries(PortPattern.NO_ROUTE, set);
            }
        }
        ports.addEntries(all, set);
        return set;
    }
}

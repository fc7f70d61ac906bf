package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A span of patterns that are kept. */
final class PatternSpan extends RowSpan {
    private final PortPattern[] patterns;

    /** @param patterns taken over, as many as ends */
    PatternSpan(short[] ends, PortPattern[] patterns) {
        super(ends);
        this.patterns = patterns;
    }

    @Override
    PortPattern pattern(int run) {
        return patterns[run];
    }

    @Override
    int port(int run, int column) {
        return patterns[run].port(column);
    }

    @Override
    void copyTo(int run, int from, int to, byte[] into, int at) {
        patterns[run].copyTo(from, to, into, at);
    }

    @Override
    @Nullable
    CandidatePorts ports(int run) {
        return null;
    }

    @Override
    long candidates(int run) {
        return 0;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // sharing is what is asked for
    boolean sameAs(RowSpan that) {
        if (this == that) {
            return true;
        }
        if (!(that instanceof PatternSpan other) || !Arrays.equals(ends, that.ends)) {
            return false;
        }
        for (int i = 0; i < patterns.length; i++) {
            if (patterns[i] != other.patterns[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the pattern of all candidates is one object
    boolean servesBy(CandidatePorts of, CandidatePorts others) {
        return patterns.length == 1 && (patterns[0] == PortPattern.NO_ROUTE || patterns[0] == of.all());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // one object
    RowSpan by(CandidatePorts others) {
        return patterns[0] == PortPattern.NO_ROUTE ? this : others.all().wholeSpan();
    }

    @Override
    int partHash() {
        byte[] ports = patterns[0].ports();
        return 31 * (31 * (31 * ends.length + patterns[0].divider()) + ports.length) + ports[0];
    }

    @Override
    long[] findEntrySet() {
        long[] set = new long[4];
        for (PortPattern pattern : patterns) {
            addEntries(pattern, set);
        }
        return set;
    }
}

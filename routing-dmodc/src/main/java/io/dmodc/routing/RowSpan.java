package io.dmodc.routing;

import org.jspecify.annotations.Nullable;

/**
 * {@value #COLUMNS} columns of a row as runs of patterns; the unit that rows share.
 *
 * <p>Run i ends before {@code ends[i]}, counted from the start of the span; the last one ends at {@value #COLUMNS} even
 * where the row is shorter. Patterns count absolute columns, so a span does not say where it is, and one serves all
 * rows and places. Immutable.
 */
abstract class RowSpan {
    /** Small enough to be made anew for one changed leaf, large enough that a row is a handful of references. */
    static final short COLUMNS = 1024;

    final short[] ends;
    private volatile long @Nullable [] entrySet;

    RowSpan(short[] ends) {
        this.ends = ends;
    }

    final int runCount() {
        return ends.length;
    }

    /** The pattern of a run; perhaps made when asked for, another object each time. */
    abstract PortPattern pattern(int run);

    /** Entry of a column of a run, unsigned; the column counts from the start of the row. */
    abstract int port(int run, int column);

    /** Writes the entries of columns {@code from .. to − 1}, all with what a run has, beginning at {@code at}. */
    abstract void copyTo(int run, int from, int to, byte[] into, int at);

    /** The ports a run has candidates of; null if it has none, but a pattern. */
    abstract @Nullable CandidatePorts ports(int run);

    /** Candidates of a run, by place; 0 if it has a pattern. Places without a port are left out. */
    abstract long candidates(int run);

    /** True if a run has the same pattern as one of another span. */
    final boolean hasPattern(int run, RowSpan that, int thatRun) {
        CandidatePorts ports = ports(run);
        CandidatePorts others = that.ports(thatRun);
        if (ports != null && others != null && ports.makeTheSame(others)) {
            return ports.sameAt(candidates(run), that.candidates(thatRun));
        }
        return pattern(run).equals(that.pattern(thatRun));
    }

    /** True if a run has the same pattern as one of another span, and would by any other ports. */
    final boolean hasRun(int run, RowSpan that, int thatRun) {
        CandidatePorts ports = ports(run);
        return ports == that.ports(thatRun) && hasPattern(run, that, thatRun);
    }

    /** True if made of the same runs of the same objects. */
    abstract boolean sameAs(RowSpan that);

    /** True if it is the very same: one object, or made of the same arrays and the same ports. */
    boolean isVery(RowSpan that) {
        return this == that;
    }

    /** Equal for spans that are the {@linkplain #isVery very same}. */
    Object key() {
        return this;
    }

    /**
     * True if all its runs are candidates of some ports, or "no route", and each that has some has one by the others, too.
     *
     * @param others at some of the places of {@code ports}
     */
    abstract boolean servesBy(CandidatePorts ports, CandidatePorts others);

    /** The same candidates by other ports, which they {@linkplain #servesBy serve}. */
    abstract RowSpan by(CandidatePorts others);

    /** Equal for spans that are {@link #sameAs} each other. */
    abstract int partHash();

    /** The entries its columns can have, as a set of 256 bits. */
    abstract long[] findEntrySet();

    /** The same up to a column, counted from the start of the span and not 0; no routes from there on. */
    final RowSpan endedAt(int column) {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(new LftRow(COLUMNS, new RowSpan[] {this}));
        builder.put(column, COLUMNS, PortPattern.NO_ROUTE);
        return builder.build().span(0);
    }

    /** Run that a column, counted from the start of the span, is in. */
    final int runAt(int column) {
        int low = 0;
        int high = column == 0 ? 0 : ends.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (column < ends[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The entries its columns can have, as a set of 256 bits; read only. Made when asked for first, by several threads perhaps. */
    final long[] entrySet() {
        long[] set = entrySet;
        if (set == null) {
            set = findEntrySet();
            entrySet = set;
        }
        return set;
    }

    /** Adds the entries of a pattern to a set of 256 bits. */
    static void addEntries(PortPattern pattern, long[] set) {
        for (byte port : pattern.ports()) {
            set[(port & 0xff) >> 6] |= 1L << port;
        }
    }
}

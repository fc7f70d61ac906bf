package io.dmodc.routing;

import java.util.Arrays;

/**
 * The ports by which a switch reaches its neighbours, and how it chooses among those that are candidates (equations (3)
 * and (4)): neighbours have places 0..63, in their order, one port each, and there may be places without a port. So a
 * switch that lacks a few neighbours of another one reads the other's sets of candidates as its own. Immutable.
 */
public final class CandidatePorts {
    private final long places;

    /** By place. */
    private final byte[] portAt;

    private final int divider;
    private final int phase;
    private final boolean interchangeable;

    /** Of all places. */
    private final PortPattern all;

    /**
     * One place after the other.
     *
     * @param ports unsigned, 1..64 of them
     * @param divider of the patterns of several candidates
     * @param phase of these
     * @param interchangeable whether any candidate may serve instead of another
     */
    public CandidatePorts(byte[] ports, int divider, int phase, boolean interchangeable) {
        if (ports.length == 0 || ports.length > Long.SIZE) {
            throw new IllegalArgumentException(ports.length + " ports; expected 1.." + Long.SIZE);
        }
        places = -1L >>> -ports.length;
        portAt = ports.clone();
        this.divider = divider;
        this.phase = phase;
        this.interchangeable = interchangeable;
        all = made(places);
    }

    private CandidatePorts(CandidatePorts like, long places, byte[] portAt) {
        this.places = places;
        this.portAt = portAt;
        divider = like.divider;
        phase = like.phase;
        interchangeable = like.interchangeable;
        all = like.all;
    }

    /**
     * The same ports at other places.
     *
     * @param others one bit for each port, in their order
     */
    public CandidatePorts at(long others) {
        if (Long.bitCount(others) != Long.bitCount(places)) {
            throw new IllegalArgumentException(
                    Long.bitCount(others) + " places; expected one for each of " + Long.bitCount(places) + " ports");
        }
        byte[] moved = new byte[Long.SIZE - Long.numberOfLeadingZeros(others)];
        long from = places;
        for (long to = others; to != 0; to &= to - 1) {
            moved[Long.numberOfTrailingZeros(to)] = portAt[Long.numberOfTrailingZeros(from)];
            from &= from - 1;
        }
        return new CandidatePorts(this, others, moved);
    }

    /** Bits of the places that have a port. */
    public long places() {
        return places;
    }

    /** The pattern of all places, one object. */
    public PortPattern all() {
        return all;
    }

    /** Neighbours, bit i for the i-th that there is, by place. */
    public long placed(long neighbours) {
        long set = neighbours;
        for (long gaps = ~places & (Long.highestOneBit(places) - 1); gaps != 0; gaps &= gaps - 1) {
            long low = (gaps & -gaps) - 1;
            set = (set & ~low) << 1 | (set & low);
        }
        return set;
    }

    /** The pattern of those of some candidates that there are; "no route" if there is none. */
    PortPattern pattern(long candidates) {
        long there = candidates & places;
        return there == places ? all : there == 0 ? PortPattern.NO_ROUTE : made(there);
    }

    private PortPattern made(long there) {
        if (Long.bitCount(there) == 1) {
            return PortPattern.constant(portAt[Long.numberOfTrailingZeros(there)] & 0xff);
        }
        byte[] chosen = new byte[Long.bitCount(there)];
        choose(there, chosen);
        return interchangeable
                ? PortPattern.ofCandidates(divider, phase, chosen)
                : new PortPattern(divider, phase, chosen);
    }

    /** Run by run: few are missing where many are. */
    private int choose(long there, byte[] into) {
        int next = 0;
        for (long rest = there; rest != 0; ) {
            int first = Long.numberOfTrailingZeros(rest);
            int run = Long.numberOfTrailingZeros(~(rest >>> first));
            System.arraycopy(portAt, first, into, next, run);
            next += run;
            rest &= rest + (1L << first);
        }
        return next;
    }

    /**
     * Writes the ports of the {@link #pattern} of some candidates, without making it, to the start of an array with room for one a place.
     *
     * @return how many they are
     */
    int ports(long candidates, byte[] into) {
        long there = candidates & places;
        if (there == 0) {
            into[0] = (byte) LftSet.NO_ROUTE;
            return 1;
        }
        return choose(there, into);
    }

    /** Entry of a column with some candidates, unsigned. */
    int port(long candidates, int column) {
        long rest = candidates & places;
        if (rest == 0) {
            return LftSet.NO_ROUTE;
        }
        long chosen = from(rest, (column + phase) / divider % Long.bitCount(rest));
        return portAt[Long.numberOfTrailingZeros(chosen)] & 0xff;
    }

    /** Writes the entries of columns {@code from .. to − 1}, all with some candidates, beginning at {@code at}: no pattern is made. */
    void copyTo(long candidates, int from, int to, byte[] into, int at) {
        long there = candidates & places;
        if (there == places || (there & (there - 1)) == 0) {
            pattern(there).copyTo(from, to, into, at);
            return;
        }
        int count = Long.bitCount(there);
        int period = (int) Math.min(to - from, (long) divider * count);
        if (divider == 1) {
            writeMembers(there, from(there, (from + phase) % count), into, at, at + period);
        } else {
            long rest = from(there, (from + phase) / divider % count);
            writeSteps(there, rest, divider - (from + phase) % divider, into, at, at + period);
        }
        PortPattern.repeat(into, at, at + period, at + to - from);
    }

    private void writeMembers(long there, long first, byte[] into, int at, int end) {
        int next = at;
        for (long rest = first; next < end; rest = there) {
            for (; rest != 0 && next < end; rest &= rest - 1) {
                into[next++] = portAt[Long.numberOfTrailingZeros(rest)];
            }
        }
    }

    private void writeSteps(long there, long first, int columns, byte[] into, int at, int end) {
        long rest = first;
        int next = at;
        for (int stop = at + columns; next < end; stop += divider) {
            byte port = portAt[Long.numberOfTrailingZeros(rest)];
            int last = Math.min(stop, end);
            Arrays.fill(into, next, last, port);
            next = last;
            rest &= rest - 1;
            rest = rest == 0 ? there : rest;
        }
    }

    /** The members of a set from one on. */
    private static long from(long set, int member) {
        long rest = set;
        for (int i = member; i > 0; i--) {
            rest &= rest - 1;
        }
        return rest;
    }

    /** Adds the entries that columns with some candidates can have to a set of 256 bits. */
    void addEntries(long candidates, long[] set) {
        long rest = candidates & places;
        if (rest == 0) {
            RowSpan.addEntries(PortPattern.NO_ROUTE, set);
        }
        for (; rest != 0; rest &= rest - 1) {
            byte port = portAt[Long.numberOfTrailingZeros(rest)];
            set[(port & 0xff) >> 6] |= 1L << port;
        }
    }

    /** True if two sets have the same candidates that there are. */
    boolean sameAt(long some, long others) {
        return ((some ^ others) & places) == 0;
    }

    /** True if these make the same pattern of every set of candidates: so it is where a row was made anew. */
    boolean makeTheSame(CandidatePorts that) {
        return this == that
                || (places == that.places
                        && divider == that.divider
                        && phase == that.phase
                        && interchangeable == that.interchangeable
                        && Arrays.equals(portAt, that.portAt));
    }
}

package io.dmodc.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A periodic piece of a table: the entry of column c is {@code ports[⌊(c + phase) / divider⌋ mod ports.length]}.
 *
 * <p>That is equation (3) of Dmodc with the candidates already chosen, so one pattern says all columns that share their
 * candidates; a constant run is a pattern of one port, any other row piece one of divider 1 ({@link #literal}). Columns
 * are absolute, so the same pattern serves wherever it is used. Immutable.
 *
 * <p>Where the ports are those of all candidates, each of them serves each column of a run as well as the column's own does:
 * they are the alternatives of equation (2), and {@link #interchangeable} says so.
 */
public final class PortPattern {
    private static final PortPattern[] CONSTANTS = new PortPattern[256];

    static {
        for (int port = 0; port < CONSTANTS.length; port++) {
            CONSTANTS[port] = new PortPattern(1, 0, new byte[] {(byte) port});
        }
    }

    /** Every column without a route. */
    public static final PortPattern NO_ROUTE = constant(LftSet.NO_ROUTE);

    /** Highest divider and phase: with columns below it, too, no sum of two leaves the range of an int. */
    public static final int NUMBER_MAX = 1 << 30;

    private final int divider;
    private final int phase;
    private final byte[] ports;
    private final boolean interchangeable;
    private @Nullable RowSpan wholeSpan;

    /**
     * @param divider columns that share a port, 1..{@link #NUMBER_MAX}
     * @param phase added to a column before dividing, 0..{@link #NUMBER_MAX}
     * @param ports unsigned entries, at least one; must not change afterwards
     */
    public PortPattern(int divider, int phase, byte[] ports) {
        this(divider, phase, ports, false);
    }

    private PortPattern(int divider, int phase, byte[] ports, boolean interchangeable) {
        if (divider < 1 || divider > NUMBER_MAX || phase < 0 || phase > NUMBER_MAX || ports.length == 0) {
            throw new IllegalArgumentException("divider " + divider + ", phase " + phase + ", " + ports.length
                    + " ports; expected 1.." + NUMBER_MAX + ", 0.." + NUMBER_MAX + " and at least 1");
        }
        this.divider = divider;
        this.phase = phase;
        this.ports = ports;
        this.interchangeable = interchangeable;
    }

    /**
     * The pattern of all ports that lead closer to what its columns stand for, by up–down paths only.
     *
     * @param ports each of them serves every column the pattern is used for; otherwise as in the constructor
     */
    public static PortPattern ofCandidates(int divider, int phase, byte[] ports) {
        return new PortPattern(divider, phase, ports, true);
    }

    /** The same entry in every column: one object for each of 0..255. */
    public static PortPattern constant(int port) {
        return CONSTANTS[port];
    }

    /**
     * Entries as they are, for the columns {@code from .. from + count − 1}.
     *
     * @param entries the first entry is at {@code at}; copied
     */
    public static PortPattern literal(byte[] entries, int at, int count, int from) {
        byte[] ports = new byte[count];
        int first = from % count;
        System.arraycopy(entries, at, ports, first, count - first);
        System.arraycopy(entries, at + count - first, ports, 0, first);
        return new PortPattern(1, 0, ports);
    }

    public int divider() {
        return divider;
    }

    public int phase() {
        return phase;
    }

    public int portCount() {
        return ports.length;
    }

    /** The array itself, not a copy: read only. */
    public byte[] ports() {
        return ports;
    }

    /** True if each of the ports serves each column: P_{s,d} of equation (2) is known for these columns, and is the ports. */
    public boolean interchangeable() {
        return interchangeable;
    }

    /** Entry of a column, unsigned. */
    public int port(int column) {
        return ports[(column + phase) / divider % ports.length] & 0xff;
    }

    /** Writes the entries of columns {@code from .. to − 1} to {@code into}, beginning at {@code at}. */
    public void copyTo(int from, int to, byte[] into, int at) {
        int count = to - from;
        if (ports.length == 1) {
            Arrays.fill(into, at, at + count, ports[0]);
            return;
        }
        long period = (long) divider * ports.length;
        int written = (int) Math.min(count, period);
        if (divider == 1) {
            int i = (from + phase) % ports.length;
            int first = Math.min(written, ports.length - i);
            System.arraycopy(ports, i, into, at, first);
            System.arraycopy(ports, 0, into, at + first, written - first);
        } else {
            writeSteps(from + phase, into, at, at + written);
        }
        repeat(into, at, at + written, at + count);
    }

    /** Writes what is at {@code start .. written − 1} again and again up to {@code end}, ever more at a time. */
    static void repeat(byte[] into, int start, int written, int end) {
        for (int done = written; done < end; ) {
            int more = Math.min(done - start, end - done);
            System.arraycopy(into, start, into, done, more);
            done += more;
        }
    }

    /** True if these are the entries from a column on. */
    boolean has(int column, byte[] entries, int at, int count) {
        int first = (column + phase) % ports.length;
        if (divider == 1 && first + count <= ports.length) {
            return Arrays.equals(ports, first, first + count, entries, at, at + count);
        }
        for (int i = 0; i < count; i++) {
            if ((byte) port(column + i) != entries[at + i]) {
                return false;
            }
        }
        return true;
    }

    private void writeSteps(int d, byte[] into, int at, int end) {
        int i = d / divider % ports.length;
        int stop = at + (divider - d % divider);
        for (int next = at; next < end; stop += divider) {
            byte port = ports[i];
            int last = Math.min(stop, end);
            while (next < last) {
                into[next++] = port;
            }
            i = i + 1 == ports.length ? 0 : i + 1;
        }
    }

    /**
     * The span that holds nothing else: one for all rows, so that equal spans are found by reference. Threads that ask for
     * the first time at the same moment may get two; that costs a comparison, no more.
     */
    RowSpan wholeSpan() {
        RowSpan span = wholeSpan;
        if (span == null) {
            span = new PatternSpan(new short[] {RowSpan.COLUMNS}, new PortPattern[] {this});
            wholeSpan = span;
        }
        return span;
    }

    /** True if both are written alike; patterns written differently can still have the same entries. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof PortPattern that
                        && divider == that.divider
                        && phase == that.phase
                        && interchangeable == that.interchangeable
                        && Arrays.equals(ports, that.ports));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * divider + phase) + Arrays.hashCode(ports);
    }

    @Override
    public String toString() {
        return "(c+" + phase + ")/" + divider + " of " + ports.length + " ports";
    }
}

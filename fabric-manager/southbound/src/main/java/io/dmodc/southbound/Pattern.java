package io.dmodc.southbound;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A periodic pattern of ports over the columns of a row: the port at column c is
 * {@code ports[((c + phase) / divider) % ports.length]}.
 *
 * <p>Equal by what it says: the phase is kept below {@code divider * ports.length}. A <em>step</em> is the columns that
 * share one port because of the divider. Immutable as long as nobody writes to the ports; any thread.
 */
final class Pattern {
    private final int divider;
    private final int phase;
    private final byte[] ports;

    /**
     * @param divider 1 or more
     * @param phase 0 or more
     * @param ports one or more; not copied
     */
    Pattern(int divider, int phase, byte[] ports) {
        this.divider = divider;
        this.phase = (int) (phase % ((long) divider * ports.length));
        this.ports = ports;
    }

    int divider() {
        return divider;
    }

    int phase() {
        return phase;
    }

    /** The ports themselves: read only. */
    byte[] ports() {
        return ports;
    }

    byte port(int column) {
        return ports[(int) (step(column) % ports.length)];
    }

    /** How many steps the columns from {@code from} to {@code to} touch. */
    int steps(int from, int to) {
        return (int) (step(to - 1) - step(from)) + 1;
    }

    /** The first column of the step after that of {@code column}. */
    long nextStep(int column) {
        return (step(column) + 1) * divider - phase;
    }

    private long step(int column) {
        return ((long) column + phase) / divider;
    }

    /** Returns a pattern that says the same at the given columns, and lists one port for each step there. */
    Pattern cut(int from, int to) {
        long first = step(from);
        byte[] used = new byte[steps(from, to)];
        for (int i = 0; i < used.length; i++) {
            used[i] = ports[(int) ((first + i) % ports.length)];
        }
        return new Pattern(divider, (int) Math.floorMod(phase - first * divider, (long) divider * used.length), used);
    }

    /**
     * Writes the ports of some columns, O(columns): one period port by port, then copies of what stands there already.
     *
     * @param at where the port of column {@code from} goes
     */
    void fill(byte[] into, int at, int from, int to) {
        long period = (long) divider * ports.length;
        long position = ((long) from + phase) % period;
        int length = to - from;
        int written = (int) Math.min(period, length);
        if (divider == 1) {
            int tail = Math.min(ports.length - (int) position, written);
            System.arraycopy(ports, (int) position, into, at, tail);
            System.arraycopy(ports, 0, into, at + tail, written - tail);
        } else {
            fillSteps(into, at, at + written, (int) (position / divider), divider - (int) (position % divider));
        }
        while (written < length) {
            int more = Math.min(written, length - written);
            System.arraycopy(into, at, into, at + written, more);
            written += more;
        }
    }

    private void fillSteps(byte[] into, int from, int to, int firstPort, int firstColumns) {
        int place = firstPort;
        int columns = firstColumns;
        int at = from;
        while (at < to) {
            int end = at + Math.min(columns, to - at);
            Arrays.fill(into, at, end, ports[place]);
            place = place + 1 == ports.length ? 0 : place + 1;
            columns = divider;
            at = end;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Pattern that
                && divider == that.divider
                && phase == that.phase
                && (ports == that.ports || Arrays.equals(ports, that.ports));
    }

    @Override
    public int hashCode() {
        return (31 * divider + phase) * 31 + Arrays.hashCode(ports);
    }
}

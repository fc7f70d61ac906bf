package io.dmodc.southbound;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;

/**
 * By which ports each destination of a switch can be reached as well as by its route (P_{s,d}, equation (2) of Dmodc), where there
 * are at least two: the second kind of table.
 *
 * <p>They go with one table of routes; with another they may lead a packet round. Kept as runs of equal sets, none of which is
 * followed by an equal one, so that equal alternatives are equal runs: a leaf switch of a whole fabric has two or three. Immutable.
 */
public final class Alternatives {
    private static final byte[] NO_PORTS = {};
    private static final int RUN_BYTES = Integer.BYTES + 1;

    /** Nothing was told. */
    public static final Alternatives NONE = new Builder(0).build();

    private final long routesDigest;

    /** Run i ends before column {@code ends[i]}; the last end is the entry count. */
    private final int[] ends;

    private final byte[][] ports;
    private final long digest;

    private Alternatives(long routesDigest, int[] ends, byte[][] ports) {
        this.routesDigest = routesDigest;
        this.ends = ends;
        this.ports = ports;
        this.digest = ends.length == 0 ? 0 : TableDigest.of(bytes());
    }

    /** Returns the digest of the routes they go with. */
    public long routesDigest() {
        return routesDigest;
    }

    /** Returns how many destinations they tell of; those behind have none. */
    public int entryCount() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    /** Returns their digest, 0 when there are none at all: {@link TableDigest} of the bytes that the protocol's page defines. */
    public long digest() {
        return digest;
    }

    /** Returns the ports for a destination, unsigned and ascending; none, or two and more. Read only. */
    public byte[] at(int index) {
        return index >= entryCount() ? NO_PORTS : ports[runAt(index)];
    }

    private int runAt(int index) {
        int found = Arrays.binarySearch(ends, index + 1);
        return found >= 0 ? found : -found - 1;
    }

    /** Returns the destinations for which the others have other ports. */
    public BitSet differences(Alternatives others) {
        BitSet different = new BitSet();
        int count = Math.max(entryCount(), others.entryCount());
        for (int from = 0, to; from < count; from = to) {
            to = Math.min(endOf(from, count), others.endOf(from, count));
            if (!Arrays.equals(at(from), others.at(from))) {
                different.set(from, to);
            }
        }
        return different;
    }

    /** Returns where the run ends that a destination is in; {@code count} behind the last. */
    int endOf(int index, int count) {
        return index >= entryCount() ? count : ends[runAt(index)];
    }

    private byte[] bytes() {
        int size = Long.BYTES + RUN_BYTES * ends.length;
        for (byte[] set : ports) {
            size += set.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(routesDigest);
        for (int run = 0; run < ends.length; run++) {
            bytes.putInt(ends[run]).put((byte) ports[run].length).put(ports[run]);
        }
        return bytes.array();
    }

    @Override
    public String toString() {
        return "alternatives of " + entryCount() + " destinations in " + ends.length + " runs";
    }

    /** Puts alternatives together, run by run. Not thread-safe. */
    public static final class Builder {
        private final long routesDigest;
        private int[] ends = new int[8];
        private byte[][] ports = new byte[8][];
        private int count;

        /** @param routesDigest digest of the routes they go with */
        public Builder(long routesDigest) {
            this.routesDigest = routesDigest;
        }

        /**
         * Says what the next destinations have.
         *
         * @param end index of the first one behind them, above the last end
         * @param set unsigned and ascending; fewer than two are none; must not change afterwards
         */
        public Builder run(int end, byte[] set) {
            byte[] told = set.length < 2 ? NO_PORTS : set;
            if (count > 0 && Arrays.equals(ports[count - 1], told)) {
                ends[count - 1] = end;
                return this;
            }
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
                ports = Arrays.copyOf(ports, 2 * count);
            }
            ends[count] = end;
            ports[count++] = told;
            return this;
        }

        /** Returns what was said. */
        public Alternatives build() {
            return new Alternatives(routesDigest, Arrays.copyOf(ends, count), Arrays.copyOf(ports, count));
        }
    }
}

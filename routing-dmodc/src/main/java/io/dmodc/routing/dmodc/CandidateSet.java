package io.dmodc.routing.dmodc;

/**
 * A set of port groups of one switch, by their place in its {@link PortLayout}: bit i of four longs. As many as a switch
 * has ports are enough.
 */
record CandidateSet(long a, long b, long c, long d) {
    static final CandidateSet NONE = new CandidateSet(0, 0, 0, 0);

    /** The first {@code count} groups. */
    static CandidateSet firstOf(int count) {
        return new CandidateSet(ones(count), ones(count - 64), ones(count - 128), ones(count - 192));
    }

    private static long ones(int count) {
        return count >= 64 ? -1 : count <= 0 ? 0 : (1L << count) - 1;
    }

    int size() {
        return Long.bitCount(a) + Long.bitCount(b) + Long.bitCount(c) + Long.bitCount(d);
    }

    /** Lowest member; there must be one. */
    int first() {
        if (a != 0) {
            return Long.numberOfTrailingZeros(a);
        }
        if (b != 0) {
            return 64 + Long.numberOfTrailingZeros(b);
        }
        return c != 0 ? 128 + Long.numberOfTrailingZeros(c) : 192 + Long.numberOfTrailingZeros(d);
    }

    /** Members, ascending. */
    int[] toArray(int size) {
        int[] members = new int[size];
        int count = put(a, 0, members, 0);
        count = put(b, 64, members, count);
        count = put(c, 128, members, count);
        put(d, 192, members, count);
        return members;
    }

    private static int put(long word, int base, int[] into, int at) {
        int next = at;
        for (long rest = word; rest != 0; rest &= rest - 1) {
            into[next++] = base + Long.numberOfTrailingZeros(rest);
        }
        return next;
    }

    /** True if both have the same members; spelt out because this is the inner loop where faults are. */
    boolean sameAs(long otherA, long otherB, long otherC, long otherD) {
        return a == otherA && b == otherB && c == otherC && d == otherD;
    }

    @Override
    public int hashCode() {
        long mixed = a * 0x9E3779B97F4A7C15L ^ b * 0xC2B2AE3D27D4EB4FL ^ c * 0x165667B19E3779F9L ^ d;
        return (int) (mixed ^ mixed >>> 32);
    }
}

package io.dmodc.routing.dmodc;

/**
 * A set of port groups of one switch, by their place in its {@link PortLayout}: bit i of four longs. As many as a switch
 * has ports are enough. Mutable; not thread-safe.
 */
final class CandidateSet {
    /** Nobody changes it. */
    static final CandidateSet NONE = new CandidateSet();

    long a;
    long b;
    long c;
    long d;

    /** The first {@code count} groups. */
    static CandidateSet firstOf(int count) {
        CandidateSet set = new CandidateSet();
        set.become(ones(count), ones(count - 64), ones(count - 128), ones(count - 192));
        return set;
    }

    private static long ones(int count) {
        return count >= 64 ? -1 : count <= 0 ? 0 : (1L << count) - 1;
    }

    void become(long newA, long newB, long newC, long newD) {
        a = newA;
        b = newB;
        c = newC;
        d = newD;
    }

    void become(CandidateSet that) {
        become(that.a, that.b, that.c, that.d);
    }

    boolean is(long otherA, long otherB, long otherC, long otherD) {
        return a == otherA && b == otherB && c == otherC && d == otherD;
    }

    boolean is(CandidateSet that) {
        return is(that.a, that.b, that.c, that.d);
    }

    boolean isEmpty() {
        return (a | b | c | d) == 0;
    }

    int size() {
        return Long.bitCount(a) + Long.bitCount(b) + Long.bitCount(c) + Long.bitCount(d);
    }

    /** Members, ascending. */
    int[] toArray() {
        int[] members = new int[size()];
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

    /** What {@code of} has at the members' places, ascending. */
    byte[] choose(byte[] of) {
        byte[] chosen = new byte[size()];
        int count = choose(a, 0, of, chosen, 0);
        if ((b | c | d) != 0) {
            count = choose(b, 64, of, chosen, count);
            count = choose(c, 128, of, chosen, count);
            choose(d, 192, of, chosen, count);
        }
        return chosen;
    }

    /** Run by run: few neighbours are missing where many are. */
    private static int choose(long word, int base, byte[] of, byte[] into, int at) {
        int next = at;
        int first = 0;
        for (long rest = word; rest != 0; ) {
            int gap = Long.numberOfTrailingZeros(rest);
            first += gap;
            int run = Long.numberOfTrailingZeros(~(rest >>> gap));
            System.arraycopy(of, base + first, into, next, run);
            next += run;
            first += run;
            rest = first < 64 ? word >>> first : 0;
        }
        return next;
    }

    int hash() {
        long mixed = a * 0x9E37_79B9_7F4A_7C15L ^ b * 0xC2B2_AE3D_27D4_EB4FL ^ c * 0x1656_67B1_9E37_79F9L ^ d;
        mixed *= 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 32);
    }
}

package io.dmodc.routing.vtftr;

import java.util.BitSet;

/** Sets of leaves of a line, or of roots of a line, as words of 64 bits. Both operands have the same length. */
final class Bits {
    private Bits() {}

    static long[] ofSize(int size) {
        return new long[(size + 63) >>> 6];
    }

    static boolean get(long[] set, int i) {
        return (set[i >>> 6] & (1L << i)) != 0;
    }

    static void add(long[] set, int i) {
        set[i >>> 6] |= 1L << i;
    }

    static void addAll(long[] set, long[] other) {
        for (int w = 0; w < set.length; w++) {
            set[w] |= other[w];
        }
    }

    static void remove(long[] set, int i) {
        set[i >>> 6] &= ~(1L << i);
    }

    static boolean isEmpty(long[] set) {
        long any = 0;
        for (long word : set) {
            any |= word;
        }
        return any == 0;
    }

    static boolean meet(long[] a, long[] b) {
        for (int w = 0; w < a.length; w++) {
            if ((a[w] & b[w]) != 0) {
                return true;
            }
        }
        return false;
    }

    static boolean containsAll(long[] set, long[] other) {
        for (int w = 0; w < set.length; w++) {
            if ((other[w] & ~set[w]) != 0) {
                return false;
            }
        }
        return true;
    }

    static long[] and(long[] a, long[] b) {
        long[] both = new long[a.length];
        for (int w = 0; w < a.length; w++) {
            both[w] = a[w] & b[w];
        }
        return both;
    }

    static int count(long[] set) {
        int count = 0;
        for (long word : set) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The n-th member, from 0; there must be so many. */
    static int nth(long[] set, int n) {
        int left = n;
        for (int w = 0; ; w++) {
            int here = Long.bitCount(set[w]);
            if (left < here) {
                long word = set[w];
                for (; left > 0; left--) {
                    word &= word - 1;
                }
                return (w << 6) + Long.numberOfTrailingZeros(word);
            }
            left -= here;
        }
    }

    static BitSet toBitSet(long[] set) {
        return BitSet.valueOf(set);
    }
}

package io.dmodc.routing.check;

import java.util.Arrays;

/** Sets as rows of 64-bit words. */
final class BitWords {
    private BitWords() {}

    static long[] ofSize(int size) {
        return new long[(size + 63) / 64];
    }

    static void set(long[] bits, int i) {
        bits[i >> 6] |= 1L << i;
    }

    static boolean get(long[] bits, int i) {
        return (bits[i >> 6] >>> i & 1) != 0;
    }

    static void or(long[] into, long[] other) {
        for (int w = 0; w < into.length; w++) {
            into[w] |= other[w];
        }
    }

    /** Adds the indices of the words in which two sets differ to {@code into}. */
    static void addDifferentWords(long[] one, long[] other, long[] into) {
        for (int w = 0; one != other && w < one.length; w++) {
            if (one[w] != other[w]) {
                set(into, w);
            }
        }
    }

    static boolean isEmpty(long[] bits) {
        for (long word : bits) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    static int[] nonZeroWords(long[] bits) {
        int[] found = new int[bits.length];
        int count = 0;
        for (int w = 0; w < bits.length; w++) {
            if (bits[w] != 0) {
                found[count++] = w;
            }
        }
        return Arrays.copyOf(found, count);
    }
}

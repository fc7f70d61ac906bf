package io.dmodc.routing.dmodc;

import java.util.Arrays;

/** A set of targets, by the words of a bit set that are not zero. Immutable. */
final class TargetSet {
    static final TargetSet NONE = new TargetSet(new int[0], new long[0]);

    private final int[] words;
    private final long[] bits;

    private TargetSet(int[] words, long[] bits) {
        this.words = words;
        this.bits = bits;
    }

    /** All bits of so many words. */
    static TargetSet all(int wordCount) {
        long[] ones = new long[wordCount];
        Arrays.fill(ones, -1);
        return of(ones);
    }

    static TargetSet of(long[] set) {
        int count = 0;
        for (long word : set) {
            count += word != 0 ? 1 : 0;
        }
        if (count == 0) {
            return NONE;
        }
        int[] words = new int[count];
        long[] bits = new long[count];
        for (int w = set.length - 1; count > 0; w--) {
            if (set[w] != 0) {
                words[--count] = w;
                bits[count] = set[w];
            }
        }
        return new TargetSet(words, bits);
    }

    boolean isEmpty() {
        return words.length == 0;
    }

    /** How many words are not zero. */
    int count() {
        return words.length;
    }

    /** Place of the i-th word that is not zero, ascending. */
    int word(int i) {
        return words[i];
    }

    /** Bits of the i-th word that is not zero. */
    long bits(int i) {
        return bits[i];
    }

    void addTo(long[] set) {
        for (int i = 0; i < words.length; i++) {
            set[words[i]] |= bits[i];
        }
    }
}

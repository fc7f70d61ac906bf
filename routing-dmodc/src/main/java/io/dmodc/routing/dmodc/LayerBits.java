package io.dmodc.routing.dmodc;

import java.util.Arrays;

/** Layers one after the other, turn ranks ascending, each a bit set of targets. Immutable, once found. */
final class LayerBits {
    static final LayerBits NONE = new LayerBits(new long[0]);

    /** The first layer begins at {@link #at}. */
    final long[] words;

    final int at;

    /** Longs of all layers. */
    final int length;

    /** All longs before this one, counted from {@link #at}, are 0. */
    final int from;

    /** From this long on all are 0. */
    final int to;

    LayerBits(long[] words) {
        int first = 0;
        int end = words.length;
        while (first < end && words[first] == 0) {
            first++;
        }
        while (first < end && words[end - 1] == 0) {
            end--;
        }
        this.words = words;
        at = 0;
        length = words.length;
        from = first;
        to = end;
    }

    /** With one word that is not 0. */
    private LayerBits(long[] words, int at, int length, int word) {
        this.words = words;
        this.at = at;
        this.length = length;
        from = word;
        to = word + 1;
    }

    /**
     * One layer of one target alone, cut out of an array that all targets with the same place in their word share.
     *
     * @param layerWords longs of a layer
     * @param shared by {@code target % 64}; filled as they are asked for
     */
    static LayerBits of(int target, int layerWords, long[][] shared) {
        int place = target & 63;
        if (shared[place].length == 0) {
            shared[place] = new long[2 * layerWords - 1];
            shared[place][layerWords - 1] = 1L << place;
        }
        return new LayerBits(shared[place], layerWords - 1 - (target >> 6), layerWords, target >> 6);
    }

    /** Lowest target of the one layer there is; −1 if it has none. */
    int first() {
        return from == to ? -1 : 64 * from + Long.numberOfTrailingZeros(words[at + from]);
    }

    /** Highest target of the one layer there is; −1 if it has none. */
    int last() {
        return from == to ? -1 : 64 * to - 1 - Long.numberOfLeadingZeros(words[at + to - 1]);
    }

    /**
     * These with other words for some targets; the object itself if none of them differs.
     *
     * @param found words for these targets, layer by layer
     */
    LayerBits with(TargetSet targets, long[] found, int layerWords) {
        long[] now = words;
        int base = at;
        for (int i = 0; i < found.length; i++) {
            int place = i / targets.count() * layerWords + targets.word(i % targets.count());
            if (now[base + place] != found[i]) {
                now = now == words ? Arrays.copyOfRange(words, at, at + length) : now;
                base = 0;
                now[place] = found[i];
            }
        }
        return now == words ? this : new LayerBits(now);
    }

    /** Targets that differ in any of the layers of two that have as many, each of so many longs. */
    @SuppressWarnings("ReferenceEquality") // what did not change is the same object
    TargetSet differing(LayerBits that, int layerWords) {
        if (this == that) {
            return TargetSet.NONE;
        }
        int first = Arrays.mismatch(words, at, at + length, that.words, that.at, that.at + length);
        if (first < 0) {
            return TargetSet.NONE;
        }
        long[] changed = new long[layerWords];
        for (int i = first; i < length; i++) {
            changed[i % layerWords] |= words[at + i] ^ that.words[that.at + i];
        }
        return TargetSet.of(changed);
    }
}

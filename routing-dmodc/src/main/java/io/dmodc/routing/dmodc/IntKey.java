package io.dmodc.routing.dmodc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of numbers as a key of a map. One is filled again and again to look up with; {@link #copy} makes the key that is
 * kept.
 */
final class IntKey {
    /** To be filled directly. */
    final int[] values;

    int count;

    /** @param capacity most numbers it can hold */
    IntKey(int capacity) {
        this(new int[capacity], 0);
    }

    private IntKey(int[] values, int count) {
        this.values = values;
        this.count = count;
    }

    IntKey copy() {
        return new IntKey(Arrays.copyOf(values, count), count);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IntKey that && Arrays.equals(values, 0, count, that.values, 0, that.count);
    }

    /** Looks at nine of the numbers: keys that differ in one neighbour differ in all places after it. */
    @Override
    public int hashCode() {
        int hash = count;
        if (count > 0) {
            for (int i = 0; i <= 8; i++) {
                hash = 31 * hash + values[(count - 1) * i / 8];
            }
        }
        return hash ^ hash >>> 15;
    }
}

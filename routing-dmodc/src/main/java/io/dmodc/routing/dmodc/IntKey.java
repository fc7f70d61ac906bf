package io.dmodc.routing.dmodc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of numbers as a key of a map. One is filled again and again to look up with; {@link #copy} makes the key that is
 * kept.
 */
final class IntKey {
    private int[] values;
    private int count;

    IntKey() {
        this(new int[64], 0);
    }

    private IntKey(int[] values, int count) {
        this.values = values;
        this.count = count;
    }

    void clear() {
        count = 0;
    }

    void add(int value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
    }

    void set(int i, int value) {
        values[i] = value;
    }

    int size() {
        return count;
    }

    int get(int i) {
        return values[i];
    }

    IntKey copy() {
        return new IntKey(Arrays.copyOf(values, count), count);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IntKey that && Arrays.equals(values, 0, count, that.values, 0, that.count);
    }

    @Override
    public int hashCode() {
        int hash = count;
        for (int i = 0; i < count; i++) {
            hash = 31 * hash + values[i];
        }
        return hash ^ hash >>> 15;
    }
}

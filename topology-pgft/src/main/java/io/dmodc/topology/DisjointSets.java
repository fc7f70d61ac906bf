package io.dmodc.topology;

import java.util.stream.IntStream;

/** Which of the numbers 0..n−1 were joined, over whatever others; each set is known by its lowest member. Not thread-safe. */
public final class DisjointSets {
    private final int[] parent;

    /** All are alone. */
    public DisjointSets(int count) {
        parent = IntStream.range(0, count).toArray();
    }

    public void join(int a, int b) {
        int one = lowest(a);
        int other = lowest(b);
        parent[Math.max(one, other)] = Math.min(one, other);
    }

    /** Lowest member of the set that a number is in. Nearly O(1). */
    public int lowest(int of) {
        int at = of;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }
}

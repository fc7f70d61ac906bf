package io.dmodc.routing.throughput;

import java.util.Arrays;

/**
 * What channels bear of a row of flow groups: compressed rows, {@code start(g) .. start(g + 1)} are the channels of
 * group g. Grows as it is filled; 8 bytes a channel on a route.
 */
public final class RouteShares {
    private int[] start;
    private int[] channel = new int[1 << 10];
    private int[] parts = new int[1 << 10];
    private int groups;
    private int size;

    RouteShares(int groupMax) {
        start = new int[groupMax + 1];
    }

    /** The present group puts so many parts of each of its flows on a channel. */
    public void add(int onChannel, int partCount) {
        if (size == channel.length) {
            channel = Arrays.copyOf(channel, 2 * size);
            parts = Arrays.copyOf(parts, 2 * size);
        }
        channel[size] = onChannel;
        parts[size++] = partCount;
    }

    /** The present group is whole; the next one begins. */
    void endGroup() {
        start[++groups] = size;
    }

    int groups() {
        return groups;
    }

    int size() {
        return size;
    }

    int start(int group) {
        return start[group];
    }

    int channel(int i) {
        return channel[i];
    }

    int parts(int i) {
        return parts[i];
    }
}

package io.dmodc.routing.cycles;

import java.util.Arrays;

/**
 * What arrived while it was measured: how many at each node, and how long they took from birth to arrival, queue of the
 * node included. The counters of latencies grow to the longest; none is longer than the simulation.
 */
final class DeliveryLog {
    private final int[] delivered;
    private long[] latencies = new long[1 << 10];
    private long count;
    private long sum;

    DeliveryLog(int nodeIndices) {
        delivered = new int[nodeIndices];
    }

    void add(int node, int latency) {
        delivered[node]++;
        if (latency >= latencies.length) {
            latencies = Arrays.copyOf(latencies, Math.max(latency + 1, 2 * latencies.length));
        }
        latencies[latency]++;
        count++;
        sum += latency;
    }

    long count() {
        return count;
    }

    int delivered(int node) {
        return delivered[node];
    }

    /** 0 if nothing arrived. */
    double meanLatency() {
        return count == 0 ? 0 : (double) sum / count;
    }

    /** The least latency that so many of 1,000 packets do not exceed; 0 if nothing arrived. */
    int latency(int perThousand) {
        long seen = 0;
        for (int latency = 0; latency < latencies.length && count > 0; latency++) {
            seen += latencies[latency];
            if (seen * 1000 >= count * perThousand) {
                return latency;
            }
        }
        return 0;
    }
}

package io.dmodc.routing.cycles;

import org.jspecify.annotations.Nullable;

/**
 * What came of one run. Rates are packets a node and cycle, which is what a link carries; times are cycles.
 *
 * @param cycles simulated; fewer than asked for if there was a deadlock
 * @param accepted packets that arrived, mean of all nodes
 * @param acceptedMin at the node where fewest arrived
 * @param meanLatency from birth to arrival, of packets that arrived while it was measured, as are the others
 * @param medianLatency half of them took no longer
 * @param p99Latency 99 of 100 took no longer
 * @param delivered packets that arrived while it was measured
 * @param dropped packets that switches knew no way for, or that went round, in the whole run
 * @param moves packets that passed a switch, in the whole run
 * @param deadlock absent if every packet could still move
 */
public record RunResult(
        double load,
        long seed,
        int cycles,
        double accepted,
        double acceptedMin,
        double meanLatency,
        int medianLatency,
        int p99Latency,
        long delivered,
        long dropped,
        long moves,
        @Nullable Deadlock deadlock) {}

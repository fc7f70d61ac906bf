package io.dmodc.routing.quality;

import java.util.Arrays;

/**
 * What the flows of neighbouring patterns meet, a lane each. One worker's own.
 *
 * <p><b>Idea.</b> In the shifts k .. k + 31 a node of one switch sends to the same destination in up to as many of them
 * as the switch has nodes in a run, always by the same way. So the ways are followed for a whole block of patterns, and
 * what their ports bear lies side by side: {@code load[channel * lanes + lane]}. A way is followed once per (run,
 * destination, block) instead of once per flow; the highest of its ports is taken for all lanes at once, on vectors.
 * Patterns whose flows differ have a single lane, so that their loads lie close together.
 *
 * <p><b>Loads.</b> A pattern that slides out of the one before only writes what changed; then each channel's lanes are
 * summed up from left to right, beginning anew where a pattern began with nothing.
 *
 * <p>Cost, all shifts: O(n × leaves × hops × (1 + run / lanes)) followed ports, n² × hops / (lanes of a vector) steps
 * for the maxima, one pass over {@code lanes} ints a channel per block. Memory: 4 × lanes bytes a channel.
 */
final class PatternFlows implements FlowSink {
    private final ArrivingRoutes routes;
    private final int lanes;
    private final int[] load;
    private final boolean[] begins;
    private final int[] met;
    private int lane;
    private long flows;
    private long riskSum;
    private long shared;

    private PatternFlows(ArrivingRoutes routes, int lanes) {
        this.routes = routes;
        this.lanes = lanes;
        load = new int[routes.channels.count() * lanes];
        begins = new boolean[lanes];
        met = new int[lanes];
    }

    /** Of patterns {@code from .. to − 1}. */
    static FlowRisk of(ArrivingRoutes routes, Pattern pattern, int from, int to) {
        PatternFlows block = new PatternFlows(routes, to - from);
        for (int i = from; i < to; i++) {
            block.lane = i - from;
            pattern.load(block, i, i == from);
        }
        block.sumUp();
        pattern.forEachFlow(from, to, block::meet);
        return new FlowRisk(block.flows, block.riskSum, block.shared);
    }

    @Override
    public void clear() {
        begins[lane] = true;
    }

    @Override
    public void add(int s, int d) {
        change(s, d, 1);
    }

    @Override
    public void remove(int s, int d) {
        change(s, d, -1);
    }

    private void change(int s, int d, int by) {
        int home = routes.home[d];
        int at = routes.arrives(s, d) ? s : home;
        while (at != home) {
            int channel = routes.channel(at, d);
            load[channel * lanes + lane] += by;
            at = routes.channels.peer[channel];
        }
    }

    private void sumUp() {
        for (int first = 0; first < load.length; first += lanes) {
            int flowing = 0;
            for (int j = 0; j < lanes; j++) {
                flowing = load[first + j] + (begins[j] ? 0 : flowing);
                load[first + j] = flowing;
            }
        }
    }

    /** A flow of the patterns in lanes {@code from .. to − 1}. */
    private void meet(int s, int d, int from, int to) {
        if (!routes.arrives(s, d)) {
            return;
        }
        Arrays.fill(met, from, to, 1);
        int home = routes.home[d];
        int at = s;
        while (at != home) {
            int channel = routes.channel(at, d);
            raise(met, load, channel * lanes, from, to);
            at = routes.channels.peer[channel];
        }
        flows += to - from;
        riskSum += sum(met, from, to);
        shared += countShared(met, from, to);
    }

    /** Loops of their own, without a branch, so that they run on vectors. */
    private static void raise(int[] met, int[] load, int first, int from, int to) {
        for (int j = from; j < to; j++) {
            met[j] = Math.max(met[j], load[first + j]);
        }
    }

    private static int sum(int[] met, int from, int to) {
        int sum = 0;
        for (int j = from; j < to; j++) {
            sum += met[j];
        }
        return sum;
    }

    private static int countShared(int[] met, int from, int to) {
        int count = 0;
        for (int j = from; j < to; j++) {
            count += (FlowRisk.SHARED - 1 - met[j]) >>> 31;
        }
        return count;
    }
}

package io.dmodc.routing.quality;

import java.util.Arrays;

/**
 * Flows through each channel under one pattern in which every node sends at most once and receives at most once: the
 * flows of a channel then have as many sources and as many destinations as there are flows, and their number is the
 * risk. One worker's own; 8 bytes per channel.
 */
final class ChannelLoads implements FlowSink {
    private final ArrivingRoutes routes;
    private final int[] flows;
    private final int[] peak;
    private int delivered;

    ChannelLoads(ArrivingRoutes routes) {
        this.routes = routes;
        flows = new int[routes.channels.count()];
        peak = new int[flows.length];
    }

    @Override
    public void clear() {
        Arrays.fill(flows, 0);
        delivered = 0;
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
        if (!routes.arrives(s, d)) {
            return;
        }
        delivered += by;
        int home = routes.home[d];
        int at = s;
        while (at != home) {
            int channel = routes.channel(at, d);
            flows[channel] += by;
            at = routes.channels.peer[channel];
        }
    }

    /**
     * Notes the risk of this pattern.
     *
     * @param risk one row a stage, then the ports to hosts, then the whole fabric; column {@code pattern} is written
     */
    void measure(int[][] risk, int pattern) {
        int[] start = routes.channels.start;
        int hosts = start.length - 1;
        int whole = delivered > 0 ? 1 : 0;
        risk[hosts][pattern] = whole;
        for (int stage = 0; stage < hosts; stage++) {
            int most = most(flows, start[stage], start[stage + 1]);
            risk[stage][pattern] = most;
            whole = Math.max(whole, most);
        }
        risk[hosts + 1][pattern] = whole;
        raise(peak, flows);
    }

    /** A loop of its own, without a branch, so that it runs on vectors. */
    private static int most(int[] values, int from, int to) {
        int most = 0;
        for (int i = from; i < to; i++) {
            most = Math.max(most, values[i]);
        }
        return most;
    }

    private static void raise(int[] peak, int[] values) {
        for (int i = 0; i < peak.length; i++) {
            peak[i] = Math.max(peak[i], values[i]);
        }
    }

    /** Raises {@code into} to the highest risk each channel had in the patterns measured here. */
    void raisePeaks(int[] into) {
        raise(into, peak);
    }
}

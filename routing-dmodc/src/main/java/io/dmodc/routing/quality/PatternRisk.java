package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;

/** The risk of tables under a row of patterns. Immutable once made. */
public final class PatternRisk {
    private final ArrivingRoutes routes;
    private final Pattern pattern;
    private final Parallel parallel;
    private final int[][] risk;
    private final int[] peak;

    private PatternRisk(ArrivingRoutes routes, Pattern pattern, Parallel parallel) {
        this.routes = routes;
        this.pattern = pattern;
        this.parallel = parallel;
        this.risk = new int[routes.channels.stages.size() + 2][pattern.count()];
        this.peak = new int[routes.channels.count()];
    }

    static PatternRisk of(ArrivingRoutes routes, Pattern pattern, Parallel parallel, Progress progress) {
        PatternRisk made = new PatternRisk(routes, pattern, parallel);
        pattern.sweep(
                () -> new ChannelLoads(routes),
                (loads, i) -> loads.measure(made.risk, i),
                loads -> loads.raisePeaks(made.peak),
                parallel,
                progress);
        return made;
    }

    /** How many patterns were looked at. */
    public int patternCount() {
        return whole().size();
    }

    /** What people call pattern {@code i}: the distance of a shift; the place of a permutation, from 1. */
    public int number(int i) {
        return pattern.number(i);
    }

    /** Highest risk of any port. */
    public RiskSeries whole() {
        return new RiskSeries(risk[risk.length - 1]);
    }

    /**
     * The risk each pattern has at least, whatever tables bring the same flows to their destinations: the flows that must
     * leave or enter a switch with nodes or a subtree, divided by the ports they have for it. Never above {@link #whole}.
     * Counted anew at each call: all patterns once more, but no route is followed.
     */
    public RiskSeries least() {
        Cuts cuts = new Cuts(routes.channels, routes.source);
        int[] least = new int[pattern.count()];
        pattern.sweep(
                () -> new CutLoads(routes, cuts),
                (loads, i) -> least[i] = loads.least(),
                loads -> {},
                parallel,
                Progress.NONE);
        return new RiskSeries(least);
    }

    /**
     * What the flows of all patterns meet on their ways, each flow counted as one.
     * Counted anew at each call: all patterns once more, and the way of each flow.
     */
    public FlowRisk flows(Progress progress) {
        FlowRisk[] met = {FlowRisk.NONE};
        int[] done = {0};
        int lanes = pattern.lanes();
        int blocks = (int) (((long) pattern.count() + lanes - 1) / lanes);
        parallel.forEach(blocks, block -> {
            int from = block * lanes;
            FlowRisk of = PatternFlows.of(routes, pattern, from, Math.min(pattern.count(), from + lanes));
            synchronized (met) {
                met[0] = met[0].plus(of);
                progress.reached(++done[0], blocks);
            }
        });
        return met[0];
    }

    /** Highest risk of the ports of one stage, an index into {@link CongestionRisk#stages}. */
    public RiskSeries stage(int stage) {
        return new RiskSeries(risk[stage]);
    }

    /** Highest risk a channel had in any pattern. */
    int peak(int channel) {
        return peak[channel];
    }
}

package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;

/** The risk of tables under a row of patterns. Immutable once made. */
public final class PatternRisk {
    private final Pattern pattern;
    private final int[][] risk;
    private final int[] peak;
    private final int[] least;

    private PatternRisk(Pattern pattern, int[][] risk, int[] peak, int[] least) {
        this.pattern = pattern;
        this.risk = risk;
        this.peak = peak;
        this.least = least;
    }

    /** Writes patterns into a worker's counters, pieces of neighbouring ones in order. */
    interface Pattern {
        /**
         * Makes {@code loads} hold pattern {@code i}.
         *
         * @param first false if {@code loads} holds pattern {@code i − 1} at present
         */
        void load(ChannelLoads loads, int i, boolean first);

        /** What people call pattern {@code i}. */
        int number(int i);
    }

    /**
     * Measures patterns {@code 0..count−1}.
     *
     * @param pieceSize how many patterns one worker takes at a time
     */
    static PatternRisk of(
            ArrivingRoutes routes, int count, int pieceSize, Pattern pattern, Parallel parallel, Progress progress) {
        PatternRisk made = new PatternRisk(
                pattern,
                new int[routes.channels.stages.size() + 2][count],
                new int[routes.channels.count()],
                new int[count]);
        int[] done = {0};
        parallel.forEach((int) (((long) count + pieceSize - 1) / pieceSize), piece -> {
            int from = piece * pieceSize;
            int to = Math.min(count, from + pieceSize);
            ChannelLoads loads = new ChannelLoads(routes);
            for (int i = from; i < to; i++) {
                pattern.load(loads, i, i == from);
                loads.measure(made.risk, i);
                made.least[i] = loads.least();
            }
            synchronized (done) {
                loads.raisePeaks(made.peak);
                done[0] += to - from;
                progress.reached(done[0], count);
            }
        });
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
     */
    public RiskSeries least() {
        return new RiskSeries(least);
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

package io.dmodc.routing.quality;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.List;

/**
 * The congestion risk of tables in a few figures: all-to-all traffic exactly, permutations and shifts by a sample.
 * Figures of two tables compare if they were made with the same samples.
 *
 * @param nodes that take part
 * @param unroutedPairs ordered pairs of these nodes whose route does not arrive; they send nothing
 * @param allToAll highest risk of a port when every node sends to every other
 * @param hottest the ports between switches that bear most in all-to-all traffic, at most {@value #HOTTEST_MAX}; equal
 *     ones by stage, switch index and port
 */
public record CongestionSummary(
        int nodes, long unroutedPairs, int allToAll, Sampled permutations, Sampled shifts, List<HotPort> hottest) {
    /** Most ports that are named. */
    public static final int HOTTEST_MAX = 5;

    public CongestionSummary {
        hottest = List.copyOf(hottest);
    }

    /**
     * How much is looked at.
     *
     * @param permutations how many
     * @param shifts how many; all there are, if there are not more
     * @param seed draws them
     */
    public record Samples(int permutations, int shifts, long seed) {
        /** Enough for the mean of the whole fabric, and a few seconds' work on 65,536 nodes. */
        public static final Samples STANDARD = new Samples(100, 100, 1);

        public Samples {
            if (permutations < 0 || shifts < 0) {
                throw new IllegalArgumentException(
                        "sample of " + permutations + " permutations and " + shifts + " shifts; expected 0 or more");
            }
        }
    }

    /**
     * Risk under patterns of one kind.
     *
     * @param count how many were looked at
     * @param mean over these, of the highest risk of a port; 0 without any
     * @param max highest risk of a port in any of them; 0 without any
     */
    public record Sampled(int count, double mean, int max) {
        static Sampled of(PatternRisk patterns) {
            RiskSeries risk = patterns.whole();
            return new Sampled(risk.size(), risk.mean(), risk.max());
        }
    }

    /** A port between switches, and its risk in all-to-all traffic: so many flows can meet there. */
    public record HotPort(int switchIndex, int port, int flows) {}

    /**
     * Measures tables.
     *
     * @param view the fabric the tables are for
     * @param tables towards nodes, whoever made them
     * @param parallel where it is worked on, in many parts; no figure depends on it
     * @throws IllegalArgumentException if the tables have another size than the view
     */
    public static CongestionSummary of(FabricView view, LftSet tables, Samples samples, Parallel parallel) {
        return of(view, tables, samples, parallel, Progress.NONE);
    }

    /**
     * Measures tables, and tells how far it is with each of all-to-all traffic, permutations and shifts.
     *
     * @param progress ends the work by throwing; what it throws comes out of here if {@code parallel} is sequential
     */
    public static CongestionSummary of(
            FabricView view, LftSet tables, Samples samples, Parallel parallel, Progress progress) {
        return of(CongestionRisk.of(view, tables, parallel, progress), samples, progress);
    }

    /** Sums up a study that was begun; tells how far it is with permutations and shifts. */
    public static CongestionSummary of(CongestionRisk risk, Samples samples, Progress progress) {
        PatternRisk permutations = risk.permutations(samples.permutations, samples.seed, progress);
        PatternRisk shifts = risk.shifts(samples.shifts, samples.seed, progress);
        return new CongestionSummary(
                risk.nodeCount(),
                risk.unroutedPairs(),
                risk.allToAll(),
                Sampled.of(permutations),
                Sampled.of(shifts),
                risk.hottest(HOTTEST_MAX));
    }
}

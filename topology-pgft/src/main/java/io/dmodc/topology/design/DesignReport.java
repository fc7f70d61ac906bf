package io.dmodc.topology.design;

import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;

/**
 * How a fabric compares with its design.
 *
 * @param design the shape compared with
 * @param inferred true if nobody gave the shape and it was guessed from the fabric
 * @param deviations the differences, by kind; at most {@link #DEVIATIONS_MAX}
 * @param deviationCount how many there are altogether
 * @param levels rank by design (level − 1, leaves 0) of every switch that has a place in it, by GUID
 */
public record DesignReport(
        PgftShape design, boolean inferred, List<Deviation> deviations, int deviationCount, GuidNumbers levels) {
    /** Beyond so many the fabric is another one than designed, and nobody reads on. */
    public static final int DEVIATIONS_MAX = 10_000;

    /** @param deviations copied */
    public DesignReport {
        deviations = List.copyOf(deviations);
    }

    /** True if the fabric is exactly as designed. */
    public boolean asDesigned() {
        return deviationCount == 0;
    }
}

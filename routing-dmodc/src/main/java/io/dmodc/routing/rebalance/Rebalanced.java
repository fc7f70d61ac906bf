package io.dmodc.routing.rebalance;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.quality.RiskSeries;
import io.dmodc.topology.FabricView;

/**
 * Tables with entries moved, what that took and what it gave.
 *
 * @param tables the ones given where nothing was moved
 * @param entries that differ
 * @param blocks of {@link io.dmodc.routing.LftDelta#BLOCK} entries in which they are
 * @param switches whose tables differ
 */
public record Rebalanced(LftSet tables, int entries, int blocks, int switches, Risk before, Risk after) {
    /**
     * Congestion risk.
     *
     * @param allToAll highest risk of a port when every node sends to every other
     * @param shiftMax highest risk of a port in any shift
     * @param shiftMean mean over all shifts of the highest risk of a port
     * @param shiftMeanLeast what that is at least, whatever tables bring the same flows to their destinations
     */
    public record Risk(int allToAll, int shiftMax, double shiftMean, double shiftMeanLeast) {
        static Risk of(FabricView view, LftSet tables, Parallel parallel) {
            CongestionRisk risk = CongestionRisk.of(view, tables, parallel, Progress.NONE);
            PatternRisk shifts = risk.shifts(Progress.NONE);
            RiskSeries whole = shifts.whole();
            return new Risk(
                    risk.allToAll(), whole.max(), whole.mean(), shifts.least().mean());
        }

        /** True if no tables have a lower mean. */
        boolean isLeast() {
            return shiftMean <= shiftMeanLeast;
        }

        /** True if the mean is below that of the best tables so far, and nothing above that of the first. */
        boolean isBelow(Risk best, Risk first) {
            return shiftMean < best.shiftMean && shiftMax <= first.shiftMax && allToAll <= first.allToAll;
        }
    }
}

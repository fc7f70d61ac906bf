package io.dmodc.manager.congestion;

import io.dmodc.manager.loop.BackgroundLooks;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.routing.quality.CongestionSummary.Samples;

/**
 * Measures the congestion risk of the tables in force on a thread of its own.
 */
public final class CongestionWorker {
    private CongestionWorker() {}

    /**
     * Starts measuring.
     *
     * @param history takes what is measured
     */
    public static BackgroundLooks start(FabricLoop loop, CongestionHistory history) {
        CongestionMeter meter = new CongestionMeter(loop::snapshot, history, Samples.STANDARD, loop::nowNanos);
        return BackgroundLooks.start("congestion", meter::look, "congestion is not measured any more");
    }
}

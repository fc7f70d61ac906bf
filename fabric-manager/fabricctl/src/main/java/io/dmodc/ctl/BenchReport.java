package io.dmodc.ctl;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bench} measured; its JSON. Times are wall clock milliseconds, medians after warm-up unless said otherwise.
 *
 * @param tableBytes switches × nodes, one byte an entry: what the floor fills
 * @param coldMs first full reroute of this process, without bytes
 * @param fullMedianMs a full reroute from nothing to every distinct row written out as bytes into reused buffers
 * @param floorMedianMs {@code Arrays.fill} of tableBytes into the same buffers on the same threads, in turn with the above
 * @param ratio fullMedianMs / floorMedianMs
 * @param faultMedianMs one lost link, drawn at random among all: reroute from the last epoch, and its block delta
 * @param faultP99Ms of the same
 * @param extraBytes heap that the rerouter and its tables of runs keep, beyond tableBytes
 * @param peakHeapBytes most heap in use at any time, the buffers of tableBytes included
 * @param phases where the time of a full reroute goes
 * @param faults by kind of fault
 * @param degraded the same fabric heavily damaged; absent if not asked for
 */
record BenchReport(
        String fabric,
        String engine,
        int nodes,
        int switches,
        int links,
        int threads,
        int rounds,
        long tableBytes,
        double coldMs,
        double fullMedianMs,
        double floorMedianMs,
        double ratio,
        double faultMedianMs,
        double faultP99Ms,
        long extraBytes,
        long peakHeapBytes,
        Phases phases,
        Map<String, Fault> faults,
        @Nullable Degraded degraded) {

    /**
     * @param costsMs costs and dividers of all switches and targets
     * @param rowsMs the rest of the tables, as runs of patterns
     * @param bytesMs writing each distinct row out
     * @param distinctRows rows that are written out; the others are the same objects
     * @param unsharedBytesMs writing the rows of all switches out, each into a buffer of its own, shared or not
     * @param unsharedRatio costs, rows and unsharedBytesMs against the floor
     */
    record Phases(
            double costsMs,
            double rowsMs,
            double bytesMs,
            int distinctRows,
            double unsharedBytesMs,
            double unsharedRatio) {}

    /**
     * One kind of fault, each time a random one, healed before the next.
     *
     * @param viewMs the view after the fault
     * @param medianMs reroute and block delta
     * @param deltaMs of which the delta
     * @param healMedianMs the way back
     * @param rows tables that changed, on average
     * @param blocks blocks of 64 entries that changed, on average
     */
    record Fault(
            int count,
            double viewMs,
            double medianMs,
            double p99Ms,
            double deltaMs,
            double healMedianMs,
            long rows,
            long blocks) {}

    /**
     * @param fullMedianMs tables as runs of patterns, no bytes
     * @param ratio fullMedianMs / floorMedianMs
     * @param bytesRatio the same with each distinct row written out
     */
    record Degraded(
            int lostSwitches,
            int lostLinks,
            double fullMedianMs,
            double bytesMs,
            double floorMedianMs,
            double ratio,
            double bytesRatio,
            long extraBytes,
            Fault linkFault) {}
}

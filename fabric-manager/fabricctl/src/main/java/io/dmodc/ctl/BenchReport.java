package io.dmodc.ctl;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bench} measured; its JSON. Times are wall clock milliseconds, medians after warm-up unless said otherwise;
 * medians and percentiles are nearest ranks ({@link Samples}).
 *
 * @param fabric the shape or file named on the command line
 * @param links between switches
 * @param rounds full reroutes measured
 * @param tableBytes switches × nodes, one byte an entry: what the floor fills
 * @param coldMs first full reroute of this process, without bytes
 * @param routesMedianMs a full reroute from nothing to tables as runs of patterns; no bytes are written
 * @param fullMedianMs a full reroute from nothing to every distinct row found and written out as bytes into reused buffers;
 *     this and all about bytes and floor is absent where the heap has no room for tableBytes
 * @param floorMedianMs {@code Arrays.fill} of tableBytes into the same buffers on the same threads, in turn with the above
 * @param ratio fullMedianMs / floorMedianMs
 * @param faultMedianMs one lost link, drawn at random among all: reroute from the last epoch, and its block delta;
 *     absent if the fabric has no links
 * @param faultP99Ms of the same, 99th percentile
 * @param extraBytes heap that the rerouter and its tables of runs keep, beyond tableBytes
 * @param peakHeapBytes no more heap was ever in use; the buffers of tableBytes are part of it
 * @param phases where the time of a full reroute goes
 * @param faults by kind: {@value #ANY_LINK}, leafUplink, topLink, spineSwitch, leafSwitch, hostAppears, hostReplaced; only those this fabric can have
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
        double routesMedianMs,
        @Nullable Double fullMedianMs,
        @Nullable Double floorMedianMs,
        @Nullable Double ratio,
        @Nullable Double faultMedianMs,
        @Nullable Double faultP99Ms,
        long extraBytes,
        long peakHeapBytes,
        Phases phases,
        Map<String, Fault> faults,
        @Nullable Degraded degraded) {

    /** Kind of {@link #faultMedianMs}. */
    static final String ANY_LINK = "anyLink";

    /**
     * @param costsMs costs and dividers of all switches and targets
     * @param rowsMs the rest of the tables, as runs of patterns
     * @param bytesMs finding the distinct rows and writing each out
     * @param distinctRows rows that are written out; the others are the same objects
     * @param unsharedBytesMs writing the rows of all switches out, each into a buffer of its own, shared or not
     * @param unsharedRatio costs, rows and unsharedBytesMs against the floor
     */
    record Phases(
            double costsMs,
            double rowsMs,
            @Nullable Double bytesMs,
            int distinctRows,
            @Nullable Double unsharedBytesMs,
            @Nullable Double unsharedRatio) {}

    /**
     * One kind of fault, each time a random one, healed before the next. Hosts that appear are of that kind, too.
     *
     * @param count faults measured
     * @param viewMs drawing the view after the fault
     * @param medianMs reroute and block delta
     * @param p99Ms of the same, 99th percentile
     * @param deltaMs of which the delta
     * @param checkMs checking the new tables; not part of medianMs
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
            double checkMs,
            double healMedianMs,
            long rows,
            long blocks) {}

    /**
     * The same measures with switches and links lost.
     *
     * @param rounds that were measured
     * @param fullMedianMs tables as runs of patterns, no bytes
     * @param ratio fullMedianMs / floorMedianMs
     * @param bytesRatio the same with each distinct row written out
     * @param linkFault one more lost link; absent if none is left
     */
    record Degraded(
            int lostSwitches,
            int lostLinks,
            int rounds,
            double fullMedianMs,
            @Nullable Double bytesMs,
            @Nullable Double floorMedianMs,
            @Nullable Double ratio,
            @Nullable Double bytesRatio,
            long extraBytes,
            @Nullable Fault linkFault) {}
}

package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How much is tried.
 *
 * @param heartbeatNanos η of the real rings
 * @param suspicionNanos δ of the real rings
 * @param sizes          members of the real rings
 * @param kills          silent kills in each of them
 * @param steadySeconds  for how long steady traffic is counted
 * @param calmSeconds    for how long the processor time of a calm ring is counted
 * @param apartSeconds   for how long the members of a ring of several processes are watched, once in quiet and once beside
 *     busy loops
 * @param apartDeltas    δ of these rings in nanoseconds, each with η = δ/10
 * @param stops          times a whole process is stopped
 * @param nodesMost      nodes of the largest ring in virtual time
 * @param lossSeeds      seeds of the lossy rings
 * @param swarmSeeds     seeds of the rings that suffer everything at once
 * @param whole          true: also the sizes that take minutes each
 */
public record AcceptanceEffort(
        long heartbeatNanos,
        long suspicionNanos,
        List<Integer> sizes,
        int kills,
        int steadySeconds,
        int calmSeconds,
        int apartSeconds,
        List<Long> apartDeltas,
        int stops,
        int nodesMost,
        int lossSeeds,
        int swarmSeeds,
        boolean whole) {
    private static final long ETA = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long DELTA = TimeUnit.SECONDS.toNanos(1);
    private static final List<Integer> SIZES = List.of(16, 64, 128);

    public AcceptanceEffort {
        sizes = List.copyOf(sizes);
        apartDeltas = List.copyOf(apartDeltas);
    }

    /** Every row once, in a few minutes. */
    public static AcceptanceEffort standard() {
        List<Long> shipped = List.of(RingRules.SUSPICION_STANDARD_NANOS);
        return new AcceptanceEffort(ETA, DELTA, SIZES, 20, 10, 60, 5, shipped, 3, 100_000, 100, 300, false);
    }

    /** Every row in all sizes it names. */
    public static AcceptanceEffort full() {
        List<Long> deltas = Stream.of(200L, 300L, 500L, 1_000L)
                .map(TimeUnit.MILLISECONDS::toNanos)
                .toList();
        return new AcceptanceEffort(ETA, DELTA, SIZES, 40, 30, 60, 90, deltas, 3, 100_000, 100, 10_000, true);
    }

    int largestRing() {
        return sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}

package io.dmodc.detector.acceptance;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much is tried.
 *
 * @param heartbeatNanos η of the real rings
 * @param suspicionNanos δ of the real rings
 * @param sizes          members of the real rings
 * @param kills          silent kills in each of them
 * @param steadySeconds  for how long steady traffic is counted
 * @param calmSeconds    for how long nobody may be suspected, once in quiet and once beside busy loops
 * @param stops          times a whole process is stopped
 * @param nodesMost      nodes of the largest ring in virtual time
 * @param lossSeeds      seeds of the lossy rings
 * @param whole          true: also the sizes that take minutes each
 */
public record AcceptanceEffort(
        long heartbeatNanos,
        long suspicionNanos,
        List<Integer> sizes,
        int kills,
        int steadySeconds,
        int calmSeconds,
        int stops,
        int nodesMost,
        int lossSeeds,
        boolean whole) {
    private static final long ETA = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long DELTA = TimeUnit.SECONDS.toNanos(1);

    public AcceptanceEffort {
        sizes = List.copyOf(sizes);
    }

    /** Every row once, in a few minutes. */
    public static AcceptanceEffort standard() {
        return new AcceptanceEffort(ETA, DELTA, List.of(16, 64, 128), 20, 10, 60, 3, 100_000, 100, false);
    }

    /** Every row in all sizes it names. */
    public static AcceptanceEffort full() {
        return new AcceptanceEffort(ETA, DELTA, List.of(16, 64, 128), 40, 30, 60, 3, 100_000, 100, true);
    }

    int largestRing() {
        return sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}

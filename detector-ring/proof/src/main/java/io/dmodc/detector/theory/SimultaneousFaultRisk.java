package io.dmodc.detector.theory;

/**
 * How likely more nodes die together than T(f) covers (SC16, slide 24), for faults that have nothing to do with each
 * other: with mean time between faults μ of a node, the number of faults among n nodes within T is Poisson with λ = n T
 * / μ.
 *
 * <p>Says nothing about common causes: a power feed, a firmware, a pod. Ring order and the asking width are for those.
 */
public final class SimultaneousFaultRisk {
    /** Fewest nodes for which the theorem covers a fault at all. */
    public static final int NODES_MIN = 4;

    /** Terms smaller than this share of the sum no longer change it. */
    private static final double NEGLIGIBLE = 1e-18;

    private static final double DAY_NANOS = 86_400e9;
    private static final int BISECTIONS = 200;

    private SimultaneousFaultRisk() {}

    /** A year, 365.25 days. */
    public static double yearNanos() {
        return 365.25 * DAY_NANOS;
    }

    /** λ = n T(⌊log2 n⌋ - 1) / μ: faults expected while the ring gets over the most that are covered. */
    public static double expectedFaults(RingBounds ring, double meanBetweenFaultsNanos) {
        return expectedFaults(
                ring.liveCount(), (double) ring.suspicionNanos(), (double) ring.delayNanos(), meanBetweenFaultsNanos);
    }

    /** P(N ≥ ⌊log2 n⌋), that more die within T(⌊log2 n⌋ - 1) than it covers. */
    public static double probability(RingBounds ring, double meanBetweenFaultsNanos) {
        checkNodes(ring.liveCount());
        return atLeast(ring.logarithm(), expectedFaults(ring, meanBetweenFaultsNanos));
    }

    /**
     * The longest δ for which {@link #probability} stays below a bound, in nanoseconds; 0 if none does. May exceed what
     * a ring accepts.
     */
    public static double largestSuspicionNanos(
            int nodeCount, double delayNanos, double meanBetweenFaultsNanos, double bound) {
        checkNodes(nodeCount);
        int covered = RingBounds.logarithm(nodeCount);
        double low = 0;
        double high = meanBetweenFaultsNanos;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (atLeast(covered, expectedFaults(nodeCount, middle, delayNanos, meanBetweenFaultsNanos)) < bound) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** As {@link RingBounds#stableNanos}, for times that need not fit a ring. */
    private static double expectedFaults(int nodeCount, double suspicionNanos, double delayNanos, double meanNanos) {
        double faults = RingBounds.logarithm(nodeCount) - 1.0;
        double broadcast = 8 * delayNanos * Math.log(nodeCount) / Math.log(2);
        double stable = faults * (faults + 1) * (suspicionNanos + broadcast / 2) + faults * delayNanos;
        return nodeCount * stable / meanNanos;
    }

    /**
     * P(N ≥ count) for N Poisson with mean λ, to about 14 digits however small: below the mean the tail is summed
     * itself, for 1 minus nearly 1 has none left.
     */
    static double atLeast(int count, double lambda) {
        if (count <= 0) {
            return 1;
        }
        return lambda < count ? upperTail(count, lambda) : 1 - lowerPart(count, lambda);
    }

    /** First term e^-λ λ^k / k! by its logarithm, then each term λ / (k + j) times the one before. */
    private static double upperTail(int count, double lambda) {
        if (lambda <= 0) {
            return 0;
        }
        double term = 1;
        double sum = 1;
        for (int j = count + 1; term > sum * NEGLIGIBLE; j++) {
            term *= lambda / j;
            sum += term;
        }
        return Math.exp(logTerm(count, lambda)) * sum;
    }

    private static double lowerPart(int count, double lambda) {
        double sum = 0;
        for (int j = 0; j < count; j++) {
            sum += Math.exp(logTerm(j, lambda));
        }
        return sum;
    }

    private static double logTerm(int count, double lambda) {
        double log = -lambda + count * Math.log(lambda);
        for (int j = 2; j <= count; j++) {
            log -= Math.log(j);
        }
        return log;
    }

    private static void checkNodes(int nodeCount) {
        if (nodeCount < NODES_MIN) {
            throw new IllegalArgumentException("risk: " + nodeCount + " nodes, expected at least " + NODES_MIN);
        }
    }
}

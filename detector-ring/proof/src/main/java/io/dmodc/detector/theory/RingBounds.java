package io.dmodc.detector.theory;

import io.dmodc.detector.RingRules;

/**
 * How long a ring of n live nodes may take to know its dead, proven and expected (SC16, slides 20 to 23).
 *
 * <p>The theorem: after f ≤ ⌊log2 n⌋ - 1 overlapping faults all live nodes know all dead ones within T(f). It holds for
 * one message at a time per node, delays of at most τ, and no loss. It is loose: what is expected is a third to a ninth
 * of it. {@code log2} is the real logarithm in B(n), as on the slide, and its floor where faults are counted.
 *
 * @param liveCount      n, at least 2
 * @param heartbeatNanos η
 * @param suspicionNanos δ, above η
 * @param delayNanos     τ, bound of one message's delay, above 0
 */
public record RingBounds(int liveCount, long heartbeatNanos, long suspicionNanos, long delayNanos) {
    public RingBounds {
        if (liveCount < 2) {
            throw new IllegalArgumentException("ring bounds: " + liveCount + " nodes, expected at least 2");
        }
        if (delayNanos <= 0) {
            throw new IllegalArgumentException("ring bounds: delay " + delayNanos + " ns, expected above 0");
        }
        if (heartbeatNanos <= 0 || suspicionNanos <= heartbeatNanos) {
            throw new IllegalArgumentException("ring bounds: heartbeat " + heartbeatNanos + " ns and suspicion "
                    + suspicionNanos + " ns, expected above 0 and above the heartbeat");
        }
    }

    public static RingBounds of(int liveCount, RingRules rules, long delayNanos) {
        return new RingBounds(liveCount, rules.heartbeatNanos(), rules.suspicionNanos(), delayNanos);
    }

    /** ⌊log2 n⌋: from so many faults within T(⌊log2 n⌋ - 1) on the theorem says nothing. */
    public int logarithm() {
        return logarithm(liveCount);
    }

    static int logarithm(int count) {
        return 31 - Integer.numberOfLeadingZeros(count);
    }

    /** ⌊log2 n⌋ - 1, the most faults for which T(f) is proven; 0 below four nodes. */
    public int provenFaults() {
        return logarithm() - 1;
    }

    /** The observer's verdict comes at the earliest so long after the crash: the last heartbeat left just before η ends. */
    public long detectionLeastNanos() {
        return suspicionNanos - heartbeatNanos;
    }

    /** On average: the crash falls anywhere between two heartbeats. */
    public long detectionMeanNanos() {
        return suspicionNanos - heartbeatNanos / 2;
    }

    /** At the latest: the last heartbeat left just before the crash and took τ. */
    public long detectionMostNanos() {
        return suspicionNanos + delayNanos;
    }

    /** B(n) = 8 τ log2 n: two broadcasts, 2 τ log2 n each, on a port shared with heartbeats. */
    public long broadcastNanos() {
        return Math.round(8 * delayNanos * (Math.log(liveCount) / Math.log(2)));
    }

    /** R(f) ≤ f (f + 1) δ + f τ, from R(f) ≤ R(f - 1) + 2 f δ + τ: until the ring is closed again. */
    public long reconnectionNanos(int faults) {
        checkProven(faults);
        return faults * (faults + 1L) * suspicionNanos + faults * delayNanos;
    }

    /** f (f + 1) / 2: the i-th dead is discovered by at most f - i + 1 nodes. */
    public static int broadcastsMost(int faults) {
        return faults * (faults + 1) / 2;
    }

    /**
     * T(f) ≤ R(f) + f (f + 1) / 2 · B(n): until all live nodes know all dead ones.
     *
     * @throws IllegalArgumentException outside 1..{@link #provenFaults}
     */
    public long stableNanos(int faults) {
        return reconnectionNanos(faults) + broadcastsMost(faults) * broadcastNanos();
    }

    /**
     * δ + 2 δ ⌈(f - 1) / (w + 1)⌉: what f ring neighbours that die at once are expected to take. The first is found after
     * δ; then the next one and the w behind it get 2 δ to answer, all at the same time. As published w is 0, and it takes
     * (2 f - 1) δ.
     *
     * @param askingWidth w
     */
    public long burstNanos(int faults, int askingWidth) {
        checkAsked(faults, askingWidth);
        int rounds = (faults - 1 + askingWidth) / (askingWidth + 1);
        return (1 + 2L * rounds) * suspicionNanos;
    }

    /**
     * What f nodes are expected to take that die one after the other, each when it would accuse the one before: (f + 2) δ
     * where several are asked at once, 3 f δ as published.
     *
     * @param askingWidth w
     */
    public long cascadeNanos(int faults, int askingWidth) {
        checkAsked(faults, askingWidth);
        return (askingWidth == 0 ? 3L * faults : faults + 2L) * suspicionNanos;
    }

    /** δ > η + τ is what a ring without loss needs; below it each heartbeat that takes its time is a death. */
    public boolean isFeasible() {
        return suspicionNanos > heartbeatNanos + delayNanos;
    }

    private static void checkAsked(int faults, int askingWidth) {
        if (faults < 1 || askingWidth < 0) {
            throw new IllegalArgumentException(
                    "ring bounds: " + faults + " faults, asking width " + askingWidth + ", expected at least 1 and 0");
        }
    }

    private void checkProven(int faults) {
        if (faults < 1 || faults > provenFaults()) {
            throw new IllegalArgumentException(
                    "ring bounds: " + faults + " faults among " + liveCount + " nodes, expected 1.." + provenFaults());
        }
    }
}

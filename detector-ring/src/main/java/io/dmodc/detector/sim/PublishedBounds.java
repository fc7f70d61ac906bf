package io.dmodc.detector.sim;

/**
 * What the sources promise for a plan.
 *
 * @param allKnowDelta    T(f) in δ: f (f + 1) δ + f τ + f (f + 1) / 2 broadcasts
 * @param broadcastMicros B(n) = 8 τ log2 n
 * @param hops            ⌈log2 n⌉ / 2 + 1, where each hop takes as long as any other
 */
record PublishedBounds(double allKnowDelta, long broadcastMicros, int hops) {
    static PublishedBounds of(TrialPlan plan) {
        int faults = plan.faults();
        double tau = plan.conditions().delayMicros();
        double broadcast = 8 * tau * Math.log(plan.nodes()) / Math.log(2);
        double rounds = faults * (faults + 1.0);
        double deltaMicros = plan.rules().suspicionNanos() / 1e3;
        double allKnow = rounds + (faults * tau + rounds / 2 * broadcast) / deltaMicros;
        int logarithm = 32 - Integer.numberOfLeadingZeros(plan.nodes() - 1);
        return new PublishedBounds(allKnow, (long) broadcast, logarithm / 2 + 1);
    }
}

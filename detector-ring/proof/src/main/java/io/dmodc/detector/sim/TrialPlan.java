package io.dmodc.detector.sim;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;

/**
 * All that determines a trial.
 *
 * @param nodes      4..2^20
 * @param faults     1..nodes-2; what it counts is told by the scenario, some take none
 * @param boundDelta most δ until all live nodes may know all deaths; 0: the T(f) of the source, where it
 *     proves one
 */
public record TrialPlan(
        int nodes,
        int faults,
        Scenario scenario,
        long seed,
        RingRules rules,
        NetworkConditions conditions,
        double boundDelta) {
    private static final int NODES_MIN = 4;

    public TrialPlan {
        if (nodes < NODES_MIN || nodes > Membership.SLOT_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "simulation: nodes " + nodes + ", expected " + NODES_MIN + ".." + Membership.SLOT_COUNT_MAX);
        }
        if (faults < 1 || faults > nodes - 2) {
            throw new IllegalArgumentException(
                    "simulation: faults " + faults + ", expected 1.." + (nodes - 2) + " of " + nodes + " nodes");
        }
        if (!(boundDelta >= 0)) {
            throw new IllegalArgumentException("simulation: bound " + boundDelta + " delta, expected 0 or more");
        }
        if (rules.suspicionNanos() % 1_000 != 0 || rules.heartbeatNanos() % 1_000 != 0) {
            throw new IllegalArgumentException("simulation: eta " + rules.heartbeatNanos() + " ns, delta "
                    + rules.suspicionNanos() + " ns, expected whole microseconds");
        }
    }
}

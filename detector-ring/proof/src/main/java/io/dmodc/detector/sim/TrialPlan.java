package io.dmodc.detector.sim;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;

/**
 * All that determines a trial.
 *
 * @param nodes      4..2^20
 * @param faults     1..nodes-2; what it counts is told by the scenario, some take none
 * @param lengthDelta how many δ nodes stay deaf, mute or alone where the scenario says "for a time", 1..600
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
        int lengthDelta,
        double boundDelta) {
    /** Long enough for everybody to have fallen for a false claim. */
    public static final int LENGTH_STANDARD = 60;

    private static final int LENGTH_MAX = 600;
    private static final int NODES_MIN = 4;

    /** A plan with the standard length. */
    public TrialPlan(
            int nodes,
            int faults,
            Scenario scenario,
            long seed,
            RingRules rules,
            NetworkConditions conditions,
            double boundDelta) {
        this(nodes, faults, scenario, seed, rules, conditions, LENGTH_STANDARD, boundDelta);
    }

    public TrialPlan {
        if (nodes < NODES_MIN || nodes > Membership.SLOT_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "simulation: nodes " + nodes + ", expected " + NODES_MIN + ".." + Membership.SLOT_COUNT_MAX);
        }
        if (faults < 1 || faults > nodes - 2) {
            throw new IllegalArgumentException(
                    "simulation: faults " + faults + ", expected 1.." + (nodes - 2) + " of " + nodes + " nodes");
        }
        if (lengthDelta < 1 || lengthDelta > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "simulation: length " + lengthDelta + " delta, expected 1.." + LENGTH_MAX);
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

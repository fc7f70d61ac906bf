package io.dmodc.manager.core;

import io.dmodc.routing.change.ChangeTerms;

/** How long tables wait for the plan of their change. */
public final class ChangeBounds {
    /** Columns × switches for which the tables that mend a fault wait: 0.3 s of processor time, twice that on busy cores. */
    private static final long FAULT_STEPS_MAX = 1 << 19;

    /** The same for an act of operators, while nothing is broken: some seconds. */
    private static final long ACT_STEPS_MAX = 1 << 24;

    private ChangeBounds() {}

    /** What the plan of an epoch may cost that mends something, for all that is known. */
    public static ChangeTerms ofFault(boolean drainKnown) {
        return new ChangeTerms(FAULT_STEPS_MAX, FAULT_STEPS_MAX, drainKnown, false);
    }

    /** What the plan of an epoch may cost that only operators asked for. */
    public static ChangeTerms ofAct(boolean drainKnown) {
        return new ChangeTerms(ACT_STEPS_MAX, ACT_STEPS_MAX, drainKnown, false);
    }
}

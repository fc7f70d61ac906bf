package io.dmodc.simulator;

/** What must hold; the number is that of the law it belongs to, 0 for what holds always. */
enum Law {
    RESTART_WRITES_NOTHING(1, true, ""),
    AGENT_MISSING_COSTS_NO_ROUTE(2, true, ""),
    DISCOVERY_ENDS(3, true, ""),
    HOST_IS_WHERE_IT_IS_UP(4, true, ""),
    IDENTITY_STAYS(5, true, ""),
    IDENTITY_IS_KEPT_FIRST(5, true, ""),
    LEVELS_STAY(6, true, ""),
    LEVELS_ARE_LEARNT(6, true, ""),
    EPOCHS_GROW_AND_STAY_IN_RANGE(7, true, ""),
    HIGHER_LEADER_IS_OUTBID(7, true, ""),
    DEPOSED_MANAGER_IS_QUIET(8, true, ""),
    UNKNOWN_OUTCOME_STAYS_UNKNOWN(9, true, ""),
    STRANGERS_COST_NOTHING(10, true, ""),
    REFUSED_EPOCH_IS_TRIED_AGAIN(11, true, ""),
    NOTHING_THROWS(12, true, ""),
    ONE_ACCUSATION_ONE_CYCLE(14, true, ""),
    RING_IS_REDRAWN_IN_TIME(15, true, ""),
    HOST_DOWN_IS_KNOWN(17, true, ""),
    MISSING_IS_AN_ALARM(18, true, ""),
    NO_LOOP(0, true, ""),
    NO_LOOP_AT_REST(0, true, ""),
    NO_DOWN_UP_TURN(0, true, ""),
    PUSHED_IN_ORDER(0, true, ""),
    ALL_DELIVERED_AFTER_QUIET(0, true, ""),
    SAME_AS_A_FRESH_MANAGER(0, true, ""),
    NOTHING_OUTSTANDING(0, true, "");

    /** Of the law in the core's specification. */
    final int number;

    private final boolean enforced;

    /** Why it is not enforced; empty when it is. */
    final String reason;

    Law(int number, boolean enforced, String reason) {
        this.number = number;
        this.enforced = enforced;
        this.reason = reason;
    }

    /** Whether the tests fail when it is broken by any fault. */
    boolean isEnforced() {
        return enforced;
    }

    /** Whether the tests fail when it is broken by faults that are plain. */
    boolean isEnforcedForPlainFaults() {
        return enforced;
    }
}

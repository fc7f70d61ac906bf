package io.dmodc.simulator;

/**
 * What must hold, how far it does today, and if not why. Whoever mends something raises its line here. The number is that of
 * the law of the core it belongs to, 0 for what holds always.
 */
enum Law {
    RESTART_WRITES_NOTHING(1, Kept.ALWAYS, ""),
    AGENT_MISSING_COSTS_NO_ROUTE(2, Kept.ALWAYS, ""),
    DISCOVERY_ENDS(3, Kept.ALWAYS, ""),
    HOST_IS_WHERE_IT_IS_UP(4, Kept.ALWAYS, ""),
    IDENTITY_STAYS(5, Kept.ALWAYS, ""),
    IDENTITY_IS_KEPT_FIRST(5, Kept.ALWAYS, ""),
    LEVELS_STAY(6, Kept.ALWAYS, ""),
    LEVELS_ARE_LEARNT(6, Kept.ALWAYS, ""),
    EPOCHS_GROW_AND_STAY_IN_RANGE(7, Kept.ALWAYS, ""),
    HIGHER_LEADER_IS_OUTBID(7, Kept.ALWAYS, ""),
    DEPOSED_MANAGER_IS_QUIET(8, Kept.ALWAYS, ""),
    UNKNOWN_OUTCOME_STAYS_UNKNOWN(9, Kept.ALWAYS, ""),
    STRANGERS_COST_NOTHING(10, Kept.ALWAYS, ""),
    REFUSED_EPOCH_IS_TRIED_AGAIN(11, Kept.ALWAYS, ""),
    NOTHING_THROWS(12, Kept.ALWAYS, ""),
    WHO_WRITES_IS_NOT_FLAGGED(13, Kept.ALWAYS, ""),
    DESTINATIONS_ARE_TOLD_FIRST(0, Kept.ALWAYS, ""),
    ALTERNATIVES_ARE_AS_GOOD(0, Kept.ALWAYS, ""),
    ONE_ACCUSATION_ONE_CYCLE(14, Kept.ALWAYS, ""),
    RING_IS_REDRAWN_IN_TIME(15, Kept.ALWAYS, ""),
    FORWARDING_IS_NOT_HELD_HUNG(0, Kept.ALWAYS, ""),
    HUNG_IS_NOT_TRUSTED(0, Kept.ALWAYS, ""),
    HOST_DOWN_IS_KNOWN(17, Kept.ALWAYS, ""),
    MISSING_IS_AN_ALARM(18, Kept.ALWAYS, ""),
    LOST_IS_AN_ALARM(18, Kept.ALWAYS, ""),
    NO_LOOP(
            0,
            Kept.NOT_YET,
            "over cables that were plugged in elsewhere packets may turn by what is in force, and nothing that is sent changes that at once"),
    NO_DOWN_UP_TURN(0, Kept.NOT_YET, "the same, and headless switches that are led around still send what they have"),
    SAFE_CARRIES_NOTHING(0, Kept.ALWAYS, ""),
    PAUSED_SENDS_NOTHING(0, Kept.ALWAYS, ""),
    ACTS_ARE_KEPT(0, Kept.ALWAYS, ""),
    ACT_IS_WHOLE(0, Kept.ALWAYS, ""),
    PLAN_COMES_TRUE(0, Kept.ALWAYS, ""),
    NO_LOOP_AT_REST(0, Kept.ALWAYS, ""),
    OWN_CHANGE_LOSES_NOTHING(0, Kept.ALWAYS, ""),
    OWN_CHANGE_TURNS_NOTHING(0, Kept.ALWAYS, ""),
    OWN_CHANGE_CLOSES_NO_CIRCLE(0, Kept.ALWAYS, ""),
    PUSHED_IN_ORDER(0, Kept.ALWAYS, ""),
    ALL_DELIVERED_AFTER_QUIET(0, Kept.ALWAYS, ""),
    SAME_AS_A_FRESH_MANAGER(0, Kept.ALWAYS, ""),
    NOTHING_OUTSTANDING(0, Kept.ALWAYS, "");

    /** How far a law is kept today; raised one by one. */
    enum Kept {
        /** Enforced whatever fails. */
        ALWAYS,
        /** Enforced in histories of faults that are plain. */
        AFTER_PLAIN_FAULTS,
        NOT_YET
    }

    /** Of the law in the core's specification. */
    final int number;

    private final Kept kept;

    /** Why it is not enforced everywhere; empty when it is. */
    final String reason;

    Law(int number, Kept kept, String reason) {
        this.number = number;
        this.kept = kept;
        this.reason = reason;
    }

    /** Whether the tests fail when it is broken by any fault. */
    boolean isEnforced() {
        return kept == Kept.ALWAYS;
    }

    /** Whether the tests fail when it is broken by faults that are plain. */
    boolean isEnforcedForPlainFaults() {
        return kept != Kept.NOT_YET;
    }
}

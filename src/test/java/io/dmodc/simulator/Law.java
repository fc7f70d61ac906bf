package io.dmodc.simulator;

/**
 * What must hold, how far it does today, and if not why. Whoever mends something raises its line here. The number is that of
 * the law of the core it belongs to, 0 for what holds always.
 */
enum Law {
    RESTART_WRITES_NOTHING(
            1,
            Kept.NOT_YET,
            "a start forgets the cabling: switches whose agents are late look gone, and all others are rewritten"),
    AGENT_MISSING_COSTS_NO_ROUTE(
            2, Kept.NOT_YET, "the same: hosts behind a switch whose agent is late at a start lose their routes"),
    DISCOVERY_ENDS(3, Kept.NOT_YET, "every report of a port renews the quiet time that discovery waits for"),
    HOST_IS_WHERE_IT_IS_UP(
            4, Kept.NOT_YET, "a host at a port that is held down is given to a port that is down and remembers it"),
    IDENTITY_STAYS(
            5,
            Kept.NOT_YET,
            "a crash between tables and disk deals indices again; an adopted leader epoch is not kept"),
    IDENTITY_IS_KEPT_FIRST(
            5, Kept.NOT_YET, "tables are sent while the indices and levels they use are still to be written"),
    LEVELS_STAY(
            6,
            Kept.NOT_YET,
            "a fabric with more links than ever has all levels learnt anew, from what is there just then"),
    LEVELS_ARE_LEARNT(6, Kept.NOT_YET, "a switch that replaces another adds no link, so its level is never learnt"),
    EPOCHS_GROW_AND_STAY_IN_RANGE(7, Kept.NOT_YET, "epochs of a Hello have no bounds and are adopted from anybody"),
    HIGHER_LEADER_IS_OUTBID(7, Kept.NOT_YET, "a higher leader epoch is adopted only before the first push"),
    DEPOSED_MANAGER_IS_QUIET(
            8, Kept.NOT_YET, "a manager that hears of a higher leader tells people and goes on pushing"),
    UNKNOWN_OUTCOME_STAYS_UNKNOWN(
            9,
            Kept.NOT_YET,
            "a push without an answer counts as not applied, and is forgotten when the acknowledged table is wanted again"),
    STRANGERS_COST_NOTHING(10, Kept.NOT_YET, "whoever says Hello is a member of the ring"),
    REFUSED_EPOCH_IS_TRIED_AGAIN(11, Kept.NOT_YET, "a refused epoch waits for the next news"),
    NOTHING_THROWS(12, Kept.ALWAYS, ""),
    ONE_ACCUSATION_ONE_CYCLE(
            14,
            Kept.NOT_YET,
            "each of the members that tell the same accusation has an agent judged again after it answered"),
    RING_IS_REDRAWN_IN_TIME(15, Kept.NOT_YET, "each change puts the next ring off, without a limit"),
    HOST_DOWN_IS_KNOWN(17, Kept.ALWAYS, ""),
    MISSING_IS_AN_ALARM(18, Kept.ALWAYS, ""),
    NO_LOOP(
            0,
            Kept.NOT_YET,
            "pushes have no order: while tables of a recabled fabric are on their way, old and new ones mix"),
    NO_DOWN_UP_TURN(
            0, Kept.NOT_YET, "the same, also when a host moves: its old leaf sends up what others still send down"),
    NO_LOOP_AT_REST(0, Kept.ALWAYS, ""),
    PUSHED_IN_ORDER(0, Kept.AFTER_PLAIN_FAULTS, "epochs of a Hello are adopted, and then run over"),
    ALL_DELIVERED_AFTER_QUIET(
            0,
            Kept.AFTER_PLAIN_FAULTS,
            "adopted epochs, refused computations and stored half-learnt levels do not heal"),
    SAME_AS_A_FRESH_MANAGER(0, Kept.AFTER_PLAIN_FAULTS, "the same"),
    NOTHING_OUTSTANDING(0, Kept.AFTER_PLAIN_FAULTS, "adopted epochs make agents refuse everything for good");

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

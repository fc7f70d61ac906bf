package io.dmodc.manager.core;

/**
 * Whether tables may leave: what they rest on is kept, nobody paused, and the plan holds by which they leave. Notes what was due and had to wait, so
 * that it goes on ({@link #reopens}).
 */
final class PushGate {
    /** How long tables wait for observations to be durable, if nothing was dealt: a slow disk must not stop healing. */
    static final long STORE_WAIT_NANOS = 20_000_000L;

    private final FabricState state;

    /** Batch of records that the tables in force rest on, and until when they wait for it at most. */
    private long batch;

    private long waitUntilNanos = Long.MAX_VALUE;

    /** Some push was due and not allowed. */
    private boolean heldBack;

    /** Some switch holds another table than was planned with: nothing is sent before it is planned anew. */
    private boolean planVoid;

    /** Some push waits for the computation under way, or for the next. */
    private boolean planAwaited;

    /** Some push was due in a pause, or while too few agents were here: it leaves by a plan that knows what came meanwhile. */
    private boolean stoodStill;

    PushGate(FabricState state) {
        this.state = state;
    }

    /** There is a plan for the tables that are wanted, or none is to come. */
    void planHolds() {
        planVoid = false;
        stoodStill = false;
    }

    /** There is no other plan than the one of before: whoever waited for one is looked at again. */
    void planHoldsAgain() {
        planHolds();
        planAwaited = true;
    }

    /** Some switch forwards by a table that nobody planned with. */
    void planFails() {
        planVoid = true;
    }

    boolean isPlanVoid() {
        return planVoid;
    }

    /** True if what was planned does not leave before there is another plan, or not for now. */
    boolean keepsBack() {
        return planVoid || stoodStill || standsStill();
    }

    /** True if what is wanted was held back, and is not any more: before it leaves, it must be on record that it may have left. */
    boolean letsGo() {
        return state.tablesHeldBack && state.tables != null && !standsStill();
    }

    /** New tables wait for all records that were flushed so far. */
    void waitForRecords(long nowNanos) {
        batch = state.records.lastNumber();
        waitUntilNanos = state.records.isPersisted(batch) ? Long.MAX_VALUE : nowNanos + STORE_WAIT_NANOS;
    }

    /** Nothing that was dealt leaves before it is durable; what was only observed waits for a working store, and not long. */
    boolean isOpen(long nowNanos) {
        return !standsStill()
                && !state.tablesHeldBack
                && dealtIsKept()
                && (state.records.isPersisted(batch) || !state.storeFailure.isEmpty() || nowNanos >= waitUntilNanos);
    }

    /** Nothing leaves, for as long as somebody wants, or until enough agents are here. */
    boolean standsStill() {
        return state.pushesHeld || state.intent.pause() != null;
    }

    private boolean dealtIsKept() {
        EpochRecord epoch = state.serving;
        boolean newHostsLeftOut = epoch != null && epoch.newHostsLeftOut;
        boolean newPlanesLeftOut = epoch != null && epoch.newPlanesLeftOut;
        boolean newLevelsLeftOut = epoch != null && epoch.newLevelsLeftOut;
        return (newLevelsLeftOut || state.records.levelsPersisted())
                && (newPlanesLeftOut || state.records.planesUnderWay().isEmpty())
                && (newHostsLeftOut || state.records.nodesPersisted());
    }

    /** As {@link #isOpen}, for a push that is due: it goes on when the gate opens. */
    boolean letsPass(long nowNanos) {
        boolean open = isOpen(nowNanos);
        heldBack |= !open;
        stoodStill |= standsStill();
        return open;
    }

    /**
     * True if a push waits for a plan; it goes on when there is one. News that no computation knows of yet will be planned for: what can wait does.
     *
     * @param plannedWith whether the computation under way knows that it may leave
     * @param round of its table
     */
    boolean awaitsPlan(boolean plannedWith, int round) {
        boolean newsFirst = state.news.pending() && state.computing == 0 && (stoodStill || round > 1);
        boolean awaits = planVoid || newsFirst || (state.computing != 0 && !plannedWith);
        planAwaited |= awaits;
        return awaits;
    }

    /** True once what had to wait may be tried again: the store has come further, enough agents are back, or what was planned holds. */
    boolean reopens(long nowNanos) {
        boolean planned = planAwaited && state.computing == 0 && !state.news.pending() && !planVoid;
        boolean reopens = (heldBack || planned) && isOpen(nowNanos);
        if (reopens) {
            heldBack = false;
            planAwaited = false;
            waitUntilNanos = Long.MAX_VALUE;
            batch = 0;
        }
        return reopens;
    }

    /** When time alone may open it. Once that has passed, only the store or more agents can help. */
    long nextDeadline() {
        return heldBack && waitUntilNanos > state.settledNanos ? waitUntilNanos : Long.MAX_VALUE;
    }
}

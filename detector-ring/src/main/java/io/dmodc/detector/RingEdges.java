package io.dmodc.detector;

/**
 * The two ring edges of one node and their timers: tasks T1, T2 and T4 of the source, and the re-connection half of T3.
 *
 * <p>{@code emitter} is whom this node watches, always the next live slot backwards; {@code observer} is whom it sends
 * heartbeats to, the next live slot forwards unless another live one asked later. All times are nanoseconds on the
 * caller's one monotonic scale. No allocation after {@link #moveTo}; O(1) per call, except the search for the next live
 * slot, which steps over the dead, and asking, which is O(asking width).
 */
final class RingEdges {
    static final long NEVER = Long.MAX_VALUE;
    static final int NOBODY = -1;

    private final RingSender sender;
    private final AskingRound round = new AskingRound();
    private final SelfScore score = new SelfScore();
    private RingPosition position;
    private SlotRecords records;

    private RingState state = RingState.ALONE;
    private int emitter;
    private int observer;
    private long heartbeatDue = NEVER;
    private long askDue = NEVER;
    private long suspicionDue = NEVER;
    private long probeDue = NEVER;
    private long lastHeard;
    private boolean excused;
    private int probed;
    private int opinionsAsked;
    private long lateWakeUps;
    private long vouched;

    RingEdges(RingSender sender, RingPosition position, SlotRecords records) {
        this.sender = sender;
        this.position = position;
        this.records = records;
        emitter = position.ownSlot();
        observer = position.ownSlot();
    }

    /** Moves to a new membership; edges whose other end and rules stay the same keep their deadlines. */
    void moveTo(long now, RingPosition next, SlotRecords nextRecords) {
        int nextEmitter = nextRecords.liveBefore(next.ownSlot());
        int nextObserver = nextRecords.liveAfter(next.ownSlot());
        boolean sameRules = next.rules().equals(position.rules());
        boolean emitterStays = sameRules
                && state != RingState.ALONE
                && isSame(emitter, next, nextEmitter)
                && records.incarnation(emitter) == nextRecords.incarnation(nextEmitter);
        boolean observerStays = sameRules && observer != position.ownSlot() && isSame(observer, next, nextObserver);
        position = next;
        records = nextRecords;
        emitter = nextEmitter;
        round.resize(next.rules());
        probeDue = next.membership().slotCount() == 1
                ? NEVER
                : Math.min(probeDue, now + next.rules().graceNanos());
        if (!emitterStays) {
            watch(now, nextEmitter);
        }
        if (observerStays) {
            observer = nextObserver;
        } else {
            turnTo(now, nextObserver);
        }
    }

    private boolean isSame(int slot, RingPosition next, int nextSlot) {
        return position.membership().guid(slot) == next.membership().guid(nextSlot);
    }

    /**
     * T1, the repeated questions and the probe. Returns the slot whose silence has lasted too long, or NOBODY; after a
     * slot was returned and {@link #lost}, there may be another one.
     */
    int tick(long now) {
        excuseIfLate(now);
        if (now >= heartbeatDue) {
            sender.heartbeat(observer);
            score.tick(now, position.rules().suspicionNanos());
            heartbeatDue += position.rules().heartbeatNanos();
            if (heartbeatDue <= now) {
                heartbeatDue = now + position.rules().heartbeatNanos();
            }
        }
        if (now >= probeDue) {
            probe(now);
        }
        if (isSuspicionDue(now)) {
            return emitter;
        }
        if (now >= askDue) {
            ask(now);
        }
        return NOBODY;
    }

    /**
     * A node that was itself stopped must not blame the silence on its emitter: after a wake-up more than η late the
     * deadline moves to 2 η from now and the emitter is asked. Only once between two heartbeats, so that a node which
     * is always late still finds the dead.
     */
    private void excuseIfLate(long now) {
        if (now - nextDeadline() <= position.rules().heartbeatNanos()) {
            return;
        }
        lateWakeUps++;
        score.worse(now);
        if (state != RingState.ALONE && !excused) {
            excused = true;
            state = RingState.ASKING;
            askDue = now;
            suspicionDue = Math.max(suspicionDue, now + 2 * position.rules().heartbeatNanos());
            round.excuse(suspicionDue);
        }
    }

    /** T2. A heartbeat of another epoch proves life but does not answer a NewObserver of this one. */
    void heard(long now, int from, boolean sameEpoch) {
        if (from != emitter || state == RingState.ALONE) {
            return;
        }
        livesNow(now);
        if (sameEpoch) {
            state = RingState.WATCHING;
            round.end();
        }
        if (state == RingState.WATCHING) {
            askDue = now + position.rules().doubtNanos();
        }
    }

    /** A slot has answered a ping, itself or through another: it lives, even if its heartbeats go elsewhere. */
    void answered(long now, int slot, boolean byAnother) {
        if (slot == emitter && state != RingState.ALONE) {
            livesNow(now);
            vouched += byAnother ? 1 : 0;
        } else {
            round.answered(slot);
        }
    }

    private void livesNow(long now) {
        lastHeard = now;
        excused = false;
        suspicionDue = now + score.stretched(position.rules().suspicionNanos());
    }

    /** T4: heartbeats go to this slot from now on, the first one at once. */
    void turnTo(long now, int slot) {
        observer = slot;
        if (slot == position.ownSlot()) {
            heartbeatDue = NEVER;
            return;
        }
        sender.heartbeat(slot);
        heartbeatDue = now + position.rules().heartbeatNanos();
    }

    /** A slot has died: close the ring where this node touched it, whoever brought the news. */
    void lost(long now, int slot) {
        if (slot == emitter) {
            watchNext(now, records.liveBefore(position.ownSlot()));
        }
        if (slot == observer) {
            turnTo(now, records.liveAfter(position.ownSlot()));
        }
    }

    /** A slot lives in a new incarnation: open the ring for it if it belongs next to this node. */
    void found(long now, int slot) {
        int before = records.liveBefore(position.ownSlot());
        if (before != emitter || slot == emitter) {
            watch(now, before);
        }
        if (observer == position.ownSlot()
                || position.stepsBetween(position.ownSlot(), slot)
                        <= position.stepsBetween(position.ownSlot(), observer)) {
            turnTo(now, slot);
        }
    }

    /** Starts over with the present emitter, as after a join: others held this node dead. */
    void restart(long now) {
        score.worse(now);
        watch(now, emitter);
    }

    private void watch(long now, int slot) {
        round.end();
        emitter = slot;
        lastHeard = now;
        excused = false;
        if (slot == position.ownSlot()) {
            state = RingState.ALONE;
            suspicionDue = NEVER;
            askDue = NEVER;
            return;
        }
        state = RingState.ASKING;
        suspicionDue = now + position.rules().graceNanos();
        ask(now);
    }

    /** After a loss: the next one has its own 2 δ, unless it was asked before and its time runs already. */
    private void watchNext(long now, int slot) {
        if (!round.awaits(slot)) {
            watch(now, slot);
            round.begin(now, emitter, position, records);
            askRound(now);
            return;
        }
        emitter = slot;
        state = RingState.ASKING;
        lastHeard = round.begun();
        suspicionDue = round.due();
        if (now < suspicionDue) {
            ask(now);
        }
    }

    private void ask(long now) {
        state = RingState.ASKING;
        askDue = now + position.rules().heartbeatNanos();
        sender.newObserver(emitter);
        if (isOpinionDue(now)) {
            askOthersAbout(emitter);
        }
        askRound(now);
    }

    private void askRound(long now) {
        for (int i = 0; i < round.count(); i++) {
            int slot = round.open(i, records);
            if (slot != NOBODY && slot != emitter) {
                sender.ping(slot, slot, position.ownSlot());
                if (isOpinionDue(now)) {
                    askOthersAbout(slot);
                }
            }
        }
    }

    private boolean isOpinionDue(long now) {
        return now >= suspicionDue - position.rules().opinionNanos();
    }

    /**
     * The second opinion: neighbours of the suspect in the overlay, others each time, ping it and tell what it said.
     */
    private void askOthersAbout(int suspect) {
        int count = position.membership().slotCount();
        int left = position.rules().opinions();
        for (int tried = 0; left > 0 && tried < 2 * RingRules.OPINIONS_MAX; tried++) {
            int other = Overlay.neighbour(suspect, count, opinionsAsked++);
            if (other != suspect && other != position.ownSlot() && !records.isDead(other)) {
                sender.ping(other, suspect, position.ownSlot());
                left--;
            }
        }
    }

    /**
     * Tells one of the dead between the emitter and this node that it is held dead, each in turn. Whoever lives after
     * all refutes it: without this, the two halves of a healed network would never speak to each other again.
     */
    private void probe(long now) {
        probeDue = now + position.rules().graceNanos();
        int own = position.ownSlot();
        int count = position.membership().slotCount();
        int gap = (emitter == own ? count : position.stepsBetween(emitter, own)) - 1;
        if (gap > 0) {
            int slot = Math.floorMod(own - 1 - probed++ % gap, count);
            sender.record(slot, slot);
        }
    }

    boolean isSuspicionDue(long now) {
        return now >= suspicionDue;
    }

    long nextDeadline() {
        return Math.min(Math.min(heartbeatDue, probeDue), Math.min(askDue, suspicionDue));
    }

    long silence(long now) {
        return now - lastHeard;
    }

    RingState state() {
        return state;
    }

    int emitter() {
        return emitter;
    }

    int observer() {
        return observer;
    }

    long lateWakeUps() {
        return lateWakeUps;
    }

    /** Times another one's word kept this node from accusing its emitter, or would have. */
    long vouched() {
        return vouched;
    }

    int selfScore() {
        return score.score();
    }
}

package io.dmodc.detector;

/**
 * The two ring edges of one node and their timers: tasks T1, T2 and T4 of the source, and the re-connection half of T3.
 *
 * <p>{@code emitter} is whom this node watches, always the next live slot backwards; {@code observer} is whom it sends
 * heartbeats to, the next live slot forwards unless another live one asked later. All times are nanoseconds on the
 * caller's one monotonic scale. No allocation after construction; O(1) per call, except the search for the next live
 * slot, which steps over the dead.
 */
final class RingEdges {
    static final long NEVER = Long.MAX_VALUE;
    static final int NOBODY = -1;

    private final RingSender sender;
    private Seat seat;
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
    private long lateWakeUps;

    RingEdges(RingSender sender, Seat seat, SlotRecords records) {
        this.sender = sender;
        this.seat = seat;
        this.records = records;
        emitter = seat.ownSlot();
        observer = seat.ownSlot();
    }

    /** Moves to a new membership; edges whose other end and timing stay the same keep their deadlines. */
    void reseat(long now, Seat next, SlotRecords nextRecords) {
        int nextEmitter = nextRecords.liveBefore(next.ownSlot());
        int nextObserver = nextRecords.liveAfter(next.ownSlot());
        boolean sameTiming = next.timing().equals(seat.timing());
        boolean emitterStays = sameTiming
                && state != RingState.ALONE
                && isSame(emitter, next, nextEmitter)
                && records.incarnation(emitter) == nextRecords.incarnation(nextEmitter);
        boolean observerStays = sameTiming && observer != seat.ownSlot() && isSame(observer, next, nextObserver);
        seat = next;
        records = nextRecords;
        emitter = nextEmitter;
        probeDue = next.membership().slotCount() == 1
                ? NEVER
                : Math.min(probeDue, now + next.timing().graceNanos());
        if (!emitterStays) {
            watch(now, nextEmitter);
        }
        if (observerStays) {
            observer = nextObserver;
        } else {
            turnTo(now, nextObserver);
        }
    }

    private boolean isSame(int slot, Seat next, int nextSlot) {
        return seat.membership().guid(slot) == next.membership().guid(nextSlot);
    }

    /** T1, the repeated NewObserver and the probe. Returns the slot whose silence has lasted too long, or NOBODY. */
    int tick(long now) {
        excuseIfLate(now);
        if (now >= heartbeatDue) {
            sender.heartbeat(observer);
            heartbeatDue += seat.timing().heartbeatNanos();
            if (heartbeatDue <= now) {
                heartbeatDue = now + seat.timing().heartbeatNanos();
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
        if (now - nextDeadline() <= seat.timing().heartbeatNanos()) {
            return;
        }
        lateWakeUps++;
        if (state != RingState.ALONE && !excused) {
            excused = true;
            state = RingState.ASKING;
            askDue = now;
            suspicionDue = Math.max(suspicionDue, now + 2 * seat.timing().heartbeatNanos());
        }
    }

    /** T2. A heartbeat of another epoch proves life but does not answer a NewObserver of this one. */
    void heard(long now, int from, boolean sameEpoch) {
        if (from != emitter || state == RingState.ALONE) {
            return;
        }
        lastHeard = now;
        excused = false;
        suspicionDue = now + seat.timing().suspicionNanos();
        if (sameEpoch) {
            state = RingState.WATCHING;
        }
        if (state == RingState.WATCHING) {
            askDue = now + seat.timing().doubtNanos();
        }
    }

    /** T4: heartbeats go to this slot from now on, the first one at once. */
    void turnTo(long now, int slot) {
        observer = slot;
        if (slot == seat.ownSlot()) {
            heartbeatDue = NEVER;
            return;
        }
        sender.heartbeat(slot);
        heartbeatDue = now + seat.timing().heartbeatNanos();
    }

    /** A slot has died: close the ring where this node touched it, whoever brought the news. */
    void lost(long now, int slot) {
        if (slot == emitter) {
            watch(now, records.liveBefore(seat.ownSlot()));
        }
        if (slot == observer) {
            turnTo(now, records.liveAfter(seat.ownSlot()));
        }
    }

    /** A slot lives in a new incarnation: open the ring for it if it belongs next to this node. */
    void found(long now, int slot) {
        int before = records.liveBefore(seat.ownSlot());
        if (before != emitter || slot == emitter) {
            watch(now, before);
        }
        if (observer == seat.ownSlot()
                || seat.stepsBetween(seat.ownSlot(), slot) <= seat.stepsBetween(seat.ownSlot(), observer)) {
            turnTo(now, slot);
        }
    }

    /** Starts over with the present emitter, as after a join. */
    void restart(long now) {
        watch(now, emitter);
    }

    private void watch(long now, int slot) {
        emitter = slot;
        lastHeard = now;
        excused = false;
        if (slot == seat.ownSlot()) {
            state = RingState.ALONE;
            suspicionDue = NEVER;
            askDue = NEVER;
            return;
        }
        state = RingState.ASKING;
        suspicionDue = now + seat.timing().graceNanos();
        ask(now);
    }

    private void ask(long now) {
        state = RingState.ASKING;
        sender.newObserver(emitter);
        askDue = now + seat.timing().heartbeatNanos();
    }

    /**
     * Tells one of the dead between the emitter and this node that it is held dead, each in turn. Whoever lives after
     * all refutes it: without this, the two halves of a healed network would never speak to each other again.
     */
    private void probe(long now) {
        probeDue = now + seat.timing().graceNanos();
        int own = seat.ownSlot();
        int count = seat.membership().slotCount();
        int gap = (emitter == own ? count : seat.stepsBetween(emitter, own)) - 1;
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
}

package io.dmodc.detector;

/**
 * To whom this node sends its heartbeats: tasks T1 and T4 of the source.
 *
 * <p>The observer is the next live slot forwards unless another live one asked later. A heartbeat carries the nonce of
 * the question it answers. All times are nanoseconds on the caller's one monotonic scale; O(1) per call, except the
 * search for the next live slot, which steps over the dead. No allocation.
 */
final class ObserverLink {
    static final long NEVER = Long.MAX_VALUE;

    /** A heartbeat may leave so much of η early. */
    private static final int EARLY_PART = 4;

    /** And another one so much earlier or later, to go with a wake-up. */
    private static final int STEP_PART = 20;

    /** What wakes this node within so many eighths of η after its heartbeat is rather waited for. */
    private static final int FOLLOWED_EIGHTHS = 3;

    private final RingSender sender;
    private RingPosition position;
    private SlotRecords records;
    private int observer;
    private int nonce;
    private long heartbeatDue = NEVER;
    private boolean fenced;

    /** The next heartbeat was made to come sooner or later. */
    private boolean moved;

    ObserverLink(RingSender sender, RingPosition position, SlotRecords records) {
        this.sender = sender;
        this.position = position;
        this.records = records;
        observer = position.ownSlot();
    }

    /** Moves to a new membership; who stays observer by the same rules is sent to when it was due. */
    void moveTo(long now, RingPosition next, SlotRecords nextRecords) {
        int nextObserver = nextRecords.liveAfter(next.ownSlot());
        boolean stays = next.rules().equals(position.rules())
                && observer != position.ownSlot()
                && position.membership().guid(observer) == next.membership().guid(nextObserver);
        position = next;
        records = nextRecords;
        if (stays) {
            observer = nextObserver;
        } else {
            sendTo(now, nextObserver, 0);
        }
    }

    /** T1. */
    void tick(long now) {
        if (now < heartbeatDue) {
            return;
        }
        if (!fenced) {
            sender.heartbeat(observer, nonce);
        }
        moved = false;
        long period = position.rules().heartbeatNanos();
        heartbeatDue += period;
        if (heartbeatDue <= now) {
            heartbeatDue = now + period;
        }
    }

    /**
     * T1, a little early, for a caller that is awake. Whoever woke it is expected to do so again in η, and waited for by a twentieth of
     * that. Where it came too early, the next heartbeat moves by so much: to later where this one had just left, else to sooner, until both
     * go together. So two are 0.7 to 1.05 η apart.
     */
    void tickEarly(long now) {
        if (heartbeatDue == NEVER) {
            return;
        }
        long period = position.rules().heartbeatNanos();
        long step = period / STEP_PART;
        if (now >= heartbeatDue - period / EARLY_PART) {
            heartbeatDue = Math.min(heartbeatDue, now);
            tick(now);
            heartbeatDue += step;
            moved = true;
        } else if (!moved) {
            boolean justLeft = now < heartbeatDue - period + period * FOLLOWED_EIGHTHS / 8;
            heartbeatDue += justLeft ? step : -step;
            moved = true;
        }
    }

    /** T4: heartbeats go to this slot from now on, the first one at once. */
    void newObserver(long now, int slot, int askedNonce) {
        sendTo(now, slot, askedNonce);
    }

    /** A slot has died: if it was the observer, the next live one is. */
    void died(long now, int slot) {
        if (slot == observer) {
            sendTo(now, records.liveAfter(position.ownSlot()), 0);
        }
    }

    /** A slot lives in a new incarnation: it is the observer if it is closer than that. */
    void joined(long now, int slot) {
        int own = position.ownSlot();
        if (observer == own || position.stepsBetween(own, slot) <= position.stepsBetween(own, observer)) {
            sendTo(now, slot, 0);
        }
    }

    /** Fenced, no heartbeat leaves: whoever hears nobody is to be taken for dead. */
    void fence(boolean isFenced) {
        fenced = isFenced;
    }

    private void sendTo(long now, int slot, int askedNonce) {
        observer = slot;
        nonce = askedNonce;
        if (slot == position.ownSlot()) {
            heartbeatDue = NEVER;
            return;
        }
        if (!fenced) {
            sender.heartbeat(slot, nonce);
        }
        heartbeatDue = now + position.rules().heartbeatNanos();
    }

    long nextDeadline() {
        return heartbeatDue;
    }

    int observer() {
        return observer;
    }
}

package io.dmodc.detector.net;

import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.RingState;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How one endpoint stands right now. Written by its event loop after each batch of work, readable from any thread;
 * several values read together may be a moment apart.
 */
public final class RingVitals {
    private static final long NOBODY = Long.MIN_VALUE;

    private final AtomicLong heardAt = new AtomicLong(NOBODY);
    private volatile RingState state = RingState.ALONE;
    private volatile int selfScore;
    private volatile int deadCount;
    private volatile long suspicionNanos = RingRules.SUSPICION_STANDARD_NANOS;

    RingVitals() {}

    /** How the endpoint stands to the agent it watches. */
    public RingState state() {
        return state;
    }

    /** 0: trusts itself; grows with late wake-ups and refutations, shrinks with quiet. */
    public int selfScore() {
        return selfScore;
    }

    /** Members this endpoint holds dead. */
    public int deadCount() {
        return deadCount;
    }

    /**
     * For how long nothing has been heard of the watched agent, as a share of δ: at most (η + τ) / δ in calm, 1 when
     * it is accused, 0 when there is nobody to watch. Grows also while the event loop is stuck. A gauge for people:
     * nothing is decided by it.
     */
    public double suspicionLevel() {
        long heard = heardAt.get();
        return heard == NOBODY ? 0 : (double) (System.nanoTime() - heard) / suspicionNanos;
    }

    void setSuspicionNanos(long nanos) {
        suspicionNanos = nanos;
    }

    /**
     * Takes over how the detector stands. Unchanged values are not written: most heartbeats change one.
     *
     * @param now    on the detector's scale
     * @param origin that scale's zero as {@link System#nanoTime}
     */
    void update(RingDetector detector, long now, long origin) {
        heardAt.lazySet(heardAt(detector, now, origin));
        RingState newState = detector.state();
        if (newState != state) {
            state = newState;
        }
        int newScore = detector.selfScore();
        if (newScore != selfScore) {
            selfScore = newScore;
        }
        int newDead = detector.deadCount();
        if (newDead != deadCount) {
            deadCount = newDead;
        }
    }

    private static long heardAt(RingDetector detector, long now, long origin) {
        if (detector.state() == RingState.ALONE) {
            return NOBODY;
        }
        return origin + now - detector.silenceNanos(now);
    }
}

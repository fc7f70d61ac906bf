package io.dmodc.manager.opensm;

import java.util.concurrent.TimeUnit;

/**
 * How long OpenSM takes from what makes it sweep until its log says that tables are sent. It is waited for twice as long as the slowest of late before it is taken for
 * one that does not sweep: in the midst of a sweep a signal makes it look at the whole fabric once more, which takes seconds in a large one.
 * Monotonic nanoseconds. Thread-safe.
 */
final class SweepTimes {
    /** So long it is waited for at least, unless the load timeout is short. */
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Lines that are this near to each other were read together: they tell no time. */
    private static final long TOGETHER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long loadTimeoutNanos;

    private boolean due;

    /** It was told although something had changed: in the midst of a sweep, or for want of one. What it took since is known, and may be the rest of a sweep only. */
    private boolean rest;

    private long causedNanos;
    private long slowestNanos;

    /** @param loadTimeoutNanos what takes longer is not taken for one sweep; half of it is the longest wait */
    SweepTimes(long loadTimeoutNanos) {
        this.loadTimeoutNanos = loadTimeoutNanos;
    }

    /** Its log says that something changed. */
    synchronized void changed(long nowNanos) {
        boolean stale = nowNanos - causedNanos > waitNanos(); // Nothing followed.
        if (!due || stale) {
            causedNanos = nowNanos;
            due = true;
            rest = false;
        }
    }

    /** It was told to load the file. */
    synchronized void signalled(long nowNanos) {
        rest = due;
        causedNanos = nowNanos;
        due = true;
    }

    /** Its log says that tables are sent. */
    synchronized void sent(long nowNanos) {
        long took = nowNanos - causedNanos;
        if (due && took > TOGETHER_NANOS && took <= loadTimeoutNanos) {
            slowestNanos = Math.max(took, rest ? slowestNanos : (slowestNanos + took) / 2);
        }
        due = false;
    }

    /** Of late; 0 while none is known. */
    synchronized long slowestNanos() {
        return slowestNanos;
    }

    /** How long tables that are sent, or the end of a sweep, are waited for. */
    synchronized long waitNanos() {
        return Math.min(loadTimeoutNanos / 2, Math.max(LEAST_NANOS, 2 * slowestNanos));
    }
}

package io.dmodc.agent.linux;

/**
 * How often something may be done: some times at once, and then once an interval; what counts for several times is done when the next one may be, and makes
 * those behind it wait. Times are nanoseconds of any clock. Not thread-safe.
 */
final class Pace {
    private final long intervalNanos;
    private final long slackNanos;

    private boolean used;

    /** When all that was done would have been done at one an interval. */
    private long doneAt;

    Pace(int atOnce, long intervalNanos) {
        this.intervalNanos = intervalNanos;
        slackNanos = (atOnce - 1) * intervalNanos;
    }

    /** Returns whether it may be done now, and counts it. */
    boolean take(long now) {
        return take(now, 1);
    }

    /** As {@link #take(long)}, of what counts for so many times. */
    boolean take(long now, int times) {
        if (nextAt(now) - now > 0) {
            return false;
        }
        doneAt = (used && doneAt - now > 0 ? doneAt : now) + times * intervalNanos;
        used = true;
        return true;
    }

    /** Returns when it may be done next; not before now. */
    long nextAt(long now) {
        long free = doneAt - slackNanos;
        return used && free - now > 0 ? free : now;
    }
}

package io.dmodc.manager.southbound;

/**
 * Lets one line through in a while and counts the others, so that a peer cannot fill the log. Thread-safe; time is an
 * argument.
 */
final class LogLimit {
    /** Answer of {@link #admit} for a line that is to be left out. */
    static final int LEAVE_OUT = -1;

    private final long periodNanos;
    private boolean any;
    private long lastNanos;
    private int leftOut;

    LogLimit(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    /** Returns how many lines were left out since the last one, or {@link #LEAVE_OUT}. */
    synchronized int admit(long nowNanos) {
        if (any && nowNanos - lastNanos < periodNanos) {
            leftOut++;
            return LEAVE_OUT;
        }
        any = true;
        lastNanos = nowNanos;
        int before = leftOut;
        leftOut = 0;
        return before;
    }
}

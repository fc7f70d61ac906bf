package io.dmodc.settings.process;

/**
 * Lets so many lines through in a while and counts the others, so that peers cannot fill the log. Thread-safe; time is
 * an argument.
 */
public final class LogLimit {
    /** Answer of {@link #admit} for a line that is to be left out. */
    public static final int LEAVE_OUT = -1;

    private final long periodNanos;
    private final int lines;
    private long begunNanos;
    private int admitted;
    private int leftOut;

    /**
     * @param periodNanos begins with the first line after the one before is over
     * @param lines of a period, at least 1
     */
    public LogLimit(long periodNanos, int lines) {
        this.periodNanos = periodNanos;
        this.lines = lines;
    }

    /** Returns how many lines were left out since the last one, or {@link #LEAVE_OUT}. */
    public synchronized int admit(long nowNanos) {
        if (admitted == 0 || nowNanos - begunNanos >= periodNanos) {
            begunNanos = nowNanos;
            admitted = 0;
        }
        if (admitted == lines) {
            leftOut++;
            return LEAVE_OUT;
        }
        admitted++;
        int before = leftOut;
        leftOut = 0;
        return before;
    }
}

package io.dmodc.detector.peers;

import java.util.HashSet;
import java.util.Set;

/**
 * Notes when each witness learns that the present victim is gone, and what is said of members that are not. Members are
 * numbered 0..members-1. Witnesses call from their own threads.
 */
final class KillWatch {
    private static final int NOBODY = -1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int members;
    private final Set<Integer> witnesses = new HashSet<>();
    private int victim = NOBODY;
    private long lastNanos;
    private int falseAccusations;

    KillWatch(int members) {
        this.members = members;
    }

    /** From now on the victim is rightly called dead. */
    synchronized void begin(int fallen) {
        victim = fallen;
        witnesses.clear();
    }

    /** From now on nobody is. */
    synchronized void end() {
        victim = NOBODY;
    }

    /**
     * A witness holds the subject dead. What the victim itself believes does not count.
     *
     * @param atNanos {@link System#nanoTime} of the witness's callback
     */
    synchronized void learnt(int witness, int subject, long atNanos) {
        if (witness == victim) {
            return;
        }
        if (subject != victim) {
            falseAccusations++;
            return;
        }
        if (witnesses.add(witness)) {
            lastNanos = atNanos;
            notifyAll();
        }
    }

    /** Waits until all but the victim know; the time at which the last of them learnt. */
    synchronized long awaitAll(long limitMillis) throws TrialNotRunException, InterruptedException {
        long deadline = System.nanoTime() + limitMillis * NANOS_PER_MILLI;
        while (witnesses.size() < members - 1) {
            long left = (deadline - System.nanoTime()) / NANOS_PER_MILLI;
            if (left <= 0) {
                throw new TrialNotRunException("silent member " + victim + ": " + witnesses.size() + " of "
                        + (members - 1) + " others knew after " + limitMillis + " ms");
            }
            wait(left);
        }
        return lastNanos;
    }

    synchronized int falseAccusations() {
        return falseAccusations;
    }
}

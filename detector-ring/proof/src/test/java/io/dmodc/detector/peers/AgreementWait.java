package io.dmodc.detector.peers;

import java.util.function.IntSupplier;

/** Waiting for a number of members to come to agree, with a limit. */
final class AgreementWait {
    private static final long LOOK_EVERY_MILLIS = 2;

    private AgreementWait() {}

    /**
     * Waits until the count reaches what is wanted.
     *
     * @param what said in the reason, with the count reached
     * @throws TrialNotRunException if it has not within the limit
     */
    static void until(String what, int wanted, IntSupplier count, long limitMillis) throws TrialNotRunException {
        until(what, wanted, count, System.nanoTime(), limitMillis);
    }

    /** The same with a limit that several waits share: it counts from when the first of them began. */
    static void until(String what, int wanted, IntSupplier count, long begunNanos, long limitMillis)
            throws TrialNotRunException {
        long deadline = begunNanos + limitMillis * 1_000_000;
        int seen = count.getAsInt();
        while (seen != wanted) {
            if (System.nanoTime() - deadline > 0) {
                throw new TrialNotRunException(what + ": " + seen + " of " + wanted + " after " + limitMillis + " ms");
            }
            sleep(LOOK_EVERY_MILLIS);
            seen = count.getAsInt();
        }
    }

    static void sleep(long millis) throws TrialNotRunException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrialNotRunException("interrupted", e);
        }
    }
}

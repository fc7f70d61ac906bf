package io.dmodc.detector.peers;

import java.util.function.IntSupplier;

/** Waiting for a number of members to come to agree, with a limit. */
final class Patience {
    private static final long LOOK_EVERY_MILLIS = 2;

    private Patience() {}

    /**
     * Waits until the count reaches what is wanted.
     *
     * @param what said in the reason, with the count reached
     * @throws NotRun if it has not within the limit
     */
    static void until(String what, int wanted, IntSupplier count, long limitMillis) throws NotRun {
        long deadline = System.nanoTime() + limitMillis * 1_000_000;
        int seen = count.getAsInt();
        while (seen != wanted) {
            if (System.nanoTime() > deadline) {
                throw new NotRun(what + ": " + seen + " of " + wanted + " after " + limitMillis + " ms");
            }
            sleep(LOOK_EVERY_MILLIS);
            seen = count.getAsInt();
        }
    }

    static void sleep(long millis) throws NotRun {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotRun("interrupted", e);
        }
    }
}

package io.dmodc.agent.exec;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds up a program that says more by itself than anybody could use: who reads its output pauses, and it waits in its pipe.
 * Used by one thread at a time.
 */
final class SpontaneousLimit {
    /** Words in one window: all ports of a switch go down and come back. */
    static final int WORDS = 1000;

    static final long WINDOW_NANOS = 1_000_000_000L;

    private final LongSupplier nanoTime;
    private long windowBegan;
    private int words;

    SpontaneousLimit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        windowBegan = nanoTime.getAsLong();
    }

    /** Counts a word, and returns when it may be heard. */
    void take() {
        long left = WINDOW_NANOS - (nanoTime.getAsLong() - windowBegan);
        if (left > 0 && ++words <= WORDS) {
            return;
        }
        if (left > 0) {
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        windowBegan = nanoTime.getAsLong();
        words = 1;
    }
}

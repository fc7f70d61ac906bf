package io.dmodc.agent;

import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: doubles from 100 ms to 10 s, and is spread over its upper half by chance, so
 * that a thousand agents do not come back in the same millisecond.
 */
final class Backoff {
    static final long MIN_NANOS = 100_000_000L;
    static final long MAX_NANOS = 10_000_000_000L;

    private final RandomGenerator random;
    private long ceiling = MIN_NANOS;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** Returns a wait between half the present ceiling and the ceiling, then doubles the ceiling. */
    long nextNanos() {
        long wait = ceiling / 2 + random.nextLong(ceiling / 2 + 1);
        ceiling = Math.min(2 * ceiling, MAX_NANOS);
        return wait;
    }

    /** Starts from the least wait: the last attempt succeeded. */
    void reset() {
        ceiling = MIN_NANOS;
    }

    /** Goes to the longest wait: trying soon cannot help. */
    void giveWay() {
        ceiling = MAX_NANOS;
    }
}

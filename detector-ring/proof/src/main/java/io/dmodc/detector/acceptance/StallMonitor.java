package io.dmodc.detector.acceptance;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices when this process does not run although it should: a thread that sleeps briefly and sees how late it wakes.
 */
final class StallMonitor implements AutoCloseable {
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final AtomicLong longest = new AtomicLong();
    private final Thread watcher = new Thread(this::watch, "stalls");

    StallMonitor() {
        watcher.setDaemon(true);
        watcher.start();
    }

    /** The longest stall since this was asked last, in nanoseconds. */
    long longestNanos() {
        return longest.getAndSet(0);
    }

    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long asleep = System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(NAP_NANOS);
                long late = System.nanoTime() - asleep - NAP_NANOS;
                longest.accumulateAndGet(late, Math::max);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}

package io.dmodc.settings.process;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What of the log still waits to be written in this process. Thread-safe. */
public final class LogQueues {
    /** One of them. */
    interface Queue {
        /** Returns once all that waits now is written, or this moment of {@link System#nanoTime} has come. */
        void awaitWritten(long untilNanos) throws InterruptedException;
    }

    private static final int END_MILLIS = 1000;
    private static final List<Queue> QUEUES = new CopyOnWriteArrayList<>();
    private static final AtomicBoolean FLUSHED_AT_END = new AtomicBoolean();

    private LogQueues() {}

    /** From now on nothing that is logged is lost when the process ends in order. */
    static void add(Queue queue) {
        if (FLUSHED_AT_END.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> flush(END_MILLIS), "log-flush"));
        }
        QUEUES.add(queue);
    }

    static void remove(Queue queue) {
        QUEUES.remove(queue);
    }

    /** Waits until all that was logged before is written, at most that long: who reads standard error may have stopped. */
    public static void flush(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            for (Queue queue : QUEUES) {
                queue.awaitWritten(until);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

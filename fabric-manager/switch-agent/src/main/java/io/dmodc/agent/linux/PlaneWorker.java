package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread at a time that does things one after another, now or later. From any thread. */
final class PlaneWorker implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(PlaneWorker.class);

    private final ScheduledThreadPoolExecutor thread;

    /** @param priority of Java */
    PlaneWorker(String name, int priority) {
        thread = new ScheduledThreadPoolExecutor(1, work -> daemon(name, priority, work));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    /** One whose thread ends when nothing was to be done, now or later, for so long; the next work has another one begin. */
    static PlaneWorker resting(String name, int priority, long afterNanos) {
        PlaneWorker worker = new PlaneWorker(name, priority);
        worker.thread.setKeepAliveTime(afterNanos, TimeUnit.NANOSECONDS);
        worker.thread.allowCoreThreadTimeOut(true);
        return worker;
    }

    /** Of the highest priority, as packets are being lost. */
    static Thread daemon(String name, Runnable work) {
        return daemon(name, Thread.MAX_PRIORITY, work);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing rests on it
    private static Thread daemon(String name, int priority, Runnable work) {
        Thread daemon = new Thread(guarded(work), name);
        daemon.setDaemon(true);
        daemon.setPriority(priority);
        return daemon;
    }

    /** What may fail with one line. */
    interface Work {
        void run() throws PlaneException;
    }

    /** Does it as soon as all before it is done; what it throws ends the result. */
    void submit(CompletableFuture<?> result, Work work) {
        later(0, () -> {
            try {
                work.run();
            } catch (PlaneException e) {
                result.completeExceptionally(e);
            } catch (Throwable e) {
                result.completeExceptionally(e);
                throw e;
            }
        });
        if (thread.isShutdown()) {
            result.completeExceptionally(new PlaneException("the agent ends"));
        }
    }

    /** Does it after a time; not at all once this is closed. */
    void later(long nanos, Runnable work) {
        try {
            thread.schedule(guarded(work), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // It is closed.
        }
    }

    /** Does it again and again, so long after the last time. */
    void every(long nanos, Runnable work) {
        thread.scheduleWithFixedDelay(guarded(work), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** A defect must not end later work without a word. */
    private static Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                LOG.error("defect in the Linux plane", e);
                Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
                if (handler != null) {
                    handler.uncaughtException(Thread.currentThread(), e);
                }
            }
        };
    }

    /** Waits for what is being done, shortly; what was to be done later is not. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.dmodc.routing;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One loop that its caller and workers of a pool take pieces of until none is left. The caller begins at once: to wake a
 * worker takes longer than many a loop, and one that comes when all is done finds it closed. To be run once.
 */
final class SharedLoop {
    /** Pieces for each thread, so that none waits long for the last piece of another. */
    private static final int PIECES = 8;

    /** With none inside, when no worker may begin any more. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private final int count;
    private final int step;
    private final IntConsumer body;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();

    /** Workers inside; from {@link #CLOSED} on once the caller is through. */
    private final AtomicInteger inside = new AtomicInteger();

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private SharedLoop(int count, int step, IntConsumer body) {
        this.count = count;
        this.step = step;
        this.body = body;
    }

    /**
     * Calls {@code body} for {@code 0..count−1} on the caller's thread and as many workers as make the pool's parallelism
     * with it; returns when none of them is at work on it any more. The first failure of a body is thrown, and pieces not
     * begun by then are left.
     */
    static void run(int count, IntConsumer body, ForkJoinPool pool) {
        int threads = Math.min(count, pool.getParallelism());
        SharedLoop loop = new SharedLoop(count, Math.max(1, count / (PIECES * threads)), body);
        try {
            for (int helper = 1; helper < threads; helper++) {
                pool.execute(loop::help);
            }
            loop.work();
        } finally {
            loop.close();
        }
        loop.passOnFailure();
    }

    private void help() {
        if (inside.getAndUpdate(workers -> workers < 0 ? workers : workers + 1) < 0) {
            return;
        }
        work();
        if (inside.decrementAndGet() == CLOSED) {
            LockSupport.unpark(caller);
        }
    }

    private void work() {
        try {
            for (int from = next.getAndAdd(step); from >= 0 && from < count; from = next.getAndAdd(step)) {
                for (int i = from; i < Math.min(count, from + step); i++) {
                    body.accept(i);
                }
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
            next.set(count);
        }
    }

    /** Without regard to interruption, as a piece cannot be broken off. */
    private void close() {
        inside.getAndUpdate(workers -> workers | CLOSED);
        boolean interrupted = false;
        while (inside.get() != CLOSED) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            caller.interrupt();
        }
    }

    private void passOnFailure() {
        Throwable failed = failure.get();
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }
}

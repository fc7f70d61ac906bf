package io.dmodc.ctl;

import io.dmodc.routing.Parallel;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** The threads a computation may use; closed when it is done. */
final class Workers implements AutoCloseable {
    private static final int THREADS_MAX = 1024;

    private final int threads;
    private final @Nullable ForkJoinPool pool;

    /**
     * @param threads 1..1024, or 0 for one per processor
     * @throws IllegalArgumentException for any other number
     */
    Workers(int threads) {
        if (threads < 0 || threads > THREADS_MAX) {
            throw new IllegalArgumentException(
                    "--threads " + threads + "; expected 1.." + THREADS_MAX + ", or 0 for one per processor");
        }
        this.threads = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
        this.pool = this.threads == 1 ? null : new ForkJoinPool(this.threads);
    }

    int threads() {
        return threads;
    }

    Parallel parallel() {
        return pool == null ? Parallel.sequential() : Parallel.on(pool);
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.shutdown();
        }
    }
}

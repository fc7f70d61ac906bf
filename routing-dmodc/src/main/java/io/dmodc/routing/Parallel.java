package io.dmodc.routing;

import java.util.concurrent.ForkJoinPool;
import java.util.function.IntConsumer;

/** Runs independent pieces of work and waits for all of them: one barrier. */
@FunctionalInterface
public interface Parallel {
    /**
     * Calls {@code body} once for each of {@code 0..count−1}, in any order and on any thread, and returns when all are
     * done. What the body wrote is visible to the caller.
     */
    void forEach(int count, IntConsumer body);

    /** All on the caller's thread. */
    static Parallel sequential() {
        return (count, body) -> {
            for (int i = 0; i < count; i++) {
                body.accept(i);
            }
        };
    }

    /**
     * On the caller's thread and on workers of a pool, together as many as its parallelism. A failure of a body is thrown as
     * it is, and pieces not begun by then are left.
     */
    static Parallel on(ForkJoinPool pool) {
        return (count, body) -> {
            if (count > 0) {
                SharedLoop.run(count, body, pool);
            }
        };
    }
}

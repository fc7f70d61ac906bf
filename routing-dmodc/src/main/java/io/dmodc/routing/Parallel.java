package io.dmodc.routing;

import java.util.concurrent.ForkJoinPool;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

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

    /** On the workers of a pool; a single piece on the caller's thread, which is there sooner. */
    static Parallel on(ForkJoinPool pool) {
        return (count, body) -> {
            if (count > 1) {
                pool.submit(() -> IntStream.range(0, count).parallel().forEach(body))
                        .join();
            } else if (count == 1) {
                body.accept(0);
            }
        };
    }
}

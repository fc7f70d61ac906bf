package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTest {
    @Test
    void shouldRunInOrderOnTheCallersThread() {
        List<Integer> done = new ArrayList<>();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();

        Parallel.sequential().forEach(4, i -> {
            done.add(i);
            threads.add(Thread.currentThread());
        });

        assertThat(done).containsExactly(0, 1, 2, 3);
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void shouldRunEachPieceOnceOnAsManyThreadsAsThePoolHasAndWait() {
        ForkJoinPool pool = new ForkJoinPool(2);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        int[] calls = new int[10_000];
        try {
            Parallel.on(pool).forEach(calls.length, i -> {
                calls[i]++;
                threads.add(Thread.currentThread());
            });
            Parallel.on(pool).forEach(0, i -> calls[i]++);
        } finally {
            pool.shutdown();
        }

        assertThat(calls).containsOnly(1);
        assertThat(threads).contains(Thread.currentThread()).hasSizeLessThanOrEqualTo(2);
    }

    /** Two pieces that wait for each other come to an end only where two threads are at work. */
    @Test
    void shouldHaveAWorkerHelp() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch both = new CountDownLatch(2);
        try {
            Parallel.on(pool).forEach(2, i -> {
                both.countDown();
                awaitQuietly(both);
            });
        } finally {
            pool.shutdown();
        }

        assertThat(both.getCount()).isZero();
    }

    /** Each in turn the caller of a loop within a loop: whoever waits holds no piece that another needs. */
    @Test
    void shouldComeToAnEndWithinItself() {
        ForkJoinPool pool = new ForkJoinPool(3);
        LongAdder calls = new LongAdder();
        try {
            Parallel parallel = Parallel.on(pool);
            for (int round = 0; round < 2_000; round++) {
                parallel.forEach(7, i -> parallel.forEach(5, j -> parallel.forEach(3, k -> calls.increment())));
            }
        } finally {
            pool.shutdown();
        }

        assertThat(calls.sum()).isEqualTo(2_000L * 7 * 5 * 3);
    }

    /** Nothing is written after the return, or the next loop would meet it: a worker's piece ends only once the caller waits for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitForTheLastPieceOfAWorker(boolean interrupted) {
        Thread caller = Thread.currentThread();
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean returned = new AtomicBoolean();
        AtomicBoolean awaited = new AtomicBoolean();
        try {
            Parallel.on(pool).forEach(2, i -> {
                if (Thread.currentThread() != caller) {
                    begun.countDown();
                    while (!returned.get() && caller.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                    awaited.set(!returned.get());
                    return;
                }
                while (begun.getCount() > 0) {
                    Thread.onSpinWait();
                }
                if (interrupted) {
                    caller.interrupt();
                }
            });
            returned.set(true);

            assertThat(awaited).isTrue();
            assertThat(Thread.interrupted()).isEqualTo(interrupted);
        } finally {
            returned.set(true);
            pool.shutdown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldRunASinglePieceOnTheCallersThread() {
        ForkJoinPool pool = new ForkJoinPool(2);
        List<Thread> threads = new ArrayList<>();
        try {
            Parallel.on(pool).forEach(1, i -> threads.add(Thread.currentThread()));
        } finally {
            pool.shutdown();
        }

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void shouldShareWorkAmongTheWorkersWhenOneOfThemAsks() {
        ForkJoinPool pool = new ForkJoinPool(1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        int[] calls = new int[100];
        try {
            pool.submit(() -> Parallel.on(pool).forEach(calls.length, i -> {
                        calls[i]++;
                        threads.add(Thread.currentThread());
                    }))
                    .join();
        } finally {
            pool.shutdown();
        }

        assertThat(calls).containsOnly(1);
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void shouldPassAFailureOn() {
        ForkJoinPool pool = new ForkJoinPool(2);
        try {
            assertThatThrownBy(() -> Parallel.on(pool).forEach(3, i -> {
                        throw new IllegalStateException("piece " + i);
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("piece");
        } finally {
            pool.shutdown();
        }
    }
}

package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

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
    void shouldRunEachPieceOnceOnTheWorkersOfThePoolAndWait() {
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
        assertThat(threads).doesNotContain(Thread.currentThread()).hasSizeLessThanOrEqualTo(2);
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

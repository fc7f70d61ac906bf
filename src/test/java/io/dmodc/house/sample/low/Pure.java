package io.dmodc.house.sample.low;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Keeps the rule: everything from outside is an argument. */
public final class Pure {
    private Pure() {}

    static int draw(long seed) {
        return new Random(seed).nextInt();
    }

    static Instant read(Clock clock) {
        return Instant.now(clock);
    }

    static CompletableFuture<Integer> compute(Executor executor) {
        return CompletableFuture.supplyAsync(() -> 1, executor);
    }

    static void giveUp() {
        Thread.currentThread().interrupt();
    }
}

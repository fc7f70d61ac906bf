package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.loop.DeclinedException;
import io.dmodc.manager.loop.FabricLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads what the loop knows without waiting, and tells it what people want without waiting for ever. Thread-safe. */
final class LoopClient {
    /** How often, and how often at most, it is looked whether the store has taken what was asked: for two seconds. */
    private static final long KEPT_LOOK_MILLIS = 2;

    private static final int KEPT_LOOKS = 1000;

    /** Within that an act is in force, or declined, unless the store neither takes nor refuses it. */
    private static final long DONE_MILLIS = KEPT_LOOK_MILLIS * KEPT_LOOKS;

    private final FabricLoop loop;
    private final Duration timeout;

    LoopClient(FabricLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    /**
     * What was known when the last batch was done; does not wait for the one in work.
     *
     * @throws RequestRefused of status 503 when the loop has ended
     */
    FabricSnapshot snapshot() {
        if (loop.isClosed()) {
            throw RequestRefused.unavailable("the manager is closed");
        }
        return loop.snapshot();
    }

    /**
     * Tells the loop something.
     *
     * @param declined what to say before the reason when it changed nothing
     * @return what was known once that was taken in; fails with {@link RequestRefused}: of status 409 when it was declined, of
     *     status 503 when the loop is full, closed or silent for too long
     */
    CompletableFuture<FabricSnapshot> tell(FabricEvent event, String declined) {
        return loop.tell(event)
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(thrown -> {
                    throw explained(thrown, declined);
                });
    }

    /**
     * The same of an act, which is in force then.
     *
     * @return fails with {@link RequestRefused} of status 503, too, when the disk neither takes nor refuses it within two seconds
     */
    CompletableFuture<FabricSnapshot> perform(ActAsked asked, String declined) {
        return loop.tell(asked)
                .orTimeout(DONE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(thrown -> {
                    throw thrown instanceof TimeoutException
                            ? RequestRefused.unavailable(
                                    "not done yet: it is once the disk takes it, and not at all if it does not")
                            : explained(thrown, declined);
                })
                .thenCompose(fabric -> kept(fabric, KEPT_LOOKS));
    }

    /**
     * The same as {@link #tell}, answered only once a crash would not undo it.
     *
     * @return fails with {@link RequestRefused} of status 503, too, when the disk does not take it within two seconds
     */
    CompletableFuture<FabricSnapshot> tellKept(FabricEvent event, String declined) {
        return tell(event, declined).thenCompose(fabric -> kept(fabric, KEPT_LOOKS));
    }

    private CompletableFuture<FabricSnapshot> kept(FabricSnapshot fabric, int looks) {
        if (fabric.intent().kept()) {
            return CompletableFuture.completedFuture(fabric);
        }
        if (looks == 0) {
            throw RequestRefused.unavailable("done, but not kept yet: a crash would undo it");
        }
        Executor later = CompletableFuture.delayedExecutor(KEPT_LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return CompletableFuture.supplyAsync(this::snapshot, later).thenCompose(next -> kept(next, looks - 1));
    }

    private RuntimeException explained(Throwable thrown, String declined) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof TimeoutException) {
            return RequestRefused.unavailable("the manager did not answer within " + timeout.toMillis() + " ms");
        }
        if (cause instanceof DeclinedException) {
            return RequestRefused.conflict(declined + cause.getMessage());
        }
        if (cause instanceof IllegalStateException) {
            return RequestRefused.unavailable(String.valueOf(cause.getMessage()));
        }
        return cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }

    long nowNanos() {
        return loop.nowNanos();
    }
}

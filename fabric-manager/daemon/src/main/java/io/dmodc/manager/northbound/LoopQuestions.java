package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.loop.FabricLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks the loop, and does not wait for ever. Thread-safe. */
final class LoopQuestions {
    private final FabricLoop loop;
    private final Duration timeout;

    LoopQuestions(FabricLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    /**
     * Runs a question on the loop thread.
     *
     * @return fails with {@link RequestRefused} of status 503 when the loop is full, closed or silent for too long
     */
    <T> CompletableFuture<T> ask(Function<FabricState, T> question) {
        return loop.ask(question)
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(thrown -> {
                    throw explained(thrown);
                });
    }

    /**
     * Tells the loop something; a question asked afterwards sees what came of it.
     *
     * @throws RequestRefused of status 503 when the loop is full
     */
    void tell(FabricEvent event) {
        if (!loop.offer(event)) {
            throw RequestRefused.unavailable("the manager is overloaded");
        }
    }

    private RuntimeException explained(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof TimeoutException) {
            return RequestRefused.unavailable("the manager did not answer within " + timeout.toMillis() + " ms");
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

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.Effect.TablesInForce;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.Tables;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.topology.FabricView;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has tables computed and checked away from the loop: one computation at a time, spread over a pool of its own.
 *
 * <p>The core asks for one computation at a time, so the queue before this worker never holds more than one. Each gets a
 * result, also one that fails by a mistake of an engine. An {@link Error} ends the worker's thread, and the handler of the
 * process for that is to end the process: nothing would ever be computed again.
 */
public final class RouteWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouteWorker.class);
    private static final int REHEARSALS = 200;
    private static final long REHEARSAL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Function<String, CheckedEngine> engines;
    private final ForkJoinPool pool;
    private final Parallel parallel;
    private final TableComputation computation;
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile boolean warm;

    /** Touched by the foreman only. */
    private boolean rehearsed;

    private final ExecutorService foreman;

    /**
     * @param ownSurplus whether the engine may write entries where no legal path exists
     * @param threads workers of the pool, at least 1
     */
    public RouteWorker(RoutingEngine engine, SurplusEntryRule ownSurplus, int threads) {
        this(name -> new CheckedEngine(engine, ownSurplus), null, threads, null);
    }

    /**
     * @param engines by name; that of the empty name is the one of the settings
     * @param fallback computes what is asked of the fall-back engine
     * @param threads workers of the pool, at least 1
     * @param ender told what ended the worker's thread; {@code null}: whom the process has for that
     */
    public RouteWorker(
            Function<String, CheckedEngine> engines,
            @Nullable RoutingEngine fallback,
            int threads,
            @Nullable UncaughtExceptionHandler ender) {
        this.foreman = Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "route-worker");
            thread.setDaemon(true);
            if (ender != null) {
                thread.setUncaughtExceptionHandler(ender);
            }
            return thread;
        });
        this.engines = engines;
        this.pool = new ForkJoinPool(threads);
        this.parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
        this.computation = new TableComputation(engines, fallback, parallel);
    }

    /** Starts a computation; its result goes into the loop as an event. */
    public void start(Effect.Compute compute, FabricLoop loop) {
        waiting.incrementAndGet();
        foreman.execute(() -> {
            waiting.decrementAndGet();
            Routed routed = inPool(computation, compute, loop);
            if (routed == null) {
                return;
            }
            try {
                loop.put(routed);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!rehearsed && routed.result().made() != null) {
                rehearsed = true;
                foreman.execute(() -> rehearseOnce(compute.view(), loop));
            }
        });
    }

    /**
     * Computes on a worker of the pool: each step that is shared out begins at once, there, instead of when a sleeping thread has been woken.
     *
     * @return {@code null} if the pool was closed
     */
    private @Nullable Routed inPool(TableComputation by, Effect.Compute compute, FabricLoop loop) {
        try {
            return pool.submit(() -> by.compute(compute, loop::nowNanos)).join();
        } catch (CancellationException | RejectedExecutionException closed) {
            return null;
        }
    }

    /** It is only for speed: whatever goes wrong in it, the next computation is served. */
    private void rehearseOnce(FabricView view, FabricLoop loop) {
        try {
            rehearse(view, loop);
        } catch (RuntimeException e) {
            LOG.error("defect: the rehearsal failed", e);
        }
        warm = true;
    }

    /**
     * Lets cables of a fabric like this one break and heal and throws the results away, so that the first fault meets
     * compiled code instead of waiting for the compiler. Gives way to real work, and ends where an engine finds no tables.
     */
    private void rehearse(FabricView view, FabricLoop loop) {
        long end = loop.nowNanos() + REHEARSAL_NANOS;
        ImaginedFabric imagined = new ImaginedFabric(view);
        TableComputation rehearsing = new TableComputation(engines, null, parallel);
        Tables held = null;
        for (int i = 0;
                i < REHEARSALS && (i == 0 || held != null) && waiting.get() == 0 && loop.nowNanos() < end;
                i++) {
            Effect.Compute next = new Effect.Compute(
                    imagined.next(), Map.of(), held == null ? null : inForce(held), Method.INCREMENTAL);
            Routed routed = inPool(rehearsing, next, loop);
            held = routed == null ? null : routed.result().made();
        }
    }

    private static TablesInForce inForce(Tables tables) {
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < tables.switchCount(); s++) {
            rows.add(List.of(tables.row(s)));
        }
        return new TablesInForce(rows, new BitSet(), new BitSet());
    }

    /** True once the rehearsal after the first tables is over. */
    public boolean warm() {
        return warm;
    }

    @Override
    public void close() {
        foreman.shutdownNow();
        pool.shutdownNow();
        try {
            foreman.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.topology.FabricView;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has tables computed and checked away from the loop: one computation at a time, spread over a pool of its own.
 *
 * <p>The core asks for one computation at a time, so the queue before this worker never holds more than one.
 */
public final class RouteWorker implements AutoCloseable {
    private static final int REHEARSALS = 200;
    private static final long REHEARSAL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final RoutingEngine engine;
    private final SurplusEntryRule ownSurplus;
    private final ForkJoinPool pool;
    private final Parallel parallel;
    private final TableComputation computation;
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile boolean warm;

    /** Touched by the foreman only. */
    private boolean rehearsed;

    private final ExecutorService foreman = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "route-worker");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param ownSurplus whether the engine may write entries where no legal path exists
     * @param threads workers of the pool, at least 1
     */
    public RouteWorker(RoutingEngine engine, SurplusEntryRule ownSurplus, int threads) {
        this.engine = engine;
        this.ownSurplus = ownSurplus;
        this.pool = new ForkJoinPool(threads);
        this.parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
        this.computation = new TableComputation(engine, ownSurplus, parallel);
    }

    /** Starts a computation; its result goes into the loop as an event. */
    public void start(Effect.Compute compute, FabricLoop loop) {
        waiting.incrementAndGet();
        foreman.execute(() -> {
            waiting.decrementAndGet();
            try {
                loop.put(computation.compute(compute, loop::nowNanos));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!rehearsed) {
                rehearsed = true;
                foreman.execute(() -> rehearse(compute.view(), loop));
            }
        });
    }

    /**
     * Lets cables of a fabric like this one break and heal and throws the results away, so that the first fault meets
     * compiled code instead of waiting for the compiler. Gives way to real work.
     */
    private void rehearse(FabricView view, FabricLoop loop) {
        long end = loop.nowNanos() + REHEARSAL_NANOS;
        ImaginedFabric imagined = new ImaginedFabric(view);
        TableComputation rehearsing = new TableComputation(engine, ownSurplus, parallel);
        for (int i = 0; i < REHEARSALS && waiting.get() == 0 && loop.nowNanos() < end; i++) {
            rehearsing.compute(new Effect.Compute(imagined.next(), Map.of()), loop::nowNanos);
        }
        warm = true;
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

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.Surplus;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricView;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes and checks tables away from the loop: one computation at a time, spread over a pool of its own.
 *
 * <p>The core asks for one computation at a time, so the queue before this worker never holds more than one.
 */
public final class RouteWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouteWorker.class);

    private static final int REHEARSALS = 30;
    private static final long REHEARSAL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final RoutingEngine engine;
    private final Surplus ownSurplus;
    private final ForkJoinPool pool;
    private final Parallel parallel;
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
    public RouteWorker(RoutingEngine engine, Surplus ownSurplus, int threads) {
        this.engine = engine;
        this.ownSurplus = ownSurplus;
        this.pool = new ForkJoinPool(threads);
        this.parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
    }

    /** Starts a computation; its result goes into the loop as an event. */
    public void start(Effect.Compute compute, FabricLoop loop) {
        waiting.incrementAndGet();
        foreman.execute(() -> {
            waiting.decrementAndGet();
            try {
                loop.put(compute(compute, loop));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!rehearsed) {
                rehearsed = true;
                foreman.execute(() -> rehearse(compute, loop));
            }
        });
    }

    /**
     * Computes the first view some more times and throws the results away, so that the first fault meets compiled code
     * instead of waiting for the compiler. Gives way to real work.
     */
    private void rehearse(Effect.Compute compute, FabricLoop loop) {
        long end = loop.nowNanos() + REHEARSAL_NANOS;
        for (int i = 0; i < REHEARSALS && waiting.get() == 0 && loop.nowNanos() < end; i++) {
            compute(compute, loop);
        }
        warm = true;
    }

    /** True once the rehearsal after the first tables is over. */
    public boolean warm() {
        return warm;
    }

    private Routed compute(Effect.Compute compute, FabricLoop loop) {
        FabricView view = compute.view();
        try {
            long started = loop.nowNanos();
            RoutingResult result = engine.route(view, parallel);
            long routed = loop.nowNanos();
            LftSet tables = result.tables();
            if (tables == null) {
                return new Routed(routed, view.epoch(), result, new long[0], null, routed - started, 0);
            }
            CheckReport report = check(view, tables, compute.frozenRows());
            long checked = loop.nowNanos();
            long[] digests = digests(tables);
            return new Routed(
                    loop.nowNanos(), view.epoch(), result, digests, report, routed - started, checked - routed);
        } catch (RuntimeException e) {
            LOG.error("defect: epoch {} could not be routed", view.epoch(), e);
            RoutingResult failed = new RoutingResult.Unroutable("defect in the engine: " + e);
            return new Routed(loop.nowNanos(), view.epoch(), failed, new long[0], null, 0, 0);
        }
    }

    /** A row that cannot be replaced now may keep an entry where the way has gone; the engine's own may not. */
    private CheckReport check(FabricView view, LftSet tables, Map<Integer, LftRow> frozenRows) {
        Surplus surplus = frozenRows.isEmpty() ? ownSurplus : Surplus.NOTED;
        return TableCheck.check(view, mix(tables, frozenRows), surplus, parallel);
    }

    /** What the switches would really hold: switches that cannot be told anything keep their rows. */
    private static LftSet mix(LftSet tables, Map<Integer, LftRow> frozenRows) {
        if (frozenRows.isEmpty()) {
            return tables;
        }
        LftRow[] rows = new LftRow[tables.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            LftRow frozen = frozenRows.get(s);
            rows[s] = frozen == null ? tables.row(s) : frozen.fittedTo(tables.entryCount());
        }
        return new LftSet(tables.epoch(), tables.entryCount(), rows);
    }

    private long[] digests(LftSet tables) {
        long[] digests = new long[tables.switchCount()];
        parallel.forEach(
                digests.length, s -> digests[s] = TableDigest.of(tables.row(s).toBytes()));
        return digests;
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

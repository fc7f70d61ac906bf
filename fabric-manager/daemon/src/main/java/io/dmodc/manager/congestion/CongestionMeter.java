package io.dmodc.manager.congestion;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Tables;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.topology.FabricView;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the congestion risk of the tables in force, once for each epoch, where there is time: the fabric is calm, or has had
 * the same tables for {@value #QUIET_SECONDS} s.
 *
 * <p>Bounds: one thread; after a measurement that took t, whatever came of it, a rest of {@value #REST}t, so at most a tenth of
 * one processor. It is given up between two parts of the work as soon as other tables are computed or in force, or the
 * thread is interrupted. A mistake costs the epoch it was met in. For one thread.
 */
final class CongestionMeter {
    static final int REST = 9;
    static final long QUIET_SECONDS = 10;

    /** How often it looks for tables to measure. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(CongestionMeter.class);

    private final Supplier<FabricSnapshot> fabric;
    private final CongestionHistory history;
    private final Samples samples;
    private final LongSupplier clock;

    /** Of the tables in force at the last look, and since when they were; −1 before the first. */
    private long seen = -1;

    private long seenNanos;

    /** Of the tables that were measured last, or met with a mistake; −1 before the first. */
    private long done = -1;

    /**
     * @param fabric the newest snapshot, each time it is asked
     * @param history takes what is measured
     * @param clock monotonic nanoseconds
     */
    CongestionMeter(Supplier<FabricSnapshot> fabric, CongestionHistory history, Samples samples, LongSupplier clock) {
        this.fabric = fabric;
        this.history = history;
        this.samples = samples;
        this.clock = clock;
    }

    /**
     * Measures the tables in force, if it is time to.
     *
     * @return nanoseconds to rest before the next call
     */
    long look() {
        FabricSnapshot now = fabric.get();
        FabricView view = now.view();
        Tables inForce = now.tables();
        long started = clock.getAsLong();
        // A view without tables of its own is being computed, or its tables were refused.
        // Of tables by input class fabricctl tells what they carry; it is not measured while they are in force.
        if (view == null || !(inForce instanceof LftSet tables) || view.epoch() != tables.epoch()) {
            return LOOK_NANOS;
        }
        if (tables.epoch() != seen) {
            seen = tables.epoch();
            seenNanos = started;
        }
        boolean quiet = started - seenNanos >= TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
        if (tables.epoch() == done || now.computing() || !(now.calm() || quiet)) {
            return LOOK_NANOS;
        }
        measure(view, tables, started);
        return Math.max(LOOK_NANOS, REST * (clock.getAsLong() - started));
    }

    private void measure(FabricView view, LftSet tables, long started) {
        try {
            CongestionSummary summary = CongestionSummary.of(view, tables, samples, whileInForce(tables));
            history.add(MeasuredCongestion.of(view, summary, clock.getAsLong() - started));
            done = tables.epoch();
        } catch (CancellationException e) {
            LOG.debug("epoch {}: the measurement of congestion was given up", tables.epoch());
        } catch (RuntimeException e) {
            done = tables.epoch();
            LOG.error("defect: the congestion of epoch {} could not be measured", tables.epoch(), e);
        }
    }

    /** On the caller's thread, as long as these are the tables to measure. */
    private Parallel whileInForce(LftSet tables) {
        return (count, body) -> {
            for (int i = 0; i < count; i++) {
                FabricSnapshot now = fabric.get();
                Tables inForce = now.tables();
                boolean others = inForce == null || inForce.epoch() != tables.epoch();
                if (others || now.computing() || Thread.currentThread().isInterrupted()) {
                    throw new CancellationException();
                }
                body.accept(i);
            }
        };
    }
}

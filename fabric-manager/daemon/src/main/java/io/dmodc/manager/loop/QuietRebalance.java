package io.dmodc.manager.loop;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.RebalanceRule.Policy;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Tables;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.topology.FabricView;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for entries to be moved when nothing has happened for {@value #QUIET_SECONDS} s and it pays, where the settings want that.
 *
 * <p>Quiet is: the tables in force have been the same and all acknowledged for that long, every switch that forwards can be told something,
 * nothing is paused, drained or held down. It pays if the mean of shifts falls by {@value #GAIN_PERCENT} % or more, all-to-all does not
 * rise, and the change is proven to lose nothing. It is asked for as of the epoch it was planned for, and so declined if the fabric has moved on.
 *
 * <p>Bounds: one search at a time, on the caller's thread, and one for each epoch; no pass of it begins after {@value #SEARCH_SECONDS} s; after one that
 * took t a rest of {@value #REST}t. It is given up between two parts of the work when the fabric moves on or the thread is interrupted. Tables that would
 * take more memory than is allowed are left out. For one thread.
 */
public final class QuietRebalance {
    static final long QUIET_SECONDS = 300;
    static final long SEARCH_SECONDS = 600;
    static final int GAIN_PERCENT = 5;
    static final int REST = 9;

    /** How often it looks. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Who asks. */
    static final String BY = "fabric-manager";

    private static final Logger LOG = LoggerFactory.getLogger(QuietRebalance.class);

    private final Supplier<FabricSnapshot> fabric;
    private final Consumer<ActAsked> asked;
    private final ActPlanning planning;
    private final long bytesMax;
    private final LongSupplier clock;

    /** Epoch of the tables in force at the last look, and since when they were, all acknowledged; −1: they were not. */
    private long seen = -1;

    private long seenNanos;

    /** Epoch of the tables that were looked at last; −1 before the first. */
    private long done = -1;

    private boolean toldOfSize;

    /**
     * @param fabric the newest snapshot, each time it is asked
     * @param asked takes what is asked for
     * @param drainKnown whether it is known how long a packet may stay in the fabric
     * @param bytesMax switches × nodes of the largest fabric that is looked at: a search takes three bytes for each, and 64 MiB
     * @param clock monotonic nanoseconds
     */
    public QuietRebalance(
            Supplier<FabricSnapshot> fabric,
            Consumer<ActAsked> asked,
            EngineChoice engines,
            boolean drainKnown,
            long bytesMax,
            LongSupplier clock) {
        this.fabric = fabric;
        this.asked = asked;
        this.bytesMax = bytesMax;
        this.clock = clock;
        planning =
                new ActPlanning(engines, drainKnown, this::whileQuiet, TimeUnit.SECONDS.toNanos(SEARCH_SECONDS), clock);
    }

    /**
     * Starts looking, on a thread of its own.
     *
     * @param drainKnown whether it is known how long a packet may stay in the fabric
     */
    public static BackgroundLooks start(FabricLoop loop, EngineChoice engines, boolean drainKnown) {
        QuietRebalance rebalance = new QuietRebalance(
                loop::snapshot, loop::offer, engines, drainKnown, RebalancePlanning.BYTES_MAX, loop::nowNanos);
        return BackgroundLooks.start("rebalance", rebalance::look, "nothing is rebalanced in quiet times any more");
    }

    /**
     * Looks for moves, if it is time to.
     *
     * @return nanoseconds to rest before the next call
     */
    public long look() {
        FabricSnapshot now = fabric.get();
        long started = clock.getAsLong();
        LftSet tables = quietTables(now);
        if (tables == null) {
            seen = -1;
            return LOOK_NANOS;
        }
        if (tables.epoch() != seen) {
            seen = tables.epoch();
            seenNanos = started;
        }
        boolean quiet = started - seenNanos >= TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
        if (tables.epoch() == done || !quiet || tooLarge(tables) || !allCanBeTold(now)) {
            return LOOK_NANOS;
        }
        search(now, tables.epoch());
        return Math.max(LOOK_NANOS, REST * (clock.getAsLong() - started));
    }

    /** Those in force, while nothing happens; {@code null} at any other time. */
    private static @Nullable LftSet quietTables(FabricSnapshot now) {
        FabricView view = now.view();
        Tables inForce = now.tables();
        boolean quiet = now.rebalance().policy() == Policy.QUIET
                && now.calm()
                && !now.computing()
                && !now.deposed()
                && now.heldDownCount() == 0
                && now.intent().pause() == null
                && now.intent().drains().isEmpty();
        return quiet && view != null && inForce instanceof LftSet tables && tables.epoch() == view.epoch()
                ? tables
                : null;
    }

    private static boolean allCanBeTold(FabricSnapshot now) {
        return now.switches().stream()
                .filter(record -> record.condition() != Condition.DEAD)
                .allMatch(QuietRebalance::canBeTold);
    }

    private static boolean canBeTold(SwitchSnapshot record) {
        return record.agentConnected() && !record.agentSilent() && record.upToDate();
    }

    private boolean tooLarge(LftSet tables) {
        long bytes = (long) tables.switchCount() * tables.entryCount();
        if (bytes > bytesMax && !toldOfSize) {
            toldOfSize = true;
            LOG.warn(
                    "routing.rebalance: quiet: {} switches x {} nodes would take {} MiB; expected at most {} MiB",
                    tables.switchCount(),
                    tables.entryCount(),
                    (3 * bytes) >> 20,
                    (3 * bytesMax) >> 20);
        }
        return bytes > bytesMax;
    }

    private void search(FabricSnapshot now, long epoch) {
        try {
            askIfItPays(planning.plan(now, Wanted.rebalance(-1, true)));
            done = epoch;
        } catch (DeclinedException e) {
            done = epoch;
            LOG.debug("epoch {}: {}", epoch, e.getMessage());
        } catch (CancellationException e) {
            LOG.debug("epoch {}: the search for a rebalance was given up", epoch);
        } catch (RuntimeException e) {
            done = epoch;
            LOG.error("defect: epoch {} could not be rebalanced", epoch, e);
        }
    }

    private void askIfItPays(Planned planned) {
        Prediction prediction = planned.prediction();
        CongestionChange change = prediction == null ? null : prediction.congestion();
        Act act = planned.act();
        if (prediction == null
                || change == null
                || act == null
                || !planned.isApplicable()
                || !pays(prediction, change)) {
            return;
        }
        String why = String.format(
                Locale.ROOT,
                "quiet: shifts %.2f → %.2f",
                change.before().shifts().mean(),
                change.after().shifts().mean());
        asked.accept(new ActAsked(clock.getAsLong(), act, planned.epoch(), BY, why));
    }

    private static boolean pays(Prediction prediction, CongestionChange change) {
        double least = change.before().shifts().mean() * (100 - GAIN_PERCENT) / 100;
        return change.after().shifts().mean() <= least
                && change.after().allToAll() <= change.before().allToAll()
                && prediction.plan().verdict() != Verdict.NOT_PROVABLE;
    }

    /** As {@link Parallel}: on the caller's thread, as long as the tables are those that were looked at. */
    private void whileQuiet(int count, IntConsumer body) {
        for (int i = 0; i < count; i++) {
            LftSet tables = quietTables(fabric.get());
            if (tables == null
                    || tables.epoch() != seen
                    || Thread.currentThread().isInterrupted()) {
                throw new CancellationException();
            }
            body.accept(i);
        }
    }
}

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.ChangeBounds;
import io.dmodc.manager.core.DrainMoves;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.loop.RebalancePlanning.Found;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.routing.prediction.RoutedFabric;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.MovedRows;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Predicts what an act or a loss would do, from what was known at one moment: the tables are computed, checked and planned as they would be, away
 * from the loop and from the worker that heals, on a pool of its own. For one thread at a time, which it keeps for as long as it takes.
 */
public final class ActPlanning implements AutoCloseable {
    private static final String NOT_FOR_GRIDS = "acts and losses are not predicted for the tables of a grid";

    /** So that the whole plan is there before who asked for it gives up. */
    private static final long SEARCH_SECONDS = 45;

    private final EngineChoice engines;
    private final boolean drainKnown;
    private final @Nullable ForkJoinPool pool;
    private final Parallel parallel;

    private final RebalancePlanning rebalancing;

    /**
     * @param drainKnown whether it is known how long a packet may stay in the fabric
     * @param threads workers of the pool, at least 1
     */
    public ActPlanning(EngineChoice engines, boolean drainKnown, int threads) {
        this.engines = engines;
        this.drainKnown = drainKnown;
        pool = new ForkJoinPool(threads);
        parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
        rebalancing = new RebalancePlanning(TimeUnit.SECONDS.toNanos(SEARCH_SECONDS), System::nanoTime);
    }

    /**
     * One for a single caller, who says where it is worked on.
     *
     * @param searchNanos after which no further pass of a search for moves begins
     * @param clock monotonic nanoseconds
     */
    ActPlanning(EngineChoice engines, boolean drainKnown, Parallel parallel, long searchNanos, LongSupplier clock) {
        this.engines = engines;
        this.drainKnown = drainKnown;
        this.parallel = parallel;
        pool = null;
        rebalancing = new RebalancePlanning(searchNanos, clock);
    }

    /** Name of the engine of the settings. */
    public String engine() {
        return engines.engine();
    }

    /**
     * What is to be predicted.
     *
     * @param act {@code null}: the loss of the objects
     * @param objects switches (port 0) and cables
     * @param congestion measured too, which costs most
     * @param blocks of a rebalance, which moves are to be found for: most blocks that may differ from what the engine makes; negative: as
     *     many as the settings say
     */
    public record Wanted(@Nullable Act act, List<PortPlace> objects, boolean congestion, int blocks) {
        public Wanted {
            objects = List.copyOf(objects);
        }

        /** Of all acts but a rebalance. */
        public Wanted(@Nullable Act act, List<PortPlace> objects, boolean congestion) {
            this(act, objects, congestion, 0);
        }

        /** Moves that are to be found. */
        public static Wanted rebalance(int blocks, boolean congestion) {
            return new Wanted(Act.rebalance(EntryMoves.NONE), List.of(), congestion, blocks);
        }
    }

    /**
     * What was predicted.
     *
     * @param act that is to be applied; {@code null} if it was only asked what if
     * @param epoch the one it was planned for
     * @param prediction {@code null} if there would be no tables, or there are none to begin with
     * @param problem why there would be none; else empty
     */
    public record Planned(
            Wanted wanted,
            @Nullable Act act,
            long epoch,
            @Nullable Prediction prediction,
            String problem) {
        /** False if it would leave no tables that pass the check. Without tables, there is nothing to lose. */
        public boolean isApplicable() {
            return prediction == null ? problem.isEmpty() : prediction.after().valid();
        }
    }

    /**
     * Predicts one act or loss. Takes as long as the tables of the whole fabric, from scratch, and twice what their congestion takes.
     *
     * @throws DeclinedException in a few words when there is nothing to begin with
     */
    public Planned plan(FabricSnapshot fabric, Wanted wanted) {
        FabricView works = fabric.works();
        FabricView routed = fabric.view();
        Tables inForce = fabric.tables();
        boolean none = works == null || routed == null || inForce == null || inForce.epoch() != routed.epoch();
        if (none && wanted.act() != null && wanted.act().isOfIdentity() && !fabric.computing()) {
            return new Planned(wanted, wanted.act(), fabric.epoch(), null, "");
        }
        if (works == null || routed == null || none) {
            throw new DeclinedException("tables are being computed; ask again in a moment");
        }
        if (!(inForce instanceof LftSet tables)) {
            throw new DeclinedException(NOT_FOR_GRIDS);
        }
        Act act = wanted.act() != null && wanted.act().verb() == Verb.REBALANCE && wanted.blocks() != 0
                ? rebalance(fabric, routed, wanted.blocks())
                : wanted.act();
        return plan(fabric, wanted, act, new RoutedFabric(works, routed, tables));
    }

    /** The act that moves what is found now. */
    private Act rebalance(FabricSnapshot fabric, FabricView routed, int blocks) {
        RoutingEngine engine = engines.own(fabric.intent().engineName()).engine();
        LftSet tables = engine.route(routed, parallel).tables();
        if (tables == null) {
            throw new DeclinedException(engine.name() + " makes no tables to move entries of");
        }
        Found found = rebalancing.find(fabric, engine, routed, tables, blocks, parallel);
        EntryMoves moves = found.moves();
        if (moves.equals(fabric.intent().moves())) {
            throw new DeclinedException(
                    moves.isEmpty()
                            ? "nothing is gained: the mean of shifts is "
                                    + String.format(
                                            Locale.ROOT,
                                            "%.2f",
                                            found.rebalanced().before().shiftMean())
                                    + ", and at least "
                                    + String.format(
                                            Locale.ROOT,
                                            "%.2f",
                                            found.rebalanced().before().shiftMeanLeast())
                            : "just these " + moves.size() + " entries are moved already");
        }
        return Act.rebalance(moves);
    }

    private Planned plan(FabricSnapshot fabric, Wanted wanted, @Nullable Act act, RoutedFabric before) {
        FabricView works = act == null ? IntentSnapshot.without(wanted.objects(), before.works()) : before.works();
        Set<PortPlace> drained = new LinkedHashSet<>(fabric.intent().drained());
        if (act != null && act.isOfIdentity()) {
            works = RedrawnFabric.after(act, works, fabric::nodeIndex);
            drained = DrainMoves.of(act, drained, fabric::farEnd).after(drained);
        }
        if (act != null && act.verb() == Verb.DRAIN) {
            drained.addAll(act.objects());
        } else if (act != null && act.verb() == Verb.UNDRAIN) {
            act.objects().forEach(drained::remove);
        } else if (act != null && act.verb() == Verb.ROLLBACK) {
            drained.clear();
            drained.addAll(act.objects());
        }
        FabricView usable = IntentSnapshot.without(drained, works);
        FabricView routed = usable.without(new BitSet(), fabric.slowLeftOut(works, usable));
        String engine = act != null && (act.verb() == Verb.ENGINE || act.verb() == Verb.ROLLBACK)
                ? act.engine()
                : fabric.intent().engineName();
        RoutingResult result = engines.own(engine).engine().route(routed, parallel);
        if (result.made() instanceof TurnTableSet) {
            throw new DeclinedException(
                    NOT_FOR_GRIDS + "; " + engines.own(engine).engine().name() + " makes such");
        }
        LftSet tables = result.tables();
        if (tables == null) {
            String why = result instanceof RoutingResult.Unroutable unroutable ? unroutable.reason() : "no tables";
            return new Planned(wanted, act, routed.epoch(), null, why);
        }
        if (act != null && act.verb() == Verb.ROLLBACK) {
            Rollback.requireSame(fabric, Long.parseLong(act.epoch()), works, tables);
        }
        tables = new MovedRows().lay(routed, tables, movesAfter(act, fabric)).tables();
        RoutedFabric after = new RoutedFabric(works, routed, tables);
        RowsInForce inForce = inForce(fabric, works, IntentSnapshot.switches(drained, works));
        ChangeTerms terms = act == null
                ? ChangeBounds.ofFault(drainKnown)
                : ChangeBounds.ofAct(drainKnown).withQuiesce(act.quiesces());
        Prediction prediction = Prediction.of(before, after, inForce, terms, parallel);
        if (wanted.congestion()) {
            prediction = prediction.with(CongestionChange.of(before, after, Samples.STANDARD, parallel));
        }
        return new Planned(wanted, act, routed.epoch(), prediction, "");
    }

    private static EntryMoves movesAfter(@Nullable Act act, FabricSnapshot fabric) {
        return act != null && (act.verb() == Verb.REBALANCE || act.verb() == Verb.ROLLBACK)
                ? act.moves()
                : fabric.intent().moves();
    }

    /**
     * The act that has the tables of an earlier epoch made again.
     *
     * @throws DeclinedException in a few words when they are not kept, or the fabric has not all that they use
     */
    public static Act rollback(FabricSnapshot fabric, long epoch) {
        return Rollback.act(fabric, epoch);
    }

    /** By which rows the switches forward: those they acknowledged. Who is drained, or cannot be told anything, goes on as it does. */
    private static RowsInForce inForce(FabricSnapshot fabric, FabricView works, BitSet drained) {
        List<List<LftRow>> rows = new ArrayList<>();
        BitSet untold = new BitSet();
        for (int s = 0; s < works.switchCount(); s++) {
            SwitchSnapshot record = fabric.findSwitch(works.switchGuid(s));
            LftRow held = record == null ? null : record.heldRow();
            rows.add(held == null ? List.of() : List.of(held));
            boolean told = record != null && record.agentConnected() && !record.agentSilent();
            untold.set(s, works.alive(s) && (drained.get(s) || !told));
        }
        return RowsInForce.of(works.nodeCount(), rows, untold);
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }
}

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.ChangeBounds;
import io.dmodc.manager.core.DrainMoves;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.routing.prediction.RoutedFabric;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Predicts what an act or a loss would do, from what was known at one moment: the tables are computed, checked and planned as they would be, away
 * from the loop and from the worker that heals, on a pool of its own. One at a time; who comes meanwhile waits.
 */
public final class ActPlanning implements AutoCloseable {
    private static final String NOT_FOR_GRIDS = "acts and losses are not predicted for the tables of a grid";

    private final EngineChoice engines;
    private final boolean drainKnown;
    private final ForkJoinPool pool;
    private final Parallel parallel;
    private final ReentrantLock one = new ReentrantLock();

    /**
     * @param drainKnown whether it is known how long a packet may stay in the fabric
     * @param threads workers of the pool, at least 1
     */
    public ActPlanning(EngineChoice engines, boolean drainKnown, int threads) {
        this.engines = engines;
        this.drainKnown = drainKnown;
        pool = new ForkJoinPool(threads);
        parallel = threads == 1 ? Parallel.sequential() : Parallel.on(pool);
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
     */
    public record Wanted(@Nullable Act act, List<PortPlace> objects, boolean congestion) {
        public Wanted {
            objects = List.copyOf(objects);
        }
    }

    /**
     * What was predicted.
     *
     * @param epoch the one it was planned for
     * @param prediction {@code null} if there would be no tables, or there are none to begin with
     * @param problem why there would be none; else empty
     */
    public record Planned(
            Wanted wanted, long epoch, @Nullable Prediction prediction, String problem) {
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
            return new Planned(wanted, fabric.epoch(), null, "");
        }
        if (works == null || routed == null || none) {
            throw new DeclinedException("tables are being computed; ask again in a moment");
        }
        if (!(inForce instanceof LftSet tables)) {
            throw new DeclinedException(NOT_FOR_GRIDS);
        }
        one.lock();
        try {
            return plan(fabric, wanted, new RoutedFabric(works, routed, tables));
        } finally {
            one.unlock();
        }
    }

    private Planned plan(FabricSnapshot fabric, Wanted wanted, RoutedFabric before) {
        Act act = wanted.act();
        FabricView works = act == null ? IntentSnapshot.without(wanted.objects(), before.works()) : before.works();
        Set<PortPlace> drained = new LinkedHashSet<>(fabric.intent().drained());
        if (act != null && act.isOfIdentity()) {
            works = RedrawnFabric.after(act, works);
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
        FabricView routed = IntentSnapshot.without(drained, works);
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
            return new Planned(wanted, routed.epoch(), null, why);
        }
        if (act != null && act.verb() == Verb.ROLLBACK) {
            Rollback.requireSame(fabric, Long.parseLong(act.epoch()), works, tables);
        }
        RoutedFabric after = new RoutedFabric(works, routed, tables);
        RowsInForce inForce = inForce(fabric, works, IntentSnapshot.switches(drained, works));
        ChangeTerms terms = act == null
                ? ChangeBounds.ofFault(drainKnown)
                : ChangeBounds.ofAct(drainKnown).withQuiesce(act.quiesces());
        Prediction prediction = Prediction.of(before, after, inForce, terms, parallel);
        if (wanted.congestion()) {
            prediction = prediction.with(CongestionChange.of(before, after, Samples.STANDARD, parallel));
        }
        return new Planned(wanted, routed.epoch(), prediction, "");
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
        pool.shutdownNow();
    }
}

package io.dmodc.manager.loop;

import io.dmodc.manager.core.Detours;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.Effect.TablesInForce;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.LaidMoves;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.manager.core.PlannedChange;
import io.dmodc.manager.core.PlannedTable;
import io.dmodc.manager.loop.HeldRowFit.Fitted;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableWatch;
import io.dmodc.routing.check.TurnTableCheck;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.MovedRows;
import io.dmodc.routing.rebalance.MovedRows.Laid;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes one epoch after the other, lays moved entries over, checks the tables, makes them fit switches that cannot be told anything, adds up their digests, and plans in what
 * order they replace what switches hold. Keeps what it found, so that a fault costs what it changes. Asked for a fresh start it forgets all of that
 * but the plans, which rest on every cable that was ever seen; the fall-back engine keeps nothing. For one thread at a time.
 */
public final class TableComputation {
    private static final Logger LOG = LoggerFactory.getLogger(TableComputation.class);

    private final Function<String, CheckedEngine> engines;
    private final @Nullable RoutingEngine fallback;
    private final Parallel parallel;

    /** By its name, the engine that computed last; empty for that of the settings. */
    private String chosen = "";

    private CheckedEngine own;

    // What is kept from epoch to epoch.
    private Rerouter rerouter;
    private TableWatch watch = new TableWatch();
    private RowDigests rowDigests = new RowDigests();
    private MovedRows movedRows = new MovedRows();
    private final ChangePlanning planning = new ChangePlanning();

    /** @param ownSurplus whether the engine may write entries where no legal path exists */
    public TableComputation(RoutingEngine engine, SurplusEntryRule ownSurplus, Parallel parallel) {
        this(engine, ownSurplus, null, parallel);
    }

    /** @param fallback computes what is asked of the fall-back engine */
    public TableComputation(
            RoutingEngine engine, SurplusEntryRule ownSurplus, @Nullable RoutingEngine fallback, Parallel parallel) {
        this(name -> new CheckedEngine(engine, ownSurplus), fallback, parallel);
    }

    /**
     * @param engines by name; that of the empty name is the one of the settings
     * @param fallback computes what is asked of the fall-back engine
     */
    public TableComputation(
            Function<String, CheckedEngine> engines, @Nullable RoutingEngine fallback, Parallel parallel) {
        this.engines = engines;
        this.fallback = fallback;
        this.parallel = parallel;
        own = engines.apply(chosen);
        rerouter = own.engine().rerouter();
    }

    /**
     * Routes one view and checks the tables; never fails.
     *
     * @param clock nanoseconds, as the loop counts them
     */
    public Routed compute(Effect.Compute compute, LongSupplier clock) {
        FabricView view = compute.view();
        try {
            boolean another = !compute.engine().equals(chosen);
            if (another) {
                own = engines.apply(compute.engine());
                chosen = compute.engine();
            }
            if (another || compute.method() != Method.INCREMENTAL) {
                rerouter = own.engine().rerouter();
                watch = new TableWatch();
                rowDigests = new RowDigests();
                movedRows = new MovedRows();
            }
            long started = clock.getAsLong();
            RoutingResult result = route(view, compute.method());
            long routed = clock.getAsLong();
            Tables wanted = result.made();
            if (wanted == null) {
                return new Routed(routed, view.epoch(), result, new long[0], null, routed - started, 0);
            }
            Proved proved =
                    wanted instanceof LftSet lfts ? proveMoved(compute, lfts) : prove(compute, (TurnTableSet) wanted);
            long checked = clock.getAsLong();
            Fitted fitted = proved.fitted;
            long[] digests = rowDigests.of(fitted.tables(), parallel);
            PlannedChange change = !proved.report.valid()
                    ? PlannedChange.NONE
                    : planning.plan(
                            compute.works(),
                            compute.inForce(),
                            fitted.tables(),
                            digests,
                            proved.notRight,
                            compute.terms(),
                            parallel,
                            clock);
            return new Routed(
                    clock.getAsLong(),
                    view.epoch(),
                    with(result, fitted.tables()),
                    digests,
                    proved.report,
                    detours(fitted, digests),
                    change,
                    proved.moves,
                    routed - started,
                    checked - routed);
        } catch (RuntimeException e) {
            LOG.error("defect: epoch {} could not be routed", view.epoch(), e);
            RoutingResult failed = new RoutingResult.Unroutable("defect in the engine: " + e);
            return new Routed(clock.getAsLong(), view.epoch(), failed, new long[0], null, 0, 0);
        }
    }

    /**
     * What a check found.
     *
     * @param fitted as wanted, if they do not pass
     * @param notRight columns with an entry that is not right
     * @param moves that are in the tables
     */
    private record Proved(CheckReport report, Fitted fitted, BitSet notRight, LaidMoves moves) {}

    /** Where they pass only without moves, they are without them. */
    private Proved proveMoved(Effect.Compute compute, LftSet wanted) {
        Laid laid = movedRows.lay(compute.view(), wanted, compute.moves());
        Proved proved = prove(compute, laid.tables(), new LaidMoves(laid.moves(), ""));
        if (proved.report.valid() || laid.moves().isEmpty()) {
            return proved;
        }
        String why = proved.report.failures().get(0).property().claim();
        Proved without = prove(compute, wanted, new LaidMoves(EntryMoves.NONE, why));
        if (without.report.valid()) {
            LOG.error("defect: the check refuses epoch {} only with moved entries: {}", wanted.epoch(), why);
        }
        return without;
    }

    private Proved prove(Effect.Compute compute, LftSet wanted, LaidMoves moves) {
        FabricView view = compute.view();
        SurplusEntryRule surplus = compute.method() == Method.FALLBACK ? SurplusEntryRule.NOTED : own.surplus();
        CheckReport report = watch.check(view, wanted, surplus, parallel);
        BitSet notRight = watch.notRight();
        Fitted fitted = report.valid()
                ? HeldRowFit.fit(
                        view,
                        compute.works(),
                        wanted,
                        notRight,
                        heldRows(compute, wanted),
                        compute.refused(),
                        drainedRows(compute))
                : new Fitted(wanted, Detours.NONE, new BitSet(), Map.of());
        notRight.or(fitted.changed());
        return new Proved(report, fitted, notRight, moves);
    }

    /** What those may hold that cannot be told anything. */
    private static Map<Integer, List<LftRow>> heldRows(Effect.Compute compute, LftSet wanted) {
        Map<Integer, List<LftRow>> held = new TreeMap<>(compute.frozenRows());
        compute.heldCounts().forEach((s, count) -> {
            List<LftRow> rows = new ArrayList<>(held.getOrDefault(s, List.of()));
            rows.add(wanted.row(s).fittedTo(count));
            held.put(s, rows);
        });
        return held;
    }

    private static Map<Integer, List<LftRow>> drainedRows(Effect.Compute compute) {
        TablesInForce inForce = compute.inForce();
        Map<Integer, List<LftRow>> drained = new TreeMap<>();
        if (inForce != null) {
            inForce.untold().stream()
                    .filter(s -> !compute.frozenRows().containsKey(s)
                            && !inForce.rows().get(s).isEmpty())
                    .forEach(s -> drained.put(s, inForce.rows().get(s)));
        }
        return drained;
    }

    /** These are not made to fit what headless switches hold: by that no packet turns, but some may be lost, and nobody looks whether any are. */
    private Proved prove(Effect.Compute compute, TurnTableSet wanted) {
        CheckReport report = TurnTableCheck.check(compute.view(), wanted, parallel);
        Detours detours = compute.allTold() ? Detours.NONE : new Detours(List.of(), 0, LostPairs.UNLOOKED, Map.of());
        return new Proved(report, new Fitted(wanted, detours, new BitSet(), Map.of()), new BitSet(), LaidMoves.NONE);
    }

    private static Detours detours(Fitted fitted, long[] digests) {
        Map<Integer, PlannedTable> asWanted = new TreeMap<>();
        fitted.asWanted().forEach((s, row) -> {
            long digest = RowDigests.exchanged(digests[s], fitted.tables().row(s), row);
            asWanted.put(s, new PlannedTable(1, row, digest));
        });
        Detours led = fitted.detours();
        return new Detours(led.around(), led.destinations(), led.lost(), asWanted);
    }

    private RoutingResult route(FabricView view, Method method) {
        if (method != Method.FALLBACK) {
            return rerouter.route(view, parallel);
        }
        return fallback == null ? new RoutingResult.Unroutable("no fall-back engine") : fallback.route(view, parallel);
    }

    private static RoutingResult with(RoutingResult result, Tables tables) {
        return result instanceof RoutingResult.Partial partial
                ? new RoutingResult.Partial(
                        tables, partial.cutOffLeaves(), partial.unreachableLeafPairs(), partial.upperPairs())
                : new RoutingResult.Complete(tables);
    }
}

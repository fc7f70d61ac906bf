package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableWatch;
import io.dmodc.topology.FabricView;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes one epoch after the other, checks the tables and adds up their digests. Keeps what it found, so that a fault
 * costs what it changes. For one thread at a time.
 */
public final class TableComputation {
    private static final Logger LOG = LoggerFactory.getLogger(TableComputation.class);

    private final Rerouter rerouter;
    private final SurplusEntryRule ownSurplus;
    private final Parallel parallel;
    private final TableWatch watch = new TableWatch();
    private final RowDigests rowDigests = new RowDigests();

    /** @param ownSurplus whether the engine may write entries where no legal path exists */
    public TableComputation(RoutingEngine engine, SurplusEntryRule ownSurplus, Parallel parallel) {
        this.rerouter = engine.rerouter();
        this.ownSurplus = ownSurplus;
        this.parallel = parallel;
    }

    /**
     * Routes one view and checks the tables; never fails.
     *
     * @param clock nanoseconds, as the loop counts them
     */
    public Routed compute(Effect.Compute compute, LongSupplier clock) {
        FabricView view = compute.view();
        try {
            long started = clock.getAsLong();
            RoutingResult result = rerouter.route(view, parallel);
            long routed = clock.getAsLong();
            LftSet tables = result.tables();
            if (tables == null) {
                return new Routed(routed, view.epoch(), result, new long[0], null, routed - started, 0);
            }
            CheckReport report = check(view, tables, compute.frozenRows());
            long checked = clock.getAsLong();
            long[] digests = rowDigests.of(tables, parallel);
            return new Routed(
                    clock.getAsLong(), view.epoch(), result, digests, report, routed - started, checked - routed);
        } catch (RuntimeException e) {
            LOG.error("defect: epoch {} could not be routed", view.epoch(), e);
            RoutingResult failed = new RoutingResult.Unroutable("defect in the engine: " + e);
            return new Routed(clock.getAsLong(), view.epoch(), failed, new long[0], null, 0, 0);
        }
    }

    /** A row that cannot be replaced now may keep an entry where the way has gone; the engine's own may not. */
    private CheckReport check(FabricView view, LftSet tables, Map<Integer, LftRow> frozenRows) {
        SurplusEntryRule surplus = frozenRows.isEmpty() ? ownSurplus : SurplusEntryRule.NOTED;
        return watch.check(view, mix(tables, frozenRows), surplus, parallel);
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
}

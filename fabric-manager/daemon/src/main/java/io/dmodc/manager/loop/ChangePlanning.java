package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect.TablesInForce;
import io.dmodc.manager.core.PlannedChange;
import io.dmodc.manager.core.PlannedTable;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.change.ChangeWatch;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.change.TurnChange;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans in what order the tables of each epoch replace what switches hold, and adds up the digests of what they are given on the way. A defect costs
 * the plan, not the tables. For one thread at a time.
 */
final class ChangePlanning {
    private static final Logger LOG = LoggerFactory.getLogger(ChangePlanning.class);

    /** Pieces of a plan that threads take: few, as the rows of one share what is alike. */
    private static final int PIECES = 8;

    /** Null before the first tables, and after a defect: what it knew of the cabling may be half done. */
    private @Nullable ChangeWatch watch;

    /**
     * Plans one change.
     *
     * @param inForce what switches of this view may forward by; {@code null} if nothing will be sent
     * @param digests of the rows of {@code tables}
     * @param notRight columns of {@code tables} with an entry that is not right
     * @param terms what the plan may cost
     */
    PlannedChange plan(
            FabricView view,
            @Nullable TablesInForce inForce,
            Tables tables,
            long[] digests,
            BitSet notRight,
            ChangeTerms terms,
            Parallel parallel,
            LongSupplier clock) {
        long started = clock.getAsLong();
        try {
            RowsInForce rows = inForce == null
                    ? null
                    : RowsInForce.of(tables.entryCount(), inForce.rows(), inForce.untold())
                            .withBatched(inForce.batched());
            ChangePlan plan = tables instanceof LftSet lfts
                    ? plan(view, rows, lfts, notRight, terms)
                    : plan(view, rows, (TurnTableSet) tables);
            if (inForce == null || rows == null || plan == null) {
                return PlannedChange.NONE;
            }
            return planned(view, plan, rows, inForce.untold(), tables, digests, parallel)
                    .after(clock.getAsLong() - started);
        } catch (RuntimeException e) {
            LOG.error("defect: the change of epoch {} could not be planned", view.epoch(), e);
            return PlannedChange.unplanned("defect in the plan: " + e, clock.getAsLong() - started);
        }
    }

    /** What is known of the cabling is kept up also where nothing is to be planned. */
    private @Nullable ChangePlan plan(
            FabricView view, @Nullable RowsInForce rows, LftSet tables, BitSet notRight, ChangeTerms terms) {
        ChangeWatch known = watch;
        watch = null;
        if (known == null) {
            // Switches may hold what was made for any fabric: by this manager, of which the plans are lost, or by
            // one before.
            known = new ChangeWatch(view, tables, notRight, true);
        }
        ChangePlan plan = rows == null ? null : known.plan(view, rows, tables, notRight, terms);
        watch = known;
        return plan;
    }

    private @Nullable ChangePlan plan(FabricView view, @Nullable RowsInForce rows, TurnTableSet tables) {
        watch = null;
        return rows == null ? null : TurnChange.plan(view, rows, tables);
    }

    private static PlannedChange planned(
            FabricView view,
            ChangePlan plan,
            RowsInForce rows,
            BitSet untold,
            Tables tables,
            long[] digests,
            Parallel parallel) {
        BitSet unknown = new BitSet();
        BitSet told = new BitSet();
        int strangers = 0;
        for (int s = 0; s < tables.switchCount(); s++) {
            if (rows.isUnknown(s) && view.alive(s)) {
                strangers++;
                unknown.set(s, untold.get(s));
            }
            if (plan.isOrdered(s)) {
                told.set(s, !untold.get(s));
            }
        }
        int[] switches = told.stream().toArray();
        List<List<PlannedTable>> given = new ArrayList<>(Collections.nCopies(switches.length, List.of()));
        parallel.forEach(PIECES, piece -> {
            LftRowBuilder builder = new LftRowBuilder();
            int end = (piece + 1) * switches.length / PIECES;
            for (int i = piece * switches.length / PIECES; i < end; i++) {
                given.set(i, tables(plan, switches[i], builder, tables, digests));
            }
        });
        Map<Integer, List<PlannedTable>> ordered = new HashMap<>();
        for (int i = 0; i < switches.length; i++) {
            ordered.put(switches[i], given.get(i));
        }
        return new PlannedChange(plan, ordered, (BitSet) untold.clone(), unknown, strangers, "", 0);
    }

    private static List<PlannedTable> tables(
            ChangePlan plan, int s, LftRowBuilder builder, Tables tables, long[] digests) {
        List<PlannedTable> given = new ArrayList<>();
        for (Step step : plan.steps(s, builder)) {
            long digest = RowDigests.exchanged(digests[s], tables.row(s), step.row());
            given.add(new PlannedTable(step.round(), step.row(), digest));
        }
        return given;
    }
}

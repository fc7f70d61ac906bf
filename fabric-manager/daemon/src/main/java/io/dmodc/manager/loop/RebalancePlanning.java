package io.dmodc.manager.loop;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.RebalanceRule.Policy;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.MovedRows;
import io.dmodc.routing.rebalance.Rebalance;
import io.dmodc.routing.rebalance.Rebalanced;
import io.dmodc.topology.FabricView;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Finds which entries to move, from what was known at one moment; one search at a time. A search ends with the pass in
 * which its time is over, and then has what was best until then. It takes three bytes for each switch and node, and 64 MiB: fabrics that
 * would take more than a quarter of the heap are declined.
 */
final class RebalancePlanning {
    /** Switches × nodes of the largest fabric that is looked at. */
    static final long BYTES_MAX = Runtime.getRuntime().maxMemory() / 12;

    private final long nanosMost;
    private final LongSupplier clock;

    /**
     * @param nanosMost after which no further pass begins
     * @param clock monotonic nanoseconds
     */
    RebalancePlanning(long nanosMost, LongSupplier clock) {
        this.nanosMost = nanosMost;
        this.clock = clock;
    }

    /**
     * What was found.
     *
     * @param moves all of them: none besides are moved
     */
    record Found(EntryMoves moves, Rebalanced rebalanced) {}

    /**
     * Looks for moves.
     *
     * @param tables of the engine for this view
     * @param blocks most that may differ from these; negative: as many as the settings say
     * @throws DeclinedException in a few words when nothing may be moved, or nothing is gained
     */
    Found find(
            FabricSnapshot fabric,
            RoutingEngine engine,
            FabricView view,
            LftSet tables,
            int blocks,
            Parallel parallel) {
        int most = blocksMost(fabric.rebalance(), tables, blocks);
        if (!(engine instanceof Dmodc dmodc)
                || engine.name().equals(Dmodc.plain().name())) {
            throw new DeclinedException(
                    "entries of " + engine.name() + " are not moved; expected engine dmodc or dmodc-strict");
        }
        long bytes = (long) tables.switchCount() * tables.entryCount();
        if (bytes > BYTES_MAX) {
            throw new DeclinedException(
                    tables.switchCount() + " switches x " + tables.entryCount() + " nodes would take "
                            + ((3 * bytes) >> 20) + " MiB; expected at most " + ((3 * BYTES_MAX) >> 20)
                            + " MiB, a quarter of the heap");
        }
        long end = clock.getAsLong() + nanosMost;
        BooleanSupplier enough = () -> clock.getAsLong() >= end;
        Rebalanced found = Rebalance.of(
                view, tables, dmodc.costsAndDividers(view, parallel), most, parallel, Progress.NONE, enough);
        return new Found(moves(view, tables, found), found);
    }

    /** @throws DeclinedException in a few words when nothing may be moved, or not so much */
    static int blocksMost(RebalanceRule rule, LftSet tables, int asked) {
        if (rule.policy() == Policy.OFF) {
            throw new DeclinedException("routing.rebalance is off");
        }
        int bound = rule.blocksMost() == 0 ? Integer.MAX_VALUE : rule.blocksMost();
        if (asked > bound) {
            throw new DeclinedException("blocks: " + asked + "; routing.rebalance-blocks allows " + bound);
        }
        return asked >= 0 ? asked : Math.min(bound, Rebalance.standardBlocks(tables));
    }

    /** Those that are seen to be choices by the rows alone: the others would be dropped at once. */
    private static EntryMoves moves(FabricView view, LftSet tables, Rebalanced found) {
        EntryMoves all;
        try {
            all = EntryMoves.between(view, tables, found.tables());
        } catch (IllegalArgumentException e) {
            throw new DeclinedException(e.getMessage() + "; ask for fewer blocks");
        }
        return new MovedRows().lay(view, tables, all).moves();
    }
}

package io.dmodc.routing.minhop.store;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.UnreachedLeaves;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.PortAssignment;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One routing that uses a {@link StoredState} as far as it holds and makes the next one.
 *
 * <p>Routes that hold are kept even where the min-hop tables had to be searched again, if they are on a shortest path
 * still; others take the least subscribed port. So a restart changes few entries, and tables depend on what was before.
 *
 * @param result as {@link MinHopEngine#route} gives it
 * @param switchTables towards switches; {@code null} when unroutable
 * @param next what to keep now; {@code null} when unroutable
 * @param remark what was done with the kept state, one line
 */
public record StoredRouting(
        RoutingResult result,
        @Nullable LftSet switchTables,
        @Nullable StoredState next,
        String remark) {

    /**
     * Routes.
     *
     * @param kept from the last time, if there is something
     */
    public static StoredRouting route(
            MinHopEngine engine, FabricView view, @Nullable StoredState kept, Parallel parallel) {
        CablingComparison comparison =
                kept == null || !kept.engine.equals(engine.name()) ? null : CablingComparison.of(kept, view);
        BitSet roots = roots(engine, view, comparison, parallel);
        Optional<Unroutable> unroutable = engine.unroutable(view, roots);
        if (unroutable.isPresent()) {
            return new StoredRouting(unroutable.get(), null, null, "nothing was kept");
        }
        String reason = reason(engine, kept, comparison, roots);
        MinHopTables minHops = comparison != null && reason.isEmpty()
                ? comparison.minHops()
                : engine.minHops(view, roots, TargetChoice.ALL, parallel);
        LftSet held = comparison == null ? null : comparison.routes(minHops);
        LftSet tables = PortAssignment.nodes(view, minHops, held, parallel);
        return new StoredRouting(
                UnreachedLeaves.verdict(view, minHops::joins, tables),
                PortAssignment.switches(view, minHops, tables, parallel),
                StoredState.of(engine.name(), view, roots, minHops, tables),
                reason.isEmpty() ? "kept min-hop tables are used" : "min-hop tables are made anew: " + reason);
    }

    private static BitSet roots(
            MinHopEngine engine, FabricView view, @Nullable CablingComparison comparison, Parallel parallel) {
        return comparison != null && comparison.rootsHold() && engine.findsRoots()
                ? comparison.roots()
                : engine.roots(view, parallel);
    }

    /** Why the kept min-hop tables are not used; empty if they are. */
    private static String reason(
            MinHopEngine engine, @Nullable StoredState kept, @Nullable CablingComparison comparison, BitSet roots) {
        if (kept == null) {
            return "none were kept";
        }
        if (comparison == null) {
            return "the kept ones are of engine " + kept.engine + ", not " + engine.name();
        }
        return comparison.minHopsHold() && !comparison.roots().equals(roots)
                ? "the roots are others"
                : comparison.invalidity();
    }
}

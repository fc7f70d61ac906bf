package io.dmodc.routing.minhop;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.UnreachedLeaves;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.Optional;

/** An engine in two halves: min-hop tables, which may be kept between runs, and ports assigned from them. */
public interface MinHopEngine extends RoutingEngine {
    /** Switch indices this engine starts from, found in or named for a view; empty for an engine without roots. */
    BitSet roots(FabricView view, Parallel parallel);

    /** True if {@link #roots} searches for them, so that keeping what it found saves work. */
    boolean findsRoots();

    /** Why nothing can be routed from these roots, if so. */
    Optional<String> obstacle(FabricView view, BitSet roots);

    /** The same as a result; also where there is nothing to route between. */
    default Optional<Unroutable> unroutable(FabricView view, BitSet roots) {
        return obstacle(view, roots)
                .map(reason -> new Unroutable(reason, findsRoots()))
                .or(() -> UnreachedLeaves.noLeaf(view).map(Unroutable::new));
    }

    /** The first half. */
    MinHopTables minHops(FabricView view, BitSet roots, TargetChoice targets, Parallel parallel);

    /**
     * {@inheritDoc}
     *
     * <p>Unroutable: no leaf is alive, or no root is known.
     */
    @Override
    default RoutingResult route(FabricView view, Parallel parallel) {
        BitSet roots = roots(view, parallel);
        Optional<Unroutable> unroutable = unroutable(view, roots);
        if (unroutable.isPresent()) {
            return unroutable.get();
        }
        MinHopTables minHops = minHops(view, roots, TargetChoice.WITH_NODES, parallel);
        return UnreachedLeaves.verdict(view, minHops::joins, PortAssignment.nodes(view, minHops, null, parallel));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if no root is known
     */
    @Override
    default LftSet routeSwitches(FabricView view, Parallel parallel) {
        BitSet roots = roots(view, parallel);
        obstacle(view, roots).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        MinHopTables minHops = minHops(view, roots, TargetChoice.ALL, parallel);
        return PortAssignment.switches(view, minHops, PortAssignment.nodes(view, minHops, null, parallel), parallel);
    }
}

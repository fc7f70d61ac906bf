package io.dmodc.routing.updown;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * OpenSM's engine {@code updn}: shortest up–down paths, spread as {@code minhop} spreads its own.
 *
 * <p>Up is towards the roots: those an operator named, or else those {@link RootFinder} finds. Routes never climb after
 * they descended, so away from cables between roots no cycle of channels can close.
 *
 * <p><b>Sources.</b> (1) Zahavi and Kalka, OpenSM Unicast Routing Enhancements for Scalability, sections 3.2 and 4. (2)
 * OpenSM 3.3.23 for thresholds, order and ties. (3) docs/algorithms/opensm-engines.md for the readings.
 */
public final class UpDown implements MinHopEngine {
    private final @Nullable RootGuids named;

    /** @param named the roots; {@code null} to find them in each view */
    public UpDown(@Nullable RootGuids named) {
        this.named = named;
    }

    @Override
    public String name() {
        return "updn";
    }

    @Override
    public BitSet roots(FabricView view, Parallel parallel) {
        return named == null ? RootFinder.find(view, parallel) : named.switches(view);
    }

    @Override
    public boolean findsRoots() {
        return named == null;
    }

    @Override
    public Optional<String> obstacle(FabricView view, BitSet roots) {
        if (!roots.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                named == null
                        ? "no root found: from no switch are nodes nearly all equally far; name the roots"
                        : "none of the named roots is a live switch of this fabric");
    }

    @Override
    public MinHopTables minHops(FabricView view, BitSet roots, TargetChoice targets, Parallel parallel) {
        return MinHopTables.search(view, targets, new UpDownPaths(view, new RootRanks(view, roots)), parallel);
    }
}

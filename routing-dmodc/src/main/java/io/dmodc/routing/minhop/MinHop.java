package io.dmodc.routing.minhop;

import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.Optional;

/**
 * OpenSM's engine {@code minhop}: a shortest path to every destination, whatever the cabling.
 *
 * <p>It knows no up and no down, so on a fabric that is no tree its routes can close a cycle and deadlock; on a
 * fat-tree that lost links they are up–down wherever a shortest path is.
 *
 * <p><b>Cost.</b> Min-hop tables O(T·links), tables O(S·N·P); all independent by target, then by switch.
 *
 * <p><b>Sources.</b> (1) Zahavi and Kalka, OpenSM Unicast Routing Enhancements for Scalability, 2005. (2) OpenSM 3.3.23
 * for order and ties. (3) docs/algorithms/opensm-engines.md for the readings.
 */
public final class MinHop implements MinHopEngine {
    @Override
    public String name() {
        return "minhop";
    }

    @Override
    public BitSet roots(FabricView view, Parallel parallel) {
        return new BitSet();
    }

    @Override
    public boolean findsRoots() {
        return false;
    }

    @Override
    public Optional<String> obstacle(FabricView view, BitSet roots) {
        return Optional.empty();
    }

    @Override
    public MinHopTables minHops(FabricView view, BitSet roots, TargetChoice targets, Parallel parallel) {
        return minHops(view, targets, parallel);
    }

    /** Min-hop tables over all live links. */
    public static MinHopTables minHops(FabricView view, TargetChoice targets, Parallel parallel) {
        return MinHopTables.search(view, targets, new ShortestPaths(view), parallel);
    }
}

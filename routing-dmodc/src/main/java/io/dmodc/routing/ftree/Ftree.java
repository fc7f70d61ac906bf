package io.dmodc.routing.ftree;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.UnreachedLeaves;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * OpenSM's engine {@code ftree}: on a fat-tree as it should be, shifts of all-to-all traffic meet nowhere.
 *
 * <p>Without named roots the tree has to be regular. With them switches and cables may be missing, as long as all leaves
 * are as many hops from a root. All hosts are compute nodes, aggregation nodes are none; no way goes down and up again.
 *
 * <p>The part of the fabric with most nodes has to be a tree. Other parts are routed each in itself; in one that is no
 * tree only the nodes of the same switch reach each other.
 *
 * <p><b>Cost.</b> O(links) a node, on one thread. <b>Sources.</b> (1) Zahavi, Johnson, Kerbyson, Lang: Optimized InfiniBand
 * fat-tree routing for shift all-to-all communication patterns, 2010. (2) OpenSM 3.3.23 for order, ties and what it takes
 * for a tree. (3) docs/algorithms/opensm-engines.md for the readings.
 */
public final class Ftree implements RoutingEngine {
    private final @Nullable RootGuids named;

    /** @param named the roots; {@code null} to take the switches that are farthest from hosts, in a regular tree */
    public Ftree(@Nullable RootGuids named) {
        this.named = named;
    }

    @Override
    public String name() {
        return "ftree";
    }

    /**
     * {@inheritDoc}
     *
     * <p>Unroutable: no leaf is alive, or the greatest part is no tree.
     */
    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        Optional<String> noLeaf = UnreachedLeaves.noLeaf(view);
        if (noLeaf.isPresent()) {
            return new RoutingResult.Unroutable(noLeaf.get());
        }
        LeafHosts hosts = new LeafHosts(view);
        byte[][] rows = rows(view.switchCount(), view.nodeCount());
        try {
            for (Tree tree : trees(view, hosts)) {
                new TreeRouting(view, hosts, tree).toNodes(rows);
            }
        } catch (NoFatTreeException e) {
            return new RoutingResult.Unroutable(e.reason(), e.rootsWanted);
        }
        withOwnNodes(view, hosts, rows);
        LftSet tables = new LftSet(view.epoch(), view.nodeCount(), rows);
        return UnreachedLeaves.verdict(
                view,
                (from, to) -> from == to
                        || !hosts.isLeaf(to)
                        || tables.port(from, hosts.nodes[hosts.start[to]]) != LftSet.NO_ROUTE,
                tables);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException where nodes are unroutable
     */
    @Override
    public LftSet routeSwitches(FabricView view, Parallel parallel) {
        LeafHosts hosts = new LeafHosts(view);
        byte[][] counted = rows(view.switchCount(), view.nodeCount());
        byte[][] rows = rows(view.switchCount(), view.switchCount());
        for (int s = 0; s < rows.length; s++) {
            rows[s][s] = 0;
        }
        try {
            for (Tree tree : trees(view, hosts)) {
                TreeRouting routing = new TreeRouting(view, hosts, tree);
                routing.toNodes(counted);
                routing.toSwitches(rows);
            }
        } catch (NoFatTreeException e) {
            throw new IllegalArgumentException(e.reason(), e);
        }
        return new LftSet(view.epoch(), view.switchCount(), rows);
    }

    private List<Tree> trees(FabricView view, LeafHosts hosts) throws NoFatTreeException {
        return Tree.ofParts(view, hosts, named == null ? null : named.switches(view));
    }

    private static byte[][] rows(int switches, int entries) {
        byte[][] rows = new byte[switches][entries];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        }
        return rows;
    }

    /** For the parts that are no trees; in others that is so already. */
    private static void withOwnNodes(FabricView view, LeafHosts hosts, byte[][] rows) {
        for (int s = 0; s < rows.length; s++) {
            for (int i = hosts.start[s]; i < hosts.start[s + 1]; i++) {
                rows[s][hosts.nodes[i]] = (byte) view.nodePort(hosts.nodes[i]);
            }
        }
        for (int node : hosts.aggregation) {
            rows[view.nodeSwitch(node)][node] = (byte) view.nodePort(node);
        }
    }
}

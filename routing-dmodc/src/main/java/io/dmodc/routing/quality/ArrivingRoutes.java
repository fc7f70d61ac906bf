package io.dmodc.routing.quality;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import org.jspecify.annotations.Nullable;

/**
 * The routes of tables that arrive.
 *
 * <p>Of each entry that a host's packet comes to it is known whether the packet would be dropped there or behind it,
 * would loop or would leave at another host. So whoever follows a route from a switch with hosts asks once, at its
 * start, and then walks without a test until it is at the destination's switch. Memory: the tables as they are, runs;
 * and one bit for each node, of switches with entries that lead nowhere.
 */
final class ArrivingRoutes {
    final RouteTrees trees;
    final Channels channels;
    /** Node index of a position. */
    final int[] node;
    /** Switch of a node index, −1 for a node that takes no part. */
    final int[] home;
    /** Live switches with nodes, and how many each has. */
    final int[] source;

    final int[] hosts;

    private final LftSet tables;

    /** By switch, the nodes it has an entry for that leads nowhere, as bits; null if there is none. */
    private final long[] @Nullable [] leadsNowhere;

    private long unroutedPairs;

    /** Nothing is known until {@link #settling} has seen the trees. */
    ArrivingRoutes(RouteTrees trees) {
        this.trees = trees;
        tables = trees.tables;
        NodePlaces places = trees.places;
        channels = places.channels;
        node = places.node;
        home = places.home;
        source = places.source;
        hosts = places.hosts;
        leadsNowhere = new long[hosts.length][];
    }

    /** Of all nodes that take part. */
    static ArrivingRoutes of(FabricView view, LftSet tables, Parallel parallel) {
        RouteTrees trees = new RouteTrees(view, tables);
        ArrivingRoutes routes = new ArrivingRoutes(trees);
        trees.forEach(trees.places.node, parallel, routes::settling);
        return routes;
    }

    /** True if packets from a node of switch {@code s} arrive at node {@code d}. */
    boolean arrives(int s, int d) {
        long[] nowhere = leadsNowhere[s];
        return tables.port(s, d) != LftSet.NO_ROUTE && (nowhere == null || (nowhere[d >> 6] >>> d & 1) == 0);
    }

    /**
     * The channel that a packet for {@code d} takes at {@code s}; only on a route that arrives, before its last switch.
     */
    int channel(int s, int d) {
        return channels.channel[s << 8 | tables.port(s, d)];
    }

    /** Ordered pairs of nodes whose route does not arrive. */
    long unroutedPairs() {
        return unroutedPairs;
    }

    int nodeCount() {
        return node.length;
    }

    /** Finds the entries that lead nowhere, if it sees the trees of all nodes that take part. */
    RouteTrees.Visitor settling() {
        return new Settling();
    }

    private final class Settling implements RouteTrees.Visitor {
        private long unrouted;

        @Override
        public void tree(RouteTree tree, int d) {
            if (tree.lostCount == 0) {
                return;
            }
            for (int i = 0; i < tree.lostCount; i++) {
                mark(tree, tree.lost[i], d);
            }
            SourceGroups groups = tree.groups();
            for (int group = 0; group < groups.count; group++) {
                if (!tree.arrives(groups.first(group))) {
                    for (int i = groups.start[group]; i < groups.start[group + 1]; i++) {
                        int s = groups.member[i];
                        mark(tree, s, d);
                        unrouted += hosts[s] - (home[d] == s ? 1 : 0);
                    }
                }
            }
        }

        /** Workers have spans of their own, and so words. */
        private void mark(RouteTree tree, int s, int d) {
            if (tree.port(s) != LftSet.NO_ROUTE) {
                bits(s)[d >> 6] |= 1L << d;
            }
        }

        @Override
        public void end() {
            unroutedPairs += unrouted;
        }
    }

    private synchronized long[] bits(int s) {
        long[] bits = leadsNowhere[s];
        if (bits == null) {
            bits = new long[(home.length + 63) / 64];
            leadsNowhere[s] = bits;
        }
        return bits;
    }
}

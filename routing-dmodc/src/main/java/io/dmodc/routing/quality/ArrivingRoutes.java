package io.dmodc.routing.quality;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.SpanEntries;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
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
    /** Most pieces the spans are cut into: each has scratch of its own. */
    private static final int PIECES = 64;

    final NodePlaces places;
    final Channels channels;
    /** Node index of a position. */
    final int[] node;
    /** Switch of a node index, −1 for a node that takes no part. */
    final int[] home;
    /** Live switches with nodes, and how many each has. */
    final int[] source;

    final int[] hosts;
    /** Ordered pairs of nodes whose route does not arrive. */
    final long unroutedPairs;

    private final LftSet tables;

    /** By switch, the nodes it has an entry for that leads nowhere, as bits; null if there is none. */
    private final long[] @Nullable [] leadsNowhere;

    ArrivingRoutes(FabricView view, LftSet tables, Parallel parallel) {
        this.tables = tables.requireNodesOf(view);
        places = new NodePlaces(view);
        channels = places.channels;
        node = places.node;
        home = places.home;
        source = places.source;
        hosts = places.hosts;
        leadsNowhere = new long[hosts.length][];
        AtomicLong unrouted = new AtomicLong();
        forEachTree(node, parallel, () -> new Settling(unrouted));
        unroutedPairs = unrouted.get();
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

    int nodeCount() {
        return node.length;
    }

    /** What becomes of the trees of a piece of the spans; one worker's own. */
    interface Trees {
        /** All packets to {@code d}. */
        void tree(RouteTree tree, int d);

        /** All trees of a span were seen. */
        default void spanEnds(RouteTree tree) {}

        /** All trees of the piece were seen; never called from two workers at a time. */
        void end();
    }

    /** Makes what sees a piece. */
    interface TreesMaker {
        Trees make();
    }

    /** How many pieces {@link #forEachTree} has. */
    int pieces() {
        return Math.min(PIECES, SpanEntries.spanCount(tables));
    }

    /**
     * Grows the trees of all routes to some nodes.
     *
     * @param to node indices, ascending, of nodes that take part
     */
    void forEachTree(int[] to, Parallel parallel, TreesMaker maker) {
        int spans = SpanEntries.spanCount(tables);
        int pieces = pieces();
        parallel.forEach(pieces, piece -> {
            Trees trees = maker.make();
            RouteTree tree = new RouteTree(places, tables);
            int end = (int) ((long) spans * (piece + 1) / pieces);
            for (int span = (int) ((long) spans * piece / pieces); span < end; span++) {
                growAll(span, to, tree, trees);
            }
            synchronized (this) {
                trees.end();
            }
        });
    }

    private static void growAll(int span, int[] to, RouteTree tree, Trees trees) {
        int first = firstFrom(to, span * LftRow.SPAN_COLUMNS);
        int end = firstFrom(to, (span + 1) * LftRow.SPAN_COLUMNS);
        if (first < end) {
            tree.begin(span);
            for (int i = first; i < end; i++) {
                tree.grow(to[i]);
                trees.tree(tree, to[i]);
            }
            trees.spanEnds(tree);
        }
    }

    private static int firstFrom(int[] ascending, int number) {
        int at = Arrays.binarySearch(ascending, number);
        return at < 0 ? -1 - at : at;
    }

    /** Finds the entries that lead nowhere. */
    private final class Settling implements Trees {
        private final AtomicLong total;
        private long unrouted;

        Settling(AtomicLong total) {
            this.total = total;
        }

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
            total.addAndGet(unrouted);
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

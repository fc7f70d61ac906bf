package io.dmodc.routing.quality;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.SpanEntries;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The trees of tables, one for each destination, grown whenever somebody wants to see them: span by span, in pieces, and
 * in a span those one after the other that have mostly the same switches.
 */
final class RouteTrees {
    /** Most pieces the spans are cut into: each has scratch of its own. */
    private static final int PIECES = 64;

    final NodePlaces places;
    final LftSet tables;

    RouteTrees(FabricView view, LftSet tables) {
        this.tables = tables.requireNodesOf(view);
        places = new NodePlaces(view);
    }

    /** Sees the trees of a piece; one worker's own. */
    interface Visitor {
        /** Of node {@code d}. */
        void tree(RouteTree tree, int d);

        /** All trees of a span were seen. */
        default void spanEnds(RouteTree tree) {}

        /** All trees of the piece were seen; never called from two workers at a time. */
        void end();
    }

    /** Both see each tree, one after the other. */
    static Visitor both(Visitor one, Visitor other) {
        return new Visitor() {
            @Override
            public void tree(RouteTree tree, int d) {
                one.tree(tree, d);
                other.tree(tree, d);
            }

            @Override
            public void spanEnds(RouteTree tree) {
                one.spanEnds(tree);
                other.spanEnds(tree);
            }

            @Override
            public void end() {
                one.end();
                other.end();
            }
        };
    }

    /** How many pieces {@link #forEach} has. */
    int pieces() {
        return Math.min(PIECES, SpanEntries.spanCount(tables));
    }

    /**
     * Grows the trees of all routes to some nodes.
     *
     * @param to node indices, ascending, of nodes that take part
     * @param visitors makes one for a piece
     */
    void forEach(int[] to, Parallel parallel, Supplier<Visitor> visitors) {
        int spans = SpanEntries.spanCount(tables);
        int pieces = pieces();
        parallel.forEach(pieces, piece -> {
            Visitor visitor = visitors.get();
            RouteTree tree = new RouteTree(places, tables);
            int end = (int) ((long) spans * (piece + 1) / pieces);
            for (int span = (int) ((long) spans * piece / pieces); span < end; span++) {
                growAll(span, to, tree, visitor);
            }
            synchronized (this) {
                visitor.end();
            }
        });
    }

    private static void growAll(int span, int[] to, RouteTree tree, Visitor visitor) {
        int first = firstFrom(to, span * LftRow.SPAN_COLUMNS);
        int end = firstFrom(to, (span + 1) * LftRow.SPAN_COLUMNS);
        if (first < end) {
            tree.begin(span);
            for (int d : tree.ordered(Arrays.copyOfRange(to, first, end))) {
                tree.grow(d);
                visitor.tree(tree, d);
            }
            visitor.spanEnds(tree);
        }
    }

    private static int firstFrom(int[] ascending, int number) {
        int at = Arrays.binarySearch(ascending, number);
        return at < 0 ? -1 - at : at;
    }
}

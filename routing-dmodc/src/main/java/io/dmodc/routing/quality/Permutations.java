package io.dmodc.routing.quality;

import io.dmodc.routing.traffic.TrafficPattern;
import java.util.SplittableRandom;

/**
 * Random permutations: node at position i sends to the node at position π(i); a node that would send to itself is
 * silent. Each has a seed of its own, drawn before any work starts, so that it is the same whatever thread makes it.
 */
final class Permutations implements Pattern {
    /** Patterns a worker takes at a time. */
    private static final int PIECE = 16;

    private final ArrivingRoutes routes;
    private final long[] seeds;

    Permutations(ArrivingRoutes routes, int count, long seed) {
        this.routes = routes;
        this.seeds = new SplittableRandom(seed).longs(count).toArray();
    }

    @Override
    public int count() {
        return seeds.length;
    }

    @Override
    public int pieceSize() {
        return PIECE;
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public void load(FlowSink sink, int i, boolean first) {
        int[] to = order(i);
        sink.clear();
        for (int from = 0; from < to.length; from++) {
            if (to[from] != from) {
                sink.add(routes.home[routes.node[from]], routes.node[to[from]]);
            }
        }
    }

    @Override
    public void forEachFlow(int first, int end, FlowVisitor visitor) {
        for (int i = first; i < end; i++) {
            int[] to = order(i);
            for (int from = 0; from < to.length; from++) {
                if (to[from] != from) {
                    visitor.flow(routes.home[routes.node[from]], routes.node[to[from]], i - first, i - first + 1);
                }
            }
        }
    }

    @Override
    public int number(int i) {
        return i + 1;
    }

    /** Position that each position sends to in permutation {@code i}. */
    int[] order(int i) {
        return TrafficPattern.permutation(routes.nodeCount(), seeds[i]);
    }
}

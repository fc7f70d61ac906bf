package io.dmodc.routing.traffic;

import io.dmodc.topology.FabricView;
import java.util.stream.IntStream;

/**
 * The nodes that take part in traffic: those with a host on a live switch, in index order.
 *
 * <p>Each has a position 0..{@link #count}−1; patterns speak of positions, tables of node indices. Immutable, safe to
 * share between threads.
 */
public final class Endpoints {
    private final int[] node;
    private final int[] home;

    public Endpoints(FabricView view) {
        node = IntStream.range(0, view.nodeCount())
                .filter(d -> view.isHost(d) && view.alive(view.nodeSwitch(d)))
                .toArray();
        home = IntStream.of(node).map(view::nodeSwitch).toArray();
    }

    /** How many take part. */
    public int count() {
        return node.length;
    }

    /** Node index of a position. */
    public int node(int position) {
        return node[position];
    }

    /** Switch the node of a position is cabled to. */
    public int home(int position) {
        return home[position];
    }
}

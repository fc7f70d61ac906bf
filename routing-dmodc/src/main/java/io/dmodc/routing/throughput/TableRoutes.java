package io.dmodc.routing.throughput;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;

/**
 * The routes of linear forwarding tables: one for each source switch and destination.
 *
 * <p>A channel is a port of a switch, {@code base(s) + port − 1}; ports to hosts are channels that no route uses, since
 * nodes neither send nor receive more than a link carries in any {@link io.dmodc.routing.traffic.TrafficPattern}.
 */
public final class TableRoutes implements FlowRoutes {
    private final FabricView view;
    private final LftSet tables;
    private final int[] base;
    private final int[] way;

    /**
     * Takes tables.
     *
     * @param tables towards nodes, whoever made them
     * @throws IllegalArgumentException if the tables have another size than the view
     */
    public TableRoutes(FabricView view, LftSet tables) {
        this.view = view;
        this.tables = tables.requireNodesOf(view);
        base = new int[view.switchCount() + 1];
        for (int s = 0; s < view.switchCount(); s++) {
            base[s + 1] = base[s] + view.portCount(s);
        }
        way = new int[view.switchCount()];
    }

    @Override
    public int channelCount() {
        return base[view.switchCount()];
    }

    @Override
    public int whole() {
        return 1;
    }

    /** A way of more hops than there are switches has come to one of them twice. */
    @Override
    public boolean add(int s, int node, RouteShares into) {
        int hops = 0;
        int at = s;
        while (at != view.nodeSwitch(node)) {
            int port = tables.port(at, node);
            int next = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
            if (next < 0 || hops == way.length) {
                return false;
            }
            way[hops++] = base[at] + port - 1;
            at = next;
        }
        if (tables.port(at, node) != view.nodePort(node)) {
            return false;
        }
        for (int i = 0; i < hops; i++) {
            into.add(way[i], 1);
        }
        return true;
    }
}

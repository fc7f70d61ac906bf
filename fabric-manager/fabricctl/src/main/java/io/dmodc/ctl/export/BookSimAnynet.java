package io.dmodc.ctl.export;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A fabric and its tables for BookSim2's {@code anynet}: what it reads of a network, and a routing table a router.
 *
 * <p>Routers are the live switches in index order. BookSim2 knows one cable between two routers, so each further one
 * leads over a relay, a router with two ports; relays come after the switches, in the order of the lower switch and its
 * port. Nodes are the positions of {@link Endpoints}. A next hop is a neighbour's number, {@code -1} for a node of the
 * router's own, {@code -2} where there is no route. Latencies are BookSim2's usual ones.
 */
public final class BookSimAnynet {
    private static final int LOCAL = -1;
    private static final int NO_ROUTE = -2;

    /** A further cable between two switches, and the router in its middle. */
    private record Relay(int s, int port, int far, int farPort) {}

    private final FabricView view;
    private final Endpoints nodes;
    private final LftSet tables;
    /** Router of a switch, −1 for a dead one. */
    private final int[] router;

    private final List<Relay> relays = new ArrayList<>();
    /** Router at the far end of a cable, by {@code s << 8 | port}. */
    private final Map<Integer, Integer> next = new HashMap<>();

    public BookSimAnynet(FabricView view, Endpoints nodes, LftSet tables) {
        this.view = view;
        this.nodes = nodes;
        this.tables = tables;
        router = new int[view.switchCount()];
        int live = 0;
        for (int s = 0; s < router.length; s++) {
            router[s] = view.alive(s) ? live++ : -1;
        }
        for (int s = 0; s < router.length; s++) {
            connect(s, live);
        }
    }

    private void connect(int s, int live) {
        boolean[] met = new boolean[router.length];
        for (int port = 1; port <= view.portCount(s); port++) {
            int far = view.peerSwitch(s, port);
            if (far < s) {
                continue;
            }
            int farPort = view.peerPort(s, port);
            if (met[far]) {
                next.put(s << 8 | port, live + relays.size());
                next.put(far << 8 | farPort, live + relays.size());
                relays.add(new Relay(s, port, far, farPort));
            } else {
                next.put(s << 8 | port, router[far]);
                next.put(far << 8 | farPort, router[s]);
            }
            met[far] = true;
        }
    }

    /** Writes what {@code network_file} is to name. */
    public void writeNetwork(Appendable out) throws IOException {
        for (int s = 0; s < router.length; s++) {
            if (router[s] >= 0) {
                out.append("router ").append(String.valueOf(router[s]));
                for (int i = 0; i < nodes.count(); i++) {
                    out.append(nodes.home(i) == s ? " node " + i : "");
                }
                for (int port = 1; port <= view.portCount(s); port++) {
                    Integer far = next.get(s << 8 | port);
                    out.append(far == null ? "" : " router " + far);
                }
                out.append('\n');
            }
        }
        int id = (int) Arrays.stream(router).filter(r -> r >= 0).count();
        for (Relay relay : relays) {
            out.append("router " + id++ + " router " + router[relay.s] + " router " + router[relay.far] + "\n");
        }
    }

    /** Writes one line a router: {@code lft}, its number, the next hop to each node. */
    public void writeRoutes(Appendable out) throws IOException {
        for (int s = 0; s < router.length; s++) {
            if (router[s] >= 0) {
                out.append("lft ").append(String.valueOf(router[s]));
                for (int i = 0; i < nodes.count(); i++) {
                    out.append(' ').append(String.valueOf(hop(s, i)));
                }
                out.append('\n');
            }
        }
        int id = (int) Arrays.stream(router).filter(r -> r >= 0).count();
        for (Relay relay : relays) {
            out.append("lft ").append(String.valueOf(id++));
            for (int i = 0; i < nodes.count(); i++) {
                out.append(' ').append(String.valueOf(hop(relay, i)));
            }
            out.append('\n');
        }
    }

    private int hop(int s, int position) {
        int port = tables.port(s, nodes.node(position));
        if (nodes.home(position) == s) {
            return port == view.nodePort(nodes.node(position)) ? LOCAL : NO_ROUTE;
        }
        return next.getOrDefault(s << 8 | port, NO_ROUTE);
    }

    /** Onwards from the end that sends this way; tables that send both ways loop, whatever is written. */
    private int hop(Relay relay, int position) {
        int node = nodes.node(position);
        if (tables.port(relay.s, node) == relay.port) {
            return router[relay.far];
        }
        return tables.port(relay.far, node) == relay.farPort ? router[relay.s] : NO_ROUTE;
    }
}

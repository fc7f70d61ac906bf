package io.dmodc.routing.cycles;

import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * The fabric as the simulator sees it: places and what they lead to.
 *
 * <p>A <b>place</b> is a port of a switch, {@code base[s] + port − 1}, at once an input and an output; after those of
 * switches, place {@code switchPlaces + i} is the output of the node at position i. Places of a switch are neighbours.
 */
final class Wiring {
    /** First place of a switch; one more entry ends the last one. */
    final int[] base;
    /** Switch of a place. */
    final int[] switchOf;

    final int switchPlaces;
    /** Input place that an output leads to; −1 to a node or to nothing. */
    final int[] to;
    /** Output place that feeds an input; −1 where nothing does. */
    final int[] from;
    /** Node index that an output of a switch leads to; −1 to a switch or to nothing. */
    final int[] toNode;

    Wiring(FabricView view, Endpoints nodes) {
        base = new int[view.switchCount() + 1];
        for (int s = 0; s < view.switchCount(); s++) {
            base[s + 1] = base[s] + view.portCount(s);
        }
        switchPlaces = base[view.switchCount()];
        switchOf = new int[switchPlaces];
        to = new int[switchPlaces + nodes.count()];
        from = new int[switchPlaces];
        toNode = new int[switchPlaces];
        Arrays.fill(to, -1);
        Arrays.fill(from, -1);
        Arrays.fill(toNode, -1);
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int place = base[s] + port - 1;
                int peer = view.peerSwitch(s, port);
                switchOf[place] = s;
                if (peer >= 0) {
                    to[place] = base[peer] + view.peerPort(s, port) - 1;
                    from[to[place]] = place;
                }
            }
        }
        for (int i = 0; i < nodes.count(); i++) {
            int place = base[nodes.home(i)] + view.nodePort(nodes.node(i)) - 1;
            toNode[place] = nodes.node(i);
            to[switchPlaces + i] = place;
            from[place] = switchPlaces + i;
        }
    }

    /** Port number of a switch's place. */
    int port(int place) {
        return place - base[switchOf[place]] + 1;
    }
}

package io.dmodc.routing.minhop;

import io.dmodc.routing.opensm.PacketOrder;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The order in which OpenSM gives destinations their ports. It decides who gets the emptier port, hence every entry.
 *
 * <p>Switches with more nodes come first; of as many, the one whose GUID is lower in {@link PacketOrder}. The nodes of a
 * switch follow its port numbers. Nodes without a live switch are left out.
 */
final class DestinationOrder {
    /** Switch indices with nodes, in order. */
    final int[] switches;

    /** Node indices, those of {@code switches[i]} from {@code base[i]} to before {@code base[i + 1]}. */
    final int[] nodes;

    final int[] base;

    DestinationOrder(FabricView view) {
        int[] nodeCount = new int[view.switchCount()];
        for (int node = 0; node < view.nodeCount(); node++) {
            if (isReachable(view, node)) {
                nodeCount[view.nodeSwitch(node)]++;
            }
        }
        switches = IntStream.range(0, nodeCount.length)
                .filter(s -> nodeCount[s] > 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(s -> -nodeCount[s])
                        .thenComparing(view::switchGuid, PacketOrder.GUIDS))
                .mapToInt(s -> s)
                .toArray();
        base = new int[switches.length + 1];
        nodes = new int[Arrays.stream(nodeCount).sum()];
        for (int i = 0; i < switches.length; i++) {
            base[i + 1] = base[i] + fill(view, switches[i], base[i]);
        }
    }

    private static boolean isReachable(FabricView view, int node) {
        return view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node));
    }

    private int fill(FabricView view, int s, int from) {
        int next = from;
        for (int port = 1; port <= view.portCount(s); port++) {
            if (view.peerNode(s, port) >= 0) {
                nodes[next++] = view.peerNode(s, port);
            }
        }
        return next - from;
    }
}

package io.dmodc.routing.ftree;

import io.dmodc.routing.opensm.PacketOrder;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** The hosts of each switch by ascending port number: those of switch {@code s} are {@code nodes[start[s]..start[s + 1])}. */
final class LeafHosts {
    private final FabricView view;
    final int[] start;
    final int[] nodes;

    /** Node indices of aggregation nodes on live switches, by GUID in {@link PacketOrder}. */
    final int[] aggregation;

    LeafHosts(FabricView view) {
        this.view = view;
        start = new int[view.switchCount() + 1];
        int[] found = new int[view.nodeCount()];
        int end = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            start[s] = end;
            for (int port = 1; port <= view.portCount(s) && view.alive(s); port++) {
                if (view.peerNode(s, port) >= 0 && view.isHost(view.peerNode(s, port))) {
                    found[end++] = view.peerNode(s, port);
                }
            }
        }
        start[view.switchCount()] = end;
        nodes = found;
        aggregation = aggregation(view);
    }

    private static int[] aggregation(FabricView view) {
        return IntStream.range(0, view.nodeCount())
                .filter(node -> view.nodeSwitch(node) >= 0 && !view.isHost(node))
                .filter(node -> view.alive(view.nodeSwitch(node)))
                .boxed()
                .sorted(Comparator.comparing(
                        node -> Objects.requireNonNull(view.host(node)).hostGuid(), PacketOrder.GUIDS))
                .mapToInt(node -> node)
                .toArray();
    }

    int count(int s) {
        return start[s + 1] - start[s];
    }

    boolean isLeaf(int s) {
        return count(s) > 0;
    }

    /** How many hosts a part has, whatever their ports; counted to two. */
    int countUpToTwo(LiveParts.Part part) {
        Set<Long> guids = new HashSet<>();
        for (int s : part.switches()) {
            for (int i = start[s]; i < start[s + 1] && guids.size() < 2; i++) {
                Host host = view.host(nodes[i]);
                guids.add(host == null ? view.nodeGuid(nodes[i]) : host.hostGuid());
            }
        }
        return guids.size();
    }
}

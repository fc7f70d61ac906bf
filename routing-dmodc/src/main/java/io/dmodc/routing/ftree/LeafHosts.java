package io.dmodc.routing.ftree;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.HashSet;
import java.util.Set;

/** The nodes of each switch by ascending port number: those of switch {@code s} are {@code nodes[start[s]..start[s + 1])}. */
final class LeafHosts {
    private final FabricView view;
    final int[] start;
    final int[] nodes;

    LeafHosts(FabricView view) {
        this.view = view;
        start = new int[view.switchCount() + 1];
        int[] found = new int[view.nodeCount()];
        int end = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            start[s] = end;
            for (int port = 1; port <= view.portCount(s) && view.alive(s); port++) {
                if (view.peerNode(s, port) >= 0) {
                    found[end++] = view.peerNode(s, port);
                }
            }
        }
        start[view.switchCount()] = end;
        nodes = found;
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

package io.dmodc.topology;

import io.dmodc.topology.FabricChange.ToHost;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the hosts of one {@link ResolvedCabling} are, by the indices of one {@link NodeIndexMap}. Nothing here depends
 * on what is up, so views share the arrays until a host is new or moves. Never changed once made.
 */
final class NodePlaces {
    private final NodeIndexMap nodes;
    private final int version;
    private final int[] peerNode;
    private final long[] nodeGuid;
    private final int[] nodeSwitch;
    private final byte[] nodePort;
    private final @Nullable Host[] nodeHost;
    private final BitSet aggregation = new BitSet();

    /** Hosts without an index are left out. */
    NodePlaces(ResolvedCabling cabling, NodeIndexMap nodes) {
        this.nodes = nodes;
        int nodeCount = nodes.size();
        version = nodes.version();
        peerNode = new int[cabling.portBase[cabling.switches.length]];
        nodeGuid = new long[nodeCount];
        nodeSwitch = new int[nodeCount];
        nodePort = new byte[nodeCount];
        nodeHost = new Host[nodeCount];
        Arrays.fill(peerNode, -1);
        Arrays.fill(nodeSwitch, -1);
        for (KnownSwitch s : cabling.switches) {
            for (int at = 0; at < s.up.length; at++) {
                if (s.neighbour[at] instanceof ToHost to) {
                    int node = nodes.indexOf(to.host().portGuid());
                    if (node < 0) {
                        continue;
                    }
                    peerNode[cabling.portBase[s.index] + at] = node;
                    nodeGuid[node] = to.host().portGuid();
                    nodeSwitch[node] = s.index;
                    nodePort[node] = (byte) (at + 1);
                    nodeHost[node] = to.host();
                    aggregation.set(node, to.host().isAggregation());
                }
            }
        }
    }

    /** True while the map is the same one and says the same. */
    boolean holdsFor(NodeIndexMap current) {
        return current == nodes && current.version() == version;
    }

    void copyTo(FabricTables t) {
        t.peerNode = peerNode;
        t.nodeGuid = nodeGuid;
        t.nodeSwitch = nodeSwitch;
        t.nodePort = nodePort;
        t.nodeHost = nodeHost;
        t.aggregation = aggregation;
    }
}

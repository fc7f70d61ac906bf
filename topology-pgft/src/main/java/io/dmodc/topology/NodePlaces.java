package io.dmodc.topology;

import io.dmodc.topology.FabricChange.ToHost;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the hosts of one {@link ResolvedCabling} are, by the indices of one {@link NodeIndexMap}. Nothing here depends
 * on what is up, so views share the arrays until a host is new or moves. Never changed once made; after a few hosts came,
 * went or moved the next one is a copy with these places looked at: no name is looked up but theirs.
 */
final class NodePlaces {
    private final NodeIndexMap nodes;
    private final int version;
    private final int[] peerNode;
    private final long[] nodeGuid;
    private final int[] nodeSwitch;
    private final byte[] nodePort;
    private final @Nullable Host[] nodeHost;
    private final BitSet aggregation;

    /** Some host is left out, because it has no index. */
    private boolean incomplete;

    /** Hosts without an index are left out. */
    NodePlaces(ResolvedCabling cabling, NodeIndexMap nodes) {
        this.nodes = nodes;
        int nodeCount = nodes.size();
        version = nodes.version();
        aggregation = new BitSet();
        peerNode = new int[cabling.portBase[cabling.switches.length]];
        nodeGuid = new long[nodeCount];
        nodeSwitch = new int[nodeCount];
        nodePort = new byte[nodeCount];
        nodeHost = new Host[nodeCount];
        Arrays.fill(peerNode, -1);
        Arrays.fill(nodeSwitch, -1);
        for (KnownSwitch s : cabling.switches) {
            for (int at = 0; at < s.up.length; at++) {
                put(s, at, cabling.portBase[s.index] + at);
            }
        }
    }

    /** @param some places that may lead to another host, or to one with another index */
    private NodePlaces(NodePlaces before, ResolvedCabling cabling, NodeIndexMap nodes, BitSet some) {
        this.nodes = nodes;
        int nodeCount = nodes.size();
        version = nodes.version();
        aggregation = (BitSet) before.aggregation.clone();
        peerNode = before.peerNode.clone();
        nodeGuid = Arrays.copyOf(before.nodeGuid, nodeCount);
        nodeSwitch = Arrays.copyOf(before.nodeSwitch, nodeCount);
        nodePort = Arrays.copyOf(before.nodePort, nodeCount);
        nodeHost = Arrays.copyOf(before.nodeHost, nodeCount);
        if (nodeCount > before.nodeSwitch.length) {
            Arrays.fill(nodeSwitch, before.nodeSwitch.length, nodeCount, -1);
        }
        some.stream().forEach(this::clear);
        int s = 0;
        for (int place = some.nextSetBit(0); place >= 0; place = some.nextSetBit(place + 1)) {
            while (cabling.portBase[s + 1] <= place) {
                s++;
            }
            put(cabling.switches[s], place - cabling.portBase[s], place);
        }
    }

    private void clear(int place) {
        int node = peerNode[place];
        if (node >= 0) {
            peerNode[place] = -1;
            nodeGuid[node] = 0;
            nodeSwitch[node] = -1;
            nodePort[node] = 0;
            nodeHost[node] = null;
            aggregation.clear(node);
        }
    }

    private void put(KnownSwitch s, int at, int place) {
        if (s.neighbour[at] instanceof ToHost to) {
            int node = nodes.indexOf(to.host().portGuid());
            if (node < 0) {
                incomplete = true;
                return;
            }
            peerNode[place] = node;
            nodeGuid[node] = to.host().portGuid();
            nodeSwitch[node] = s.index;
            nodePort[node] = (byte) (at + 1);
            nodeHost[node] = to.host();
            aggregation.set(node, to.host().isAggregation());
        }
    }

    /** The same after some ports got or lost a host, or some hosts another index; all places where that can be. */
    NodePlaces changed(ResolvedCabling cabling, NodeIndexMap current, BitSet some) {
        return new NodePlaces(this, cabling, current, some);
    }

    /**
     * Hosts that have another index by now; null if others may have another, too, or one at last.
     */
    @Nullable
    List<Long> renumbered(NodeIndexMap current) {
        return current == nodes && !incomplete ? nodes.renumberedSince(version) : null;
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

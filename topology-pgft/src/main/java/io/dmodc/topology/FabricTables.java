package io.dmodc.topology;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of one {@link FabricView} while {@link FabricViewBuilder} fills them; frozen afterwards. Views share the
 * arrays in which they do not differ, so an array is replaced by another and never changed once its view is out.
 */
final class FabricTables {
    final long[] switchGuid;
    final int[] portBase;
    String[] switchName;
    boolean[] alive;
    int[] peerSwitch;
    byte[] peerPort;
    int[] peerNode = {};
    int linkCount;

    int[] groupBase = {};
    int[] groupRemote = {};
    int[] groupPortBase = {};
    byte[] groupPort = {};

    CablingParts parts = CablingParts.EMPTY;

    /** By place, the place at the other end of a cable, live or dead, and its switch; −1 where there is none. */
    int[] farEnd = {};

    int[] farSwitch = {};

    int[] rank = {};
    int rankMax;

    /** Plane number of each switch; null where groups are ordered by GUID alone. */
    int @Nullable [] plane;

    int leafCount;
    int hostTargetCount;
    int[] targetSwitch = {};
    int[] switchTarget = {};

    long[] nodeGuid = {};
    int[] nodeSwitch = {};
    byte[] nodePort = {};

    @Nullable
    Host[] nodeHost = {};

    /** Nodes that are no hosts. */
    BitSet aggregation = new BitSet();

    /** @param portBase shared with whoever made it; nobody changes it any more */
    FabricTables(int[] portBase) {
        int switchCount = portBase.length - 1;
        int portTotal = portBase[switchCount];
        this.portBase = portBase;
        switchGuid = new long[switchCount];
        switchName = new String[switchCount];
        alive = new boolean[switchCount];
        peerSwitch = new int[portTotal];
        peerPort = new byte[portTotal];
    }

    /** Shares every array of an earlier view; {@link ViewPatch} replaces those that differ. */
    FabricTables(FabricTables before) {
        switchGuid = before.switchGuid;
        portBase = before.portBase;
        switchName = before.switchName;
        alive = before.alive;
        peerSwitch = before.peerSwitch;
        peerPort = before.peerPort;
        peerNode = before.peerNode;
        linkCount = before.linkCount;
        groupBase = before.groupBase;
        groupRemote = before.groupRemote;
        groupPortBase = before.groupPortBase;
        groupPort = before.groupPort;
        parts = before.parts;
        farEnd = before.farEnd;
        farSwitch = before.farSwitch;
        rank = before.rank;
        rankMax = before.rankMax;
        plane = before.plane;
        leafCount = before.leafCount;
        hostTargetCount = before.hostTargetCount;
        targetSwitch = before.targetSwitch;
        switchTarget = before.switchTarget;
        nodeGuid = before.nodeGuid;
        nodeSwitch = before.nodeSwitch;
        nodePort = before.nodePort;
        nodeHost = before.nodeHost;
        aggregation = before.aggregation;
    }

    int switchOf(long guid) {
        int low = 0;
        int high = switchGuid.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(switchGuid[middle], guid);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /**
     * Gathers the ports of each switch into groups by remote switch, without sorting: walking the remote switches in
     * index order (which is GUID order) appends to each neighbour's list in the order wanted. O(ports).
     */
    void groupPorts() {
        int switchCount = switchGuid.length;
        int[] lastRemote = new int[switchCount];
        Arrays.fill(lastRemote, -1);
        groupBase = new int[switchCount + 1];
        forEachLiveEnd((remote, s) -> {
            if (lastRemote[s] != remote) {
                lastRemote[s] = remote;
                groupBase[s + 1]++;
            }
        });
        for (int s = 0; s < switchCount; s++) {
            groupBase[s + 1] += groupBase[s];
        }
        fillRemotes();
        fillGroupPorts();
    }

    private void fillRemotes() {
        int switchCount = switchGuid.length;
        groupRemote = new int[groupBase[switchCount]];
        int[] next = Arrays.copyOf(groupBase, switchCount);
        forEachLiveEnd((remote, s) -> {
            if (next[s] == groupBase[s] || groupRemote[next[s] - 1] != remote) {
                groupRemote[next[s]++] = remote;
            }
        });
    }

    private void fillGroupPorts() {
        int switchCount = switchGuid.length;
        groupPortBase = new int[groupRemote.length + 1];
        int[] groupOf = new int[switchCount];
        for (int s = 0; s < switchCount; s++) {
            rememberGroups(s, groupOf);
            for (int at = portBase[s]; at < portBase[s + 1]; at++) {
                if (peerSwitch[at] >= 0) {
                    groupPortBase[groupOf[peerSwitch[at]] + 1]++;
                }
            }
        }
        for (int g = 0; g < groupRemote.length; g++) {
            groupPortBase[g + 1] += groupPortBase[g];
        }
        groupPort = new byte[groupPortBase[groupRemote.length]];
        int[] next = Arrays.copyOf(groupPortBase, groupRemote.length);
        for (int s = 0; s < switchCount; s++) {
            rememberGroups(s, groupOf);
            for (int at = portBase[s]; at < portBase[s + 1]; at++) {
                if (peerSwitch[at] >= 0) {
                    groupPort[next[groupOf[peerSwitch[at]]]++] = (byte) (at - portBase[s] + 1);
                }
            }
        }
    }

    private void rememberGroups(int s, int[] groupOf) {
        for (int g = groupBase[s]; g < groupBase[s + 1]; g++) {
            groupOf[groupRemote[g]] = g;
        }
    }

    /** Receives a remote switch (ascending) and the switch at the other end of one of its live links. */
    private interface LiveEnd {
        void accept(int remote, int s);
    }

    private void forEachLiveEnd(LiveEnd end) {
        for (int remote = 0; remote < switchGuid.length; remote++) {
            for (int at = portBase[remote]; at < portBase[remote + 1]; at++) {
                if (peerSwitch[at] >= 0) {
                    end.accept(remote, peerSwitch[at]);
                }
            }
        }
    }

    /** Leaves first, each kind by lowest node index; a leaf without hosts comes after those with hosts. */
    void orderTargets() {
        int switchCount = switchGuid.length;
        int[] lowestHost = new int[switchCount];
        int[] lowest = new int[switchCount];
        Arrays.fill(lowestHost, Integer.MAX_VALUE);
        Arrays.fill(lowest, Integer.MAX_VALUE);
        for (int node = nodeSwitch.length - 1; node >= 0; node--) {
            int s = nodeSwitch[node];
            if (s >= 0) {
                lowest[s] = node;
                lowestHost[s] = aggregation.get(node) ? lowestHost[s] : node;
            }
        }
        targetSwitch = IntStream.range(0, switchCount)
                .filter(s -> rank[s] == 0 || lowest[s] < Integer.MAX_VALUE)
                .boxed()
                .sorted(Comparator.comparing((Integer s) -> rank[s] != 0)
                        .thenComparing(s -> lowestHost[s])
                        .thenComparing(s -> lowest[s])
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        switchTarget = new int[switchCount];
        Arrays.fill(switchTarget, -1);
        leafCount = 0;
        hostTargetCount = 0;
        for (int target = 0; target < targetSwitch.length; target++) {
            int s = targetSwitch[target];
            switchTarget[s] = target;
            leafCount += rank[s] == 0 ? 1 : 0;
            hostTargetCount += rank[s] == 0 || lowestHost[s] < Integer.MAX_VALUE ? 1 : 0;
        }
    }

    /** Targets that are those of an earlier view are the same arrays. */
    void shareTargets(FabricTables before) {
        if (Arrays.equals(targetSwitch, before.targetSwitch)) {
            targetSwitch = before.targetSwitch;
            switchTarget = before.switchTarget;
        }
    }

    /** Switches that differ in rank, liveness or links from those of tables with the same switches and ports. */
    int[] switchesChangedSince(FabricTables o) {
        BitSet changed = new BitSet(switchGuid.length);
        for (int s = 0; s < switchGuid.length; s++) {
            if (rank[s] != o.rank[s] || alive[s] != o.alive[s]) {
                changed.set(s);
            }
        }
        if (peerSwitch != o.peerSwitch || peerPort != o.peerPort) {
            markRelinked(o, changed);
        }
        return changed.stream().toArray();
    }

    /** Nodes on another switch or port than in tables with the same switches and no more nodes. */
    BitSet nodesMovedSince(FabricTables o) {
        BitSet moved = new BitSet();
        int known = o.nodeSwitch.length;
        for (int node = firstMoved(o, 0); node < known; node = firstMoved(o, node + 1)) {
            moved.set(node);
        }
        for (int node = known; node < nodeSwitch.length; node++) {
            moved.set(node, nodeSwitch[node] >= 0);
        }
        return moved;
    }

    /** First known node from {@code from} on that is elsewhere; their number if there is none. */
    private int firstMoved(FabricTables o, int from) {
        int known = o.nodeSwitch.length;
        int bySwitch = Arrays.mismatch(nodeSwitch, from, known, o.nodeSwitch, from, known);
        int limit = bySwitch < 0 ? known : from + bySwitch;
        int byPort = Arrays.mismatch(nodePort, from, limit, o.nodePort, from, limit);
        return byPort < 0 ? limit : from + byPort;
    }

    /** Jumps from one differing place to the next; the rest of a switch found to differ need not be looked at. */
    private void markRelinked(FabricTables o, BitSet changed) {
        int s = 0;
        int from = 0;
        int place = firstDifference(o, from);
        while (place >= 0) {
            while (portBase[s + 1] <= place) {
                s++;
            }
            changed.set(s);
            from = portBase[s + 1];
            place = firstDifference(o, from);
        }
    }

    /** First place from {@code from} on that leads elsewhere, or −1. */
    private int firstDifference(FabricTables o, int from) {
        int end = peerSwitch.length;
        int bySwitch = Arrays.mismatch(peerSwitch, from, end, o.peerSwitch, from, end);
        int limit = bySwitch < 0 ? end : from + bySwitch;
        int byPort = Arrays.mismatch(peerPort, from, limit, o.peerPort, from, limit);
        return byPort >= 0 ? from + byPort : limit < end ? limit : -1;
    }
}

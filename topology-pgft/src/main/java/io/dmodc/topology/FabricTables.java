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
    LinkRows links;
    int[] peerNode = {};

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
    FabricTables(int[] portBase, LinkRows links) {
        int switchCount = portBase.length - 1;
        this.portBase = portBase;
        switchGuid = new long[switchCount];
        switchName = new String[switchCount];
        alive = new boolean[switchCount];
        this.links = links;
    }

    /** Shares every array of an earlier view; {@link ViewPatch} replaces those that differ. */
    FabricTables(FabricTables before) {
        switchGuid = before.switchGuid;
        portBase = before.portBase;
        switchName = before.switchName;
        alive = before.alive;
        links = before.links;
        peerNode = before.peerNode;
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
            if (rank[s] != o.rank[s]
                    || alive[s] != o.alive[s]
                    || !links.hasRowOf(o.links, s, portBase[s + 1] - portBase[s])) {
                changed.set(s);
            }
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
}

package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import java.util.HashMap;
import java.util.Map;

/**
 * The pods of a fat-tree: what hangs together when the switches of the highest rank are taken away. Those are in no pod,
 * and neither is a switch that then hangs alone, so a fabric of two levels has none.
 */
final class Pods {
    private Pods() {}

    /**
     * Names the pod of each switch that is in one, by GUID. A pod is called after its switch of the lowest GUID. O(links).
     */
    static Map<Long, String> of(FabricView view) {
        int[] parent = new int[view.switchCount()];
        int[] size = new int[parent.length];
        for (int s = 0; s < parent.length; s++) {
            parent[s] = s;
            size[s] = 1;
        }
        for (int s = 0; s < parent.length; s++) {
            for (int group = view.groupStart(s); group < view.groupStart(s + 1); group++) {
                int remote = view.groupRemote(group);
                if (isBelowTop(view, s) && isBelowTop(view, remote)) {
                    join(parent, size, s, remote, view);
                }
            }
        }
        Map<Long, String> pods = new HashMap<>();
        for (int s = 0; s < parent.length; s++) {
            int root = root(parent, s);
            if (size[root] > 1) {
                pods.put(view.switchGuid(s), view.switchName(root));
            }
        }
        return pods;
    }

    private static boolean isBelowTop(FabricView view, int s) {
        return view.rank(s) < view.rankMax();
    }

    /** The one with the lowest GUID stands for all. */
    private static void join(int[] parent, int[] size, int a, int b, FabricView view) {
        int rootA = root(parent, a);
        int rootB = root(parent, b);
        if (rootA == rootB) {
            return;
        }
        boolean aFirst = Long.compareUnsigned(view.switchGuid(rootA), view.switchGuid(rootB)) < 0;
        int root = aFirst ? rootA : rootB;
        int other = aFirst ? rootB : rootA;
        parent[other] = root;
        size[root] += size[other];
    }

    private static int root(int[] parent, int s) {
        int root = s;
        while (parent[root] != root) {
            parent[root] = parent[parent[root]];
            root = parent[root];
        }
        return root;
    }
}

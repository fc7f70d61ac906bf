package io.dmodc.manager.core;

import io.dmodc.topology.DisjointSets;
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
        DisjointSets joined = new DisjointSets(view.switchCount());
        for (int s = 0; s < view.switchCount(); s++) {
            for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
                int remote = view.groupRemote(group);
                if (isBelowTop(view, s) && isBelowTop(view, remote)) {
                    joined.join(s, remote);
                }
            }
        }
        int[] size = new int[view.switchCount()];
        for (int s = 0; s < size.length; s++) {
            size[joined.lowest(s)]++;
        }
        Map<Long, String> pods = new HashMap<>();
        for (int s = 0; s < size.length; s++) {
            // Switch indices are in the order of GUIDs.
            int first = joined.lowest(s);
            if (size[first] > 1) {
                pods.put(view.switchGuid(s), view.switchName(first));
            }
        }
        return pods;
    }

    private static boolean isBelowTop(FabricView view, int s) {
        return view.rank(s) < view.rankMax();
    }
}

package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/** What is different between two views, as far as legal paths and columns are concerned. */
final class ViewDifference {
    private ViewDifference() {}

    /** True if switches, ranks, targets and nodes have the same indices and places in both. */
    static boolean sameSpaces(FabricView old, FabricView now) {
        boolean same = old.switchCount() == now.switchCount()
                && old.nodeCount() == now.nodeCount()
                && old.targetCount() == now.targetCount()
                && old.leafCount() == now.leafCount()
                && old.rankMax() == now.rankMax();
        for (int s = 0; same && s < now.switchCount(); s++) {
            same = old.switchGuid(s) == now.switchGuid(s)
                    && old.rank(s) == now.rank(s)
                    && old.targetOfSwitch(s) == now.targetOfSwitch(s);
        }
        for (int node = 0; same && node < now.nodeCount(); node++) {
            same = old.nodeSwitch(node) == now.nodeSwitch(node) && old.nodePort(node) == now.nodePort(node);
        }
        return same;
    }

    /** Switches whose liveness or live links differ; the views have the same spaces. */
    static int[] changedSwitches(FabricView old, FabricView now) {
        int[] changed = new int[now.switchCount()];
        int count = 0;
        for (int s = 0; s < changed.length; s++) {
            if (old.alive(s) != now.alive(s) || !sameGroups(old, now, s)) {
                changed[count++] = s;
            }
        }
        return Arrays.copyOf(changed, count);
    }

    private static boolean sameGroups(FabricView old, FabricView now, int s) {
        int shift = old.groupStart(s) - now.groupStart(s);
        boolean same = old.groupStart(s + 1) - now.groupStart(s + 1) == shift;
        for (int g = now.groupStart(s); same && g < now.groupStart(s + 1); g++) {
            same = old.groupRemote(g + shift) == now.groupRemote(g) && samePorts(old, g + shift, now, g);
        }
        return same;
    }

    private static boolean samePorts(FabricView old, int oldGroup, FabricView now, int group) {
        boolean same = old.groupSize(oldGroup) == now.groupSize(group);
        for (int i = 0; same && i < now.groupSize(group); i++) {
            same = old.groupPort(oldGroup, i) == now.groupPort(group, i);
        }
        return same;
    }
}

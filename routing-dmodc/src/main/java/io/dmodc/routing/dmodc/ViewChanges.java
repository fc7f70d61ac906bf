package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/** What is different between two views. */
final class ViewChanges {
    private ViewChanges() {}

    /** True if switches, ranks, targets and nodes have the same indices and places in both. */
    static boolean sameSpaces(FabricView old, FabricView now) {
        if (old.switchCount() != now.switchCount()
                || old.nodeCount() != now.nodeCount()
                || old.targetCount() != now.targetCount()
                || old.leafCount() != now.leafCount()
                || old.rankMax() != now.rankMax()) {
            return false;
        }
        for (int s = 0; s < now.switchCount(); s++) {
            if (old.switchGuid(s) != now.switchGuid(s)
                    || old.rank(s) != now.rank(s)
                    || old.targetOfSwitch(s) != now.targetOfSwitch(s)) {
                return false;
            }
        }
        for (int node = 0; node < now.nodeCount(); node++) {
            if (old.nodeSwitch(node) != now.nodeSwitch(node) || old.nodePort(node) != now.nodePort(node)) {
                return false;
            }
        }
        return true;
    }

    /** Switches whose liveness or port groups differ, ascending; the views have the same spaces. */
    static int[] changedSwitches(FabricView old, FabricView now) {
        int[] changed = new int[now.switchCount()];
        int count = 0;
        for (int s = 0; s < now.switchCount(); s++) {
            if (old.alive(s) != now.alive(s) || !sameGroups(old, now, s)) {
                changed[count++] = s;
            }
        }
        return Arrays.copyOf(changed, count);
    }

    private static boolean sameGroups(FabricView old, FabricView now, int s) {
        int oldStart = old.groupStart(s);
        int start = now.groupStart(s);
        int count = now.groupStart(s + 1) - start;
        if (old.groupStart(s + 1) - oldStart != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (old.groupRemote(oldStart + i) != now.groupRemote(start + i)
                    || !samePorts(old, oldStart + i, now, start + i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean samePorts(FabricView old, int oldGroup, FabricView now, int group) {
        if (old.groupSize(oldGroup) != now.groupSize(group)) {
            return false;
        }
        for (int i = 0; i < now.groupSize(group); i++) {
            if (old.groupPort(oldGroup, i) != now.groupPort(group, i)) {
                return false;
            }
        }
        return true;
    }
}

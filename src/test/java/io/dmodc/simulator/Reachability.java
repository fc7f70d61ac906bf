package io.dmodc.simulator;

import io.dmodc.topology.FabricViewBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where an up-down path over live cables between neighbouring levels leads: an obvious search. */
final class Reachability {
    private final SimulatedFabric fabric;
    private final List<SimulatedSwitch> byLevel;
    private final boolean[] down;
    private final boolean[] reaches;
    private final @Nullable FabricViewBuilder believed;
    private final @Nullable SimulatedSwitch avoided;

    /** Switches that forward by what they hold, and the destination they are asked for. */
    private Predicate<SimulatedSwitch> cannotBeTold = s -> false;

    private int column;

    Reachability(SimulatedFabric fabric) {
        this(fabric, null, null);
    }

    /**
     * @param believed only links that are live in here, too, count; {@code null}: all
     * @param avoided no path leads through this switch; {@code null}: none is avoided
     */
    Reachability(SimulatedFabric fabric, @Nullable FabricViewBuilder believed, @Nullable SimulatedSwitch avoided) {
        this.fabric = fabric;
        this.believed = believed;
        this.avoided = avoided;
        byLevel = new ArrayList<>(fabric.switches);
        byLevel.sort(Comparator.comparingInt(s -> s.level));
        down = new boolean[byLevel.size()];
        reaches = new boolean[byLevel.size()];
    }

    /**
     * By switch index: true where a packet can start for a host, as these switches forward it and all others may.
     *
     * @param index of the host, as the manager counts
     */
    boolean[] towards(int host, int index, Predicate<SimulatedSwitch> untold) {
        cannotBeTold = untold;
        column = index;
        SimulatedSwitch leaf = fabric.hostSwitch.get(host);
        return untold.test(leaf) && leaf.plane.port(index) != fabric.hostPort.get(host)
                ? new boolean[reaches.length]
                : towards(leaf);
    }

    /** By switch index: true where a packet for hosts of this leaf can start. */
    boolean[] towards(SimulatedSwitch leaf) {
        for (SimulatedSwitch s : byLevel) {
            down[s.index] = s == leaf ? s.powered : anyLive(s, -1, down);
        }
        for (int i = byLevel.size() - 1; i >= 0; i--) {
            SimulatedSwitch s = byLevel.get(i);
            reaches[s.index] = down[s.index] || anyLive(s, 1, reaches);
        }
        return reaches;
    }

    private boolean anyLive(SimulatedSwitch s, int step, boolean[] marked) {
        for (int port = 1; port <= s.portCount; port++) {
            if (s.peer[port - 1] >= 0
                    && marked[s.peer[port - 1]]
                    && fabric.far(s, port).level == s.level + step
                    && fabric.live(s, port)
                    && isUsable(s, port)) {
                return true;
            }
        }
        return false;
    }

    private boolean isUsable(SimulatedSwitch s, int port) {
        return s != avoided
                && (!cannotBeTold.test(s) || s.plane.port(column) == port)
                && fabric.far(s, port) != avoided
                && (believed == null || (believed.knows(s.guid) && believed.isLive(s.guid, port)));
    }
}

package io.dmodc.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which leaves an up-down path over live cables between neighbouring levels joins: an obvious search. */
final class Reachability {
    private final SimulatedFabric fabric;
    private final List<SimulatedSwitch> byLevel;
    private final boolean[] down;
    private final boolean[] reaches;

    Reachability(SimulatedFabric fabric) {
        this.fabric = fabric;
        byLevel = new ArrayList<>(fabric.switches);
        byLevel.sort(Comparator.comparingInt(s -> s.level));
        down = new boolean[byLevel.size()];
        reaches = new boolean[byLevel.size()];
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
                    && fabric.live(s, port)) {
                return true;
            }
        }
        return false;
    }
}

package io.dmodc.simulator;

import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Where an up-down path over live cables between neighbouring levels leads: an obvious search. */
final class Reachability {
    private final SimulatedFabric fabric;
    private final List<SimulatedSwitch> byLevel;
    private final boolean[] down;
    private final boolean[] reaches;
    private final @Nullable FabricViewBuilder believed;
    private final @Nullable SimulatedSwitch avoided;

    /** Ends of cables that routes lead around. */
    private BiPredicate<SimulatedSwitch, Integer> drained = (s, port) -> false;

    /** By which ports a switch may forward that cannot be told anything; none for one that can. */
    private Function<SimulatedSwitch, List<Integer>> mayForwardBy = s -> List.of();

    Reachability(SimulatedFabric fabric) {
        this(fabric, null, null);
    }

    /**
     * @param believed only links count that both ends claim to be up in here; {@code null}: all
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

    /** No path leads through these ends of cables. */
    Reachability without(BiPredicate<SimulatedSwitch, Integer> ends) {
        drained = ends;
        return this;
    }

    /**
     * By switch index: true where a packet can start for a host, whichever of these ports some switches forward it by, if all others
     * send it where they should.
     *
     * @param untold ports that a switch may forward it by that cannot be told anything; none for one that can
     */
    boolean[] towards(int host, Function<SimulatedSwitch, List<Integer>> untold) {
        mayForwardBy = untold;
        SimulatedSwitch leaf = fabric.hostSwitch.get(host);
        int exit = fabric.hostPort.get(host);
        boolean exits = untold.apply(leaf).stream().allMatch(port -> port == exit);
        return exits ? towards(leaf) : new boolean[reaches.length];
    }

    /** By switch index: true where a packet for hosts of this leaf can start. */
    boolean[] towards(SimulatedSwitch leaf) {
        for (SimulatedSwitch s : byLevel) {
            down[s.index] = s == leaf ? s.powered : leads(s, port -> isGood(s, port, -1, down));
        }
        for (int i = byLevel.size() - 1; i >= 0; i--) {
            SimulatedSwitch s = byLevel.get(i);
            reaches[s.index] =
                    down[s.index] || leads(s, port -> isGood(s, port, -1, down) || isGood(s, port, 1, reaches));
        }
        return reaches;
    }

    private boolean leads(SimulatedSwitch s, IntPredicate good) {
        List<Integer> ports = mayForwardBy.apply(s);
        if (!ports.isEmpty()) {
            return ports.stream().allMatch(good::test);
        }
        for (int port = 1; port <= s.portCount; port++) {
            if (good.test(port)) {
                return true;
            }
        }
        return false;
    }

    private boolean isGood(SimulatedSwitch s, int port, int step, boolean[] marked) {
        return port >= 1
                && port <= s.portCount
                && s.peer[port - 1] >= 0
                && marked[s.peer[port - 1]]
                && fabric.far(s, port).level == s.level + step
                && fabric.live(s, port)
                && isUsable(s, port);
    }

    private boolean isUsable(SimulatedSwitch s, int port) {
        SimulatedSwitch far = fabric.far(s, port);
        int farPort = s.peerPort[port - 1];
        return s != avoided
                && far != avoided
                && !drained.test(s, port)
                && !drained.test(far, farPort)
                && (believed == null || (isClaimed(s, port, far, farPort) && isClaimed(far, farPort, s, port)));
    }

    private boolean isClaimed(SimulatedSwitch s, int port, SimulatedSwitch far, int farPort) {
        return believed != null
                && believed.knows(s.guid)
                && port <= believed.portCount(s.guid)
                && believed.saysUp(s.guid, port)
                && new ToSwitch(far.guid, farPort).equals(believed.neighbour(s.guid, port));
    }
}

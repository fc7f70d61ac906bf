package io.dmodc.simulator;

import io.dmodc.agent.plane.MemoryPlane;

/**
 * Sends a packet by the tables the switches hold now, over the cables that work now. Keeps the way it went, in arrays
 * that are used again.
 */
final class PacketWalk {
    /** How a packet ends. */
    enum End {
        DELIVERED,
        NO_ROUTE,
        DEAD_CABLE,
        WRONG_HOST,
        DOWN_UP_TURN,
        LOOP
    }

    private static final int HOPS_MAX = 64;

    private final SimulatedFabric fabric;
    final SimulatedSwitch[] at = new SimulatedSwitch[HOPS_MAX];
    final int[] port = new int[HOPS_MAX];

    /** Switches passed, the last one included. */
    int hops;

    private final int[] visited;
    private int walk;

    PacketWalk(SimulatedFabric fabric, int switchesMax) {
        this.fabric = fabric;
        visited = new int[switchesMax];
    }

    /** @param index the destination's, as the manager counts */
    End walk(int source, int destination, int index) {
        return walk(fabric.hostSwitch.get(source), false, destination, index);
    }

    /** The same where a packet that turns goes on: it ends where any other does, or where it has been. */
    End walkOn(int source, int destination, int index) {
        return walk(fabric.hostSwitch.get(source), false, true, destination, index);
    }

    /**
     * The same from a switch on.
     *
     * @param cameDown whether it came there from above
     */
    End walk(SimulatedSwitch from, boolean cameDown, int destination, int index) {
        return walk(from, cameDown, false, destination, index);
    }

    private End walk(SimulatedSwitch from, boolean cameDown, boolean mayTurn, int destination, int index) {
        walk++;
        hops = 0;
        boolean wentDown = cameDown;
        SimulatedSwitch here = from;
        while (true) {
            if (visited[here.index] == walk) {
                return End.LOOP;
            }
            visited[here.index] = walk;
            int out = here.plane.port(index);
            at[hops] = here;
            port[hops++] = out;
            if (out == MemoryPlane.NO_ROUTE || out < 1 || out > here.portCount) {
                return End.NO_ROUTE;
            }
            if (here.host[out - 1] >= 0) {
                boolean right = here.host[out - 1] == destination;
                return !right ? End.WRONG_HOST : fabric.up(here, out) ? End.DELIVERED : End.DEAD_CABLE;
            }
            if (!fabric.live(here, out)) {
                return End.DEAD_CABLE;
            }
            SimulatedSwitch next = fabric.far(here, out);
            boolean up = next.level > here.level;
            if (up && wentDown && !mayTurn) {
                return End.DOWN_UP_TURN;
            }
            wentDown |= !up;
            here = next;
        }
    }

    /** The last way in words. */
    String way() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < hops; i++) {
            text.append(i == 0 ? "" : " ").append(at[i].name).append(':').append(port[i]);
        }
        return text.toString();
    }
}

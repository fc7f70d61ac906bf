package io.dmodc.simulator;

import io.dmodc.agent.plane.MemoryPlane;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A switch as it is: power, the ends of its cables, the table it forwards by, and the agent beside it. Ports from 1. */
final class SimulatedSwitch {
    final int index;
    final long guid;
    final String name;

    /** Where it stands: 0 for a leaf. */
    final int level;

    final int portCount;
    MemoryPlane plane;
    boolean powered;

    /** By which other ports destinations can be reached, as the plane was told with the entry of each. */
    final Map<Integer, byte[]> alternatives = new HashMap<>();

    /** It lost its table, or half of it, by itself. */
    boolean lost;

    /** Managers that a frame has told so. */
    final Set<SimulatedManager> knowLoss = new HashSet<>();

    /** It forwards nothing, and its ports are lit. */
    boolean hung;

    /** When it began to hang, or to forward again, last. */
    long hungNanos = Long.MIN_VALUE / 2;

    /** When its table became another one last. */
    long tableNanos = Long.MIN_VALUE / 2;

    /** True once it was taken out for good. */
    boolean scrapped;

    /** What was put in its place. */
    @Nullable
    SimulatedSwitch successor;

    /** True once a cable of it carried something. */
    boolean attached;

    /** By port − 1: index of the switch at the other end, or −1. */
    final int[] peer;

    final int[] peerPort;

    /** By port − 1: the host plugged in, or −1. */
    final int[] host;

    /** By port − 1: whether this end of what is plugged in works. */
    final boolean[] sound;

    /** By port − 1: when the port was last touched. */
    final long[] changedNanos;

    @Nullable
    SimulatedAgent agent;

    SimulatedSwitch(int index, long guid, String name, int level, int portCount) {
        this.index = index;
        this.guid = guid;
        this.name = name;
        this.level = level;
        this.portCount = portCount;
        plane = new MemoryPlane(guid, name, portCount);
        peer = new int[portCount];
        peerPort = new int[portCount];
        host = new int[portCount];
        sound = new boolean[portCount];
        changedNanos = new long[portCount];
        Arrays.fill(peer, -1);
        Arrays.fill(host, -1);
        Arrays.fill(sound, true);
    }

    /** Port number of a port with nothing plugged in, or 0. */
    int freePort() {
        for (int port = portCount; port >= 1; port--) {
            if (peer[port - 1] < 0 && host[port - 1] < 0) {
                return port;
            }
        }
        return 0;
    }

    void loses() {
        lost = true;
        knowLoss.clear();
    }

    SimulatedAgent agent() {
        SimulatedAgent own = agent;
        if (own == null) {
            throw new IllegalStateException(name + " has no agent");
        }
        return own;
    }

    @Override
    public String toString() {
        return name;
    }
}

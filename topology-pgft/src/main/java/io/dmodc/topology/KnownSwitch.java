package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.SwitchSeen;
import org.jspecify.annotations.Nullable;

/** What one switch last said of itself and of its ports; arrays by port number − 1. */
final class KnownSwitch {
    final long guid;

    /** What each port said itself, kept whatever others say. */
    final @Nullable Neighbour[] claim;

    /** What each port leads to: its claim, unless {@link HostOwners} gives the host it names to another port. */
    final @Nullable Neighbour[] neighbour;

    final boolean[] up;

    /** Up, and taken as down until it has stayed up for a while. */
    final boolean[] held;

    String name;
    boolean alive = true;

    /** False while nobody speaks for it, so that what it said may be out of date. */
    boolean heard = true;

    /** Its place in the {@link ResolvedCabling} drawn last. */
    int index;

    KnownSwitch(SwitchSeen seen) {
        guid = seen.guid();
        name = seen.name();
        claim = new Neighbour[seen.portCount()];
        neighbour = new Neighbour[seen.portCount()];
        up = new boolean[seen.portCount()];
        held = new boolean[seen.portCount()];
    }

    boolean has(int port) {
        return port >= 1 && port <= up.length;
    }
}

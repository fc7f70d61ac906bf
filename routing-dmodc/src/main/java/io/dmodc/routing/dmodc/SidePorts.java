package io.dmodc.routing.dmodc;

import io.dmodc.topology.NeighbourReader;

/** The ports of switches that lead to their neighbours on one side: as {@link NeighbourReader#ports} gives them, its key. */
final class SidePorts extends Shared {
    /** A number that no others have. */
    final int id;

    SidePorts(int id, IntKey key) {
        super(key);
        this.id = id;
    }
}

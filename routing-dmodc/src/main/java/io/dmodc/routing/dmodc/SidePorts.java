package io.dmodc.routing.dmodc;

import io.dmodc.topology.NeighbourReader;

/** The ports of switches that lead to their neighbours on one side: as {@link NeighbourReader#ports} gives them, its key. */
final class SidePorts extends Shared {
    SidePorts(int id, IntKey key) {
        super(id, key);
    }
}

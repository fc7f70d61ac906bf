package io.dmodc.topology.ibnet;

import io.dmodc.topology.Guid;

/** A node as one end of a cable names it: a switch, or a host (adapters and routers alike). */
record NodeId(boolean isSwitch, long guid) {
    @Override
    public String toString() {
        return (isSwitch ? "switch " : "host ") + Guid.format(guid);
    }
}

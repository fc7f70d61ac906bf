package io.dmodc.agent.plane;

import io.dmodc.southbound.TableVersion;

/**
 * A forwarding table in force.
 *
 * @param version who decided it, for which fabric
 * @param entries output port per destination index, 255: no route; nobody changes the array any more
 */
public record InstalledTable(TableVersion version, byte[] entries) {
    /** A switch that never got a table. */
    public static final InstalledTable NONE = new InstalledTable(TableVersion.NONE, new byte[0]);
}

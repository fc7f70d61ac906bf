package io.dmodc.agent.plane;

import io.dmodc.southbound.SouthboundProtocol;

/**
 * What a plane can do.
 *
 * @param entriesMax longest table it has room for
 * @param allOrNothing true when a table that was not taken changed nothing; otherwise the table is read back then
 * @param destinations whether it must know what the indices of a table stand for
 * @param alternatives whether it wants to be told by which other ports destinations can be reached
 * @param turns whether it can forward by the input class of a packet, too, and change its virtual channel
 */
public record PlaneCapabilities(
        int entriesMax, boolean allOrNothing, boolean destinations, boolean alternatives, boolean turns) {
    /** A switch that looks indices up as they are, has room for any table, and never writes half of one. */
    public static final PlaneCapabilities INDICES =
            new PlaneCapabilities(SouthboundProtocol.MAX_ENTRIES, true, false, false, false);

    /** One that forwards by input class, too, as the switches of a grid do, and over alternatives while a port is down. */
    public static final PlaneCapabilities TURNS =
            new PlaneCapabilities(SouthboundProtocol.MAX_ENTRIES, true, false, true, true);
}

package io.dmodc.agent.plane;

import io.dmodc.topology.HostAddresses;

/** The far end of a cable, as a port sees it. */
public sealed interface Neighbour {
    /**
     * Another switch.
     *
     * @param guid of the switch
     * @param port number on that switch
     */
    record SwitchPort(long guid, int port) implements Neighbour {}

    /**
     * A host adapter.
     *
     * @param portGuid what the fabric routes to
     * @param hostGuid of the host
     * @param port number on the host
     * @param name for people
     * @param addresses by which packets reach it
     */
    record HostPort(long portGuid, long hostGuid, int port, String name, HostAddresses addresses) implements Neighbour {
        /** One of which no address is known. */
        public HostPort(long portGuid, long hostGuid, int port, String name) {
            this(portGuid, hostGuid, port, name, HostAddresses.NONE);
        }
    }
}

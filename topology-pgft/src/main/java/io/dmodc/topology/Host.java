package io.dmodc.topology;

/**
 * One host port cabled to a switch: a destination of the fabric. A host with two ports is two destinations.
 *
 * @param portGuid identity of the destination
 * @param hostGuid GUID of the adapter the port belongs to
 * @param hostPort port number on that adapter, from 1
 * @param name for people only
 * @param addresses by which packets reach it; like the name they may change, and it is the same host
 */
public record Host(long portGuid, long hostGuid, int hostPort, String name, HostAddresses addresses) {
    /** Hosts without addresses share one record that says so. */
    public Host {
        addresses = addresses.isNone() ? HostAddresses.NONE : addresses;
    }

    /** A host of which no address is known. */
    public Host(long portGuid, long hostGuid, int hostPort, String name) {
        this(portGuid, hostGuid, hostPort, name, HostAddresses.NONE);
    }
}

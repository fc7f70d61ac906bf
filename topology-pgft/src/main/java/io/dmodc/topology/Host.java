package io.dmodc.topology;

/**
 * One host port cabled to a switch: a destination of the fabric. A host with two ports is two destinations.
 *
 * @param portGuid identity of the destination
 * @param hostGuid GUID of the adapter the port belongs to
 * @param hostPort port number on that adapter, from 1
 * @param name for people only
 * @param addresses by which packets reach it; like the name they may change, and it is the same host
 * @param kind whether it is somebody's host, or part of the switch it is cabled to
 */
public record Host(long portGuid, long hostGuid, int hostPort, String name, HostAddresses addresses, Kind kind) {
    /** What is behind a port. */
    public enum Kind {
        /** A machine: it makes its switch a leaf, and sends and receives. */
        HOST,

        /**
         * The adapter that a switch which computes in the network (NVIDIA's SHARP) shows on a port of its own. It is
         * routed to like a host, makes no leaf, and counts as none.
         */
        AGGREGATION
    }

    /** Hosts without addresses share one record that says so. */
    public Host {
        addresses = addresses.isNone() ? HostAddresses.NONE : addresses;
    }

    /** A machine. */
    public Host(long portGuid, long hostGuid, int hostPort, String name, HostAddresses addresses) {
        this(portGuid, hostGuid, hostPort, name, addresses, Kind.HOST);
    }

    /** A machine of which no address is known. */
    public Host(long portGuid, long hostGuid, int hostPort, String name) {
        this(portGuid, hostGuid, hostPort, name, HostAddresses.NONE);
    }

    /** Another adapter's port in the same place, of which nothing is known yet but its GUID. */
    public Host replacedBy(long newPortGuid) {
        return new Host(newPortGuid, newPortGuid, hostPort, name, addresses, kind);
    }

    /** True for an adapter inside a switch. */
    public boolean isAggregation() {
        return kind == Kind.AGGREGATION;
    }
}

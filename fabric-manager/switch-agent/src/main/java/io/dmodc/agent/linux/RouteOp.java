package io.dmodc.agent.linux;

/**
 * One route to be written.
 *
 * @param kind what is done
 * @param address of the host
 * @param port where it leads; of one taken away, where it led
 * @param standing stands behind the entry's own route, with a worse metric: another route for the kernel, which tells them apart by prefix
 *     and metric
 */
record RouteOp(Kind kind, RouteAddress address, int port, boolean standing) {
    /** Metric of standing routes; worse than 0 and 1024, which entries have, of IPv4 and of IPv6. */
    static final int STANDING_METRIC = 20_001;

    /** What is done to a route, in the order in which it is done. */
    enum Kind {
        /** There is none of ours; the kernel refuses it when there is one of somebody else. */
        ADD,
        /** Leads over another port from one packet to the next. */
        REPLACE,
        /** Taken away, if it is ours still. */
        DELETE
    }

    /** An entry's own route. */
    static RouteOp own(Kind kind, RouteAddress address, int port) {
        return new RouteOp(kind, address, port, false);
    }

    /** A standing one. */
    static RouteOp standing(Kind kind, RouteAddress address, int port) {
        return new RouteOp(kind, address, port, true);
    }

    /** Appends the line that has {@code ip -batch} do it, with its end. */
    void appendTo(StringBuilder out, LinuxSettings settings) {
        out.append(
                switch (kind) {
                    case ADD -> "route add ";
                    case REPLACE -> "route replace ";
                    case DELETE -> "route del ";
                });
        out.append(address).append(address.isIpv4() ? "/32" : "/128");
        if (kind != Kind.DELETE) {
            out.append(" via ")
                    .append(address.isIpv4() ? NextHops.IPV4 : NextHops.IPV6)
                    .append(" dev ")
                    .append(settings.interfaceOf(port))
                    .append(" onlink");
        }
        if (standing) {
            out.append(" metric ").append(STANDING_METRIC);
        }
        // A number, always: ip mixes a name and a number up when one line has the one and the next the other.
        out.append(" proto ").append(settings.routeProtocol()).append('\n');
    }
}

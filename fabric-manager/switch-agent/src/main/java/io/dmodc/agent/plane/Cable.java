package io.dmodc.agent.plane;

import io.dmodc.southbound.SouthboundProtocol;

/**
 * A cable of the fabric.
 *
 * @param guid the switch at one end
 * @param port its port
 * @param far the other end: a switch port, or a host
 */
public record Cable(long guid, int port, Neighbour far) {
    /** Checks the port numbers; a switch may be connected with itself, a port may not. */
    public Cable {
        check(port);
        if (far instanceof Neighbour.SwitchPort end) {
            check(end.port());
            if (end.guid() == guid && end.port() == port) {
                throw new IllegalArgumentException("cable from port " + port + " of " + guid + " to itself");
            }
        }
    }

    private static void check(int port) {
        if (port < 1 || port > SouthboundProtocol.MAX_PORTS) {
            throw new IllegalArgumentException(
                    "cable at port " + port + "; expected 1.." + SouthboundProtocol.MAX_PORTS);
        }
    }
}

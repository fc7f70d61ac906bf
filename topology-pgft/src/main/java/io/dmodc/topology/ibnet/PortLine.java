package io.dmodc.topology.ibnet;

import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.LineComment.Address;

/**
 * One end of a cable, as the line of its port tells it.
 *
 * @param line number of the line in the file; for an end that was completed, the line at the other end
 * @param port own port number
 * @param portGuid own port GUID (hosts only), 0 where not given
 * @param lid own address (hosts only), 0 where not given
 * @param lmc with it, {@link Address#UNTOLD} where not given
 * @param far the node at the other end
 * @param farPort its port number
 * @param farPortGuid its port GUID (hosts only), 0 where not given
 * @param farLid its address, 0 where not given
 * @param farName its description
 */
record PortLine(
        int line,
        int port,
        long portGuid,
        int lid,
        int lmc,
        NodeId far,
        int farPort,
        long farPortGuid,
        int farLid,
        String farName) {

    /**
     * Reads {@code [port](guid) "far"[farPort](farGuid) # …}. {@code ibnetdiscover -g} adds {@code [ext n]} to ports,
     * ibdiagnet repeats the port's label in parentheses; neither is needed.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    static PortLine parse(int line, NodeId own, String text) {
        LineCursor cursor = new LineCursor(text);
        int port = cursor.number('[', ']', "port");
        long portGuid = portGuid(cursor, own, port);
        NodeId far = cursor.nodeId();
        int farPort = cursor.number('[', ']', "port");
        long farPortGuid = portGuid(cursor, far, farPort);
        LineComment tail = LineComment.parse(cursor.rest());
        boolean named = !tail.name().isEmpty() || tail.after().lid() != LidMap.NONE;
        Address farAddress = own.isSwitch() && !named ? tail.before() : tail.after();
        Address address = own.isSwitch() ? Address.NONE : tail.before();
        return new PortLine(
                line,
                port,
                portGuid,
                address.lid(),
                address.lmc(),
                far,
                farPort,
                farPortGuid,
                farAddress.lid(),
                tail.name());
    }

    private static long portGuid(LineCursor cursor, NodeId node, int port) {
        while (cursor.sees('[')) {
            cursor.between('[', ']', "ext port");
        }
        if (!cursor.sees('(')) {
            return 0;
        }
        String inner = cursor.between('(', ')', "port GUID");
        return node.isSwitch() || inner.equals(Integer.toString(port)) ? 0 : Guid.parse(inner);
    }

    boolean leadsTo(NodeId node, int port) {
        return far.equals(node) && farPort == port;
    }

    /** The other end of this cable, if this is an end of {@code own}. */
    PortLine reversed(NodeId own, String ownName) {
        return new PortLine(line, farPort, farPortGuid, farLid, Address.UNTOLD, own, port, portGuid, lid, ownName);
    }
}

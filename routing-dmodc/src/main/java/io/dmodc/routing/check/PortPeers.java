package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;

/** Where table entries lead. */
public final class PortPeers {
    final FabricView view;

    public PortPeers(FabricView view) {
        this.view = view;
    }

    /** Switch behind a live link of this port, or −1; any byte is a valid port here. */
    public int peer(int s, int port) {
        return port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
    }

    /** Switch that a cable at this port leads to, whether or not the view has it as a live link, or −1; any byte is a valid port here. */
    int cabled(int s, int port) {
        return port >= 1 && port <= view.portCount(s) ? view.cabledSwitch(s, port) : -1;
    }
}

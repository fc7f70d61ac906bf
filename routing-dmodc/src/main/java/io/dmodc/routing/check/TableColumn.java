package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;

/**
 * The entries of tables for one destination after the other, by switch: each is read when it is asked for first. Not thread-safe; 8 bytes a
 * switch, which are used again.
 */
public final class TableColumn {
    private final LftSet tables;
    private final PortPeers peers;
    private final int[] port;
    private final int[] readBy;
    private int reads;
    private int destination;

    /** @param view that of the tables */
    public TableColumn(FabricView view, LftSet tables) {
        this.tables = tables;
        peers = new PortPeers(view);
        port = new int[view.switchCount()];
        readBy = new int[view.switchCount()];
    }

    /** Turns to a column. */
    public void turnTo(int d) {
        destination = d;
        reads++;
    }

    /** Index of the column. */
    public int destination() {
        return destination;
    }

    /** Output port of a switch, unsigned. */
    public int port(int s) {
        if (readBy[s] != reads) {
            readBy[s] = reads;
            port[s] = tables.port(s, destination);
        }
        return port[s];
    }

    /** Switch that a switch sends to over a live link, or −1. */
    int next(int s) {
        return peers.peer(s, port(s));
    }
}

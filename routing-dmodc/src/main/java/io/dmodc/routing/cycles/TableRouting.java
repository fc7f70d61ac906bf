package io.dmodc.routing.cycles;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;

/**
 * Linear forwarding tables: the output depends on the destination alone, and any virtual channel will do.
 *
 * <p>A copy of the rows, one byte per (switch, node).
 */
public final class TableRouting implements PacketRouting {
    private final byte[][] rows;
    private final int vcs;

    /**
     * Takes tables.
     *
     * @param tables towards nodes, whoever made them
     * @param vcs how many virtual channels there are
     * @throws IllegalArgumentException if the tables have another size than the view
     */
    public TableRouting(FabricView view, LftSet tables, int vcs) {
        tables.requireNodesOf(view);
        this.vcs = PacketRouting.allVcs(vcs);
        rows = new byte[tables.switchCount()][tables.entryCount()];
        for (int s = 0; s < rows.length; s++) {
            tables.copyRow(s, rows[s]);
            for (int d = 0; d < rows[s].length; d++) {
                // Port 0 is the switch itself, which takes no packets of nodes: both are dropped.
                rows[s][d] = rows[s][d] == (byte) LftSet.NO_ROUTE ? 0 : rows[s][d];
            }
        }
    }

    @Override
    public int injectionVcs() {
        return vcs;
    }

    @Override
    public int route(int s, int inputPort, int vc, int node, int random) {
        int port = port(s, node);
        return port == 0 ? DROP : PacketRouting.answer(port, vcs);
    }

    /** Returns the port of an entry; 0: there is none for packets of nodes. */
    int port(int s, int node) {
        return rows[s][node] & 0xff;
    }
}

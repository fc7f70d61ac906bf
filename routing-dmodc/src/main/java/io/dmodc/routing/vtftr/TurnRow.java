package io.dmodc.routing.vtftr;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowEdit;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import java.util.Arrays;
import java.util.BitSet;

/** The row of one live switch of a grid, whole or where it changed. Used once, by one thread. */
final class TurnRow {
    private final FabricView view;
    private final GridState state;
    private final HostsOfLeaves hosts;
    private final int s;
    private final GridPlace place;
    private final SwitchPorts ports;
    private final LftRowEdit row;
    private final Entries entries;

    /** Of the hosts of one destination leaf, {@link TurnTableSet#CLASSES} for each. */
    private final byte[] block;

    /** What a switch does with the hosts of a leaf. */
    @FunctionalInterface
    interface Entries {
        /**
         * Writes the entries for the hosts of a leaf.
         *
         * @param count how many hosts leaf (rd, cd) has
         * @param block {@link TurnTableSet#CLASSES} entries for each host, {@link TurnTableSet#NONE} where none was put yet
         * @return false if nothing was written, as the row has these entries
         */
        boolean put(int rd, int cd, int count, byte[] block);
    }

    /** @param edit of a row of a switch that has a place of the same kind, or of a row without any route; its own until the row is made */
    TurnRow(
            FabricView view,
            TurnTables tables,
            HostsOfLeaves hosts,
            int s,
            SwitchPorts ports,
            Entries entries,
            LftRowEdit edit) {
        this.view = view;
        this.state = tables.state();
        this.hosts = hosts;
        this.s = s;
        this.place = state.grid().place(s);
        this.ports = ports;
        this.row = edit;
        this.entries = entries;
        this.block = new byte[TurnTableSet.CLASSES * hosts.countMax()];
        Arrays.fill(block, (byte) TurnTableSet.NONE);
    }

    /**
     * All of it.
     *
     * @param like which it may have parts in common with
     */
    LftRow whole(LftRow like) {
        row.put(0, new TurnRowHeader(view, s, place, ports).entries(), 0, TurnTableSet.HEADER);
        if (place.kind() == GridPlace.Kind.LEAF) {
            putOwnLeaf();
        } else {
            putOwnHosts();
        }
        for (int rd = 0; rd < state.rows(); rd++) {
            for (int cd = 0; cd < state.columns(); cd++) {
                put(rd, cd);
            }
        }
        return row.build(like);
    }

    /**
     * What was edited, with some destinations as they are now; that row itself if nothing differs.
     *
     * @param like which it may have parts in common with
     */
    LftRow dirty(BitSet destinations, LftRow like) {
        for (int d = destinations.nextSetBit(0); d >= 0; d = destinations.nextSetBit(d + 1)) {
            put(d / state.columns(), d % state.columns());
        }
        return row.build(like);
    }

    private void putOwnLeaf() {
        int leaf = place.row() * state.columns() + place.column();
        for (int i = 0; i < hosts.count(leaf); i++) {
            int node = hosts.node(leaf, i);
            int port = view.nodePort(node);
            boolean cabled = view.peerNode(s, port) == node;
            Arrays.fill(block, TurnTableSet.CLASSES * i, TurnTableSet.CLASSES * (i + 1), (byte)
                    (cabled ? port : TurnTableSet.NONE));
        }
        putBlock(place.row(), place.column());
    }

    /** Of a switch that is no leaf of the grid. */
    private void putOwnHosts() {
        byte[] toHost = new byte[TurnTableSet.CLASSES];
        for (int port = 1; port <= view.portCount(s); port++) {
            int node = view.peerNode(s, port);
            if (node >= 0 && view.nodeSwitch(node) == s && view.nodePort(node) == port) {
                Arrays.fill(toHost, (byte) port);
                row.put(TurnTableSet.entry(0, node), toHost, 0, toHost.length);
            }
        }
    }

    private void put(int rd, int cd) {
        boolean own = place.kind() == GridPlace.Kind.LEAF && place.row() == rd && place.column() == cd;
        if (!own && entries.put(rd, cd, hosts.count(rd * state.columns() + cd), block)) {
            putBlock(rd, cd);
        }
    }

    private void putBlock(int rd, int cd) {
        int destination = rd * state.columns() + cd;
        int count = hosts.count(destination);
        if (hosts.adjoin(destination)) {
            row.put(TurnTableSet.entry(0, hosts.node(destination, 0)), block, 0, TurnTableSet.CLASSES * count);
            return;
        }
        for (int i = 0; i < count; i++) {
            int at = TurnTableSet.CLASSES * i;
            row.put(TurnTableSet.entry(0, hosts.node(destination, i)), block, at, TurnTableSet.CLASSES);
        }
    }
}

package io.dmodc.routing.vtftr;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowEdit;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The row of one live switch of a grid, whole or where it changed. Used once, by one thread. */
final class TurnRow {
    private static final byte[] NO_PORTS = {};

    private final FabricView view;
    private final TurnTables tables;
    private final HostsOfLeaves hosts;
    private final RecognisedGrid grid;
    private final int s;
    private final GridPlace place;
    private final SwitchPorts ports;
    private final Row row;

    /** By the leaf of the line that is reached, the ports that lead there; for those asked for so far. */
    private final byte[] @Nullable [] byRow;

    private final byte[] @Nullable [] byColumn;

    /** What is written to. */
    @FunctionalInterface
    private interface Row {
        void put(int entry, int value);
    }

    private TurnRow(FabricView view, TurnTables tables, HostsOfLeaves hosts, int s, SwitchPorts ports, Row row) {
        this.view = view;
        this.tables = tables;
        this.hosts = hosts;
        this.grid = tables.state().grid();
        this.s = s;
        this.place = grid.place(s);
        this.ports = ports;
        this.row = row;
        this.byRow = new byte[grid.columns()][];
        this.byColumn = new byte[grid.rows()][];
    }

    /** All of it. */
    static LftRow whole(FabricView view, TurnTables tables, HostsOfLeaves hosts, int s, SwitchPorts ports) {
        byte[] entries = new byte[TurnTableSet.entryCount(view.nodeCount())];
        Arrays.fill(entries, (byte) TurnTableSet.NONE);
        new TurnRow(view, tables, hosts, s, ports, (entry, value) -> entries[entry] = (byte) value).putAll();
        return LftRow.of(entries);
    }

    /** The row before, with what changed; that one itself if nothing did. */
    static LftRow changed(
            FabricView view,
            TurnTables tables,
            HostsOfLeaves hosts,
            int s,
            SwitchPorts ports,
            LftRow before,
            DirtyDestinations dirty) {
        LftRowEdit edit = new LftRowEdit(before);
        new TurnRow(view, tables, hosts, s, ports, edit::put).putDirty(dirty);
        return edit.build();
    }

    private void putAll() {
        putClasses();
        putChannels();
        putOwnHosts();
        for (int destination = 0; destination < grid.rows() * grid.columns(); destination++) {
            put(destination);
        }
    }

    private void putDirty(DirtyDestinations dirty) {
        BitSet destinations = switch (place.kind()) {
            case LEAF -> dirty.ofLeaf(place.row(), place.column());
            case ROW_ROOT -> dirty.ofRow(place.row(), ports.row());
            case COLUMN_ROOT -> dirty.ofColumn(place.column(), ports.column());
            case UNPLACED -> new BitSet();
        };
        destinations.stream().forEach(this::put);
    }

    private void putClasses() {
        row.put(0, TurnTableSet.CLASSES);
        row.put(TurnTableSet.CHANNEL_MAP - 1, TurnTableSet.CHANNELS);
        for (int port = 1; port <= view.portCount(s); port++) {
            if (view.peerNode(s, port) >= 0) {
                row.put(port, TurnTableSet.CLASS_HOST);
            }
        }
        boolean leaf = place.kind() == GridPlace.Kind.LEAF;
        putClass(ports.row(), leaf ? TurnTableSet.CLASS_ROW : TurnTableSet.CLASS_HOST);
        putClass(ports.column(), leaf ? TurnTableSet.CLASS_COLUMN : TurnTableSet.CLASS_HOST);
    }

    private void putClass(byte[][] all, int inputClass) {
        for (byte[] some : all) {
            for (byte port : some) {
                row.put(port & 0xff, inputClass);
            }
        }
    }

    private void putChannels() {
        if (place.kind() == GridPlace.Kind.LEAF) {
            putChannel(TurnTableSet.CLASS_HOST, 0, VcMap.next(InputClass.HOST, 0, Turn.ROW));
            for (int vc = 0; vc < VcMap.VC_COUNT; vc++) {
                putChannel(TurnTableSet.CLASS_ROW, vc, VcMap.next(InputClass.ROW, vc, Turn.COLUMN));
                putChannel(TurnTableSet.CLASS_COLUMN, vc, VcMap.next(InputClass.COLUMN, vc, Turn.ROW));
            }
        } else if (place.kind() != GridPlace.Kind.UNPLACED) {
            for (int vc = 0; vc < VcMap.VC_COUNT; vc++) {
                putChannel(TurnTableSet.CLASS_HOST, vc, vc);
            }
        }
    }

    private void putChannel(int inputClass, int vc, int next) {
        row.put(
                TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + vc,
                next == VcMap.DROP ? TurnTableSet.NONE : next);
    }

    /** Also of a switch that has no place in the grid. */
    private void putOwnHosts() {
        for (int port = 1; port <= view.portCount(s); port++) {
            int node = view.peerNode(s, port);
            if (node >= 0 && view.nodeSwitch(node) == s && view.nodePort(node) == port) {
                for (int inputClass = 0; inputClass < TurnTableSet.CLASSES; inputClass++) {
                    row.put(TurnTableSet.entry(inputClass, node), port);
                }
            }
        }
    }

    private void put(int destination) {
        switch (place.kind()) {
            case LEAF -> putAtLeaf(destination);
            case ROW_ROOT -> putAtRoot(destination, rowRootPorts(destination));
            case COLUMN_ROOT -> putAtRoot(destination, columnRootPorts(destination));
            case UNPLACED -> {
                // It delivers to its own hosts only.
            }
        }
    }

    private void putAtLeaf(int destination) {
        int leaf = place.row() * grid.columns() + place.column();
        if (leaf == destination) {
            return;
        }
        boolean reached = alive(destination);
        Turn injection = tables.injection(leaf, destination);
        InTurn byRowHere = new InTurn(
                reached ? leafPorts(leaf, Turn.ROW, destination) : NO_PORTS, tables.spread(Turn.ROW, destination));
        InTurn byColumnHere = new InTurn(
                reached ? leafPorts(leaf, Turn.COLUMN, destination) : NO_PORTS,
                tables.spread(Turn.COLUMN, destination));
        int count = hosts.count(destination);
        for (int i = 0; i < count; i++) {
            int toRow = byRowHere.next();
            int toColumn = byColumnHere.next();
            int node = hosts.node(destination, i);
            int injected = injection == Turn.ROW ? toRow : injection == Turn.COLUMN ? toColumn : TurnTableSet.NONE;
            row.put(TurnTableSet.entry(TurnTableSet.CLASS_HOST, node), injected);
            row.put(TurnTableSet.entry(TurnTableSet.CLASS_ROW, node), toColumn);
            row.put(TurnTableSet.entry(TurnTableSet.CLASS_COLUMN, node), toRow);
        }
    }

    /** Ports that the hosts of a destination take in turn. */
    private static final class InTurn {
        private final byte[] ports;
        private int next;

        InTurn(byte[] ports, int spread) {
            this.ports = ports;
            next = ports.length == 0 ? 0 : spread % ports.length;
        }

        int next() {
            if (ports.length == 0) {
                return TurnTableSet.NONE;
            }
            int port = ports[next] & 0xff;
            next = next + 1 < ports.length ? next + 1 : 0;
            return port;
        }
    }

    private boolean alive(int destination) {
        return tables.state().alive(destination / grid.columns(), destination % grid.columns());
    }

    private void putAtRoot(int destination, byte[] ports) {
        InTurn inTurn = new InTurn(ports, 0);
        for (int i = 0; i < hosts.count(destination); i++) {
            row.put(TurnTableSet.entry(TurnTableSet.CLASS_HOST, hosts.node(destination, i)), inTurn.next());
        }
    }

    /** Ports of a leaf by which a turn is made. What leads to a primary leaf is the same for all destinations that have it. */
    private byte[] leafPorts(int leaf, Turn turn, int destination) {
        boolean byRowHere = turn == Turn.ROW;
        int primary = byRowHere
                ? tables.rowPrimary(place.row(), destination)
                : tables.columnPrimary(place.column(), destination);
        int own = byRowHere ? place.column() : place.row();
        byte[][] known = byRowHere ? byRow : byColumn;
        byte[][] all = byRowHere ? ports.row() : ports.column();
        if (primary < 0 || primary == own || !joined(byRowHere, own, primary)) {
            return SwitchPorts.inTurn(tables.rootsOnward(leaf, turn, destination), all);
        }
        if (known[primary] == null) {
            known[primary] = SwitchPorts.inTurn(tables.rootsOnward(leaf, turn, destination), all);
        }
        return known[primary];
    }

    private boolean joined(boolean inRow, int own, int other) {
        LineState line =
                inRow ? tables.state().row(place.row()) : tables.state().column(place.column());
        return line.joined(own, other);
    }

    private byte[] rowRootPorts(int destination) {
        if (!alive(destination)) {
            return NO_PORTS;
        }
        int primary = tables.rowPrimary(place.row(), destination);
        return primary >= 0 && ports.row()[primary].length > 0
                ? ports.row()[primary]
                : spares(
                        tables.rowSparesOf(place.row(), destination),
                        ports.row(),
                        tables.spread(Turn.COLUMN, destination));
    }

    private byte[] columnRootPorts(int destination) {
        if (!alive(destination)) {
            return NO_PORTS;
        }
        int primary = tables.columnPrimary(place.column(), destination);
        return primary >= 0 && ports.column()[primary].length > 0
                ? ports.column()[primary]
                : spares(
                        tables.columnSparesOf(place.column(), destination),
                        ports.column(),
                        tables.spread(Turn.ROW, destination));
    }

    /** Spares in turn, begun elsewhere for each destination. */
    private static byte[] spares(long[] spares, byte[][] ports, int spread) {
        byte[] inTurn = SwitchPorts.inTurn(spares, ports);
        byte[] begun = new byte[inTurn.length];
        for (int i = 0; i < begun.length; i++) {
            begun[i] = inTurn[(i + spread) % begun.length];
        }
        return begun;
    }
}

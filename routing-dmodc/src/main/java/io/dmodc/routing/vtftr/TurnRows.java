package io.dmodc.routing.vtftr;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns of leaves and lines as rows of ports, one state after the other, so that a fault costs what it changes.
 *
 * <p>An entry is the port of one root of a leaf, or of one leaf of a root; where several would do, destinations take them in turn. At a
 * root the entry is the primary leaf if its cable lives, else one of the spares; all of them are {@link TurnTableSet#spares}. Roots of a line that are
 * cabled alike have one row.
 *
 * <p>While lines are whole, what a switch does with a destination is looked at again where the switch itself lost or got a cable, or where
 * a leaf changed that is the destination, or its corner in a line of the switch; and where spares are or were in use. Else everything is.
 * O(switches + changed entries) then, O(switches · destinations) at worst. For one grid, whose views are all comparable; for one thread at a time.
 */
final class TurnRows {
    private static final byte[] NO_PORTS = {};
    private static final SwitchPorts NO_SWITCHES = SwitchPorts.none();

    private @Nullable Made last;

    /** What was made of one state. */
    private record Made(FabricView view, TurnTables tables, HostsOfLeaves hosts, SwitchPorts[] ports, LftRow[] rows) {}

    /**
     * Makes rows.
     *
     * @param tables of a grid of this view's switches
     * @param parallel where the work runs; the result does not depend on it
     */
    TurnTableSet rows(FabricView view, TurnTables tables, Parallel parallel) {
        Made before = last;
        RecognisedGrid grid = tables.state().grid();
        HostsOfLeaves hosts = before == null ? HostsOfLeaves.of(view, grid) : before.hosts;
        SwitchPorts[] ports = before == null ? new SwitchPorts[view.switchCount()] : before.ports.clone();
        BitSet anew = switchesAnew(before, view, tables);
        for (int s = anew.nextSetBit(0); s >= 0; s = anew.nextSetBit(s + 1)) {
            ports[s] = view.alive(s) ? SwitchPorts.of(grid, view, s) : NO_SWITCHES;
        }
        LineRows lines = before == null
                ? new LineRows(view, tables, hosts, ports)
                : new LineRows(
                        view, tables, hosts, ports, before.rows, new DirtyDestinations(before.tables, tables), anew);
        parallel.forEach(lines.count(), lines::make);
        LftRow[] rows = lines.rows();
        last = new Made(view, tables, hosts, ports, rows);
        return new TurnTableSet(view.epoch(), view.nodeCount(), rows, s -> spares(view, tables, hosts, s));
    }

    /** Switches of which every entry is looked at. */
    private static BitSet switchesAnew(@Nullable Made before, FabricView view, TurnTables tables) {
        BitSet anew = new BitSet();
        if (before == null || !before.tables.state().whole() || !tables.state().whole()) {
            anew.set(0, view.switchCount());
            return anew;
        }
        for (int s : view.switchesChangedSince(before.view)) {
            anew.set(s);
        }
        return anew;
    }

    /** By destination index the ports by which a root can send packets to spares, its own entry's among them; none at a leaf. */
    private static byte[][] spares(FabricView view, TurnTables tables, HostsOfLeaves hosts, int s) {
        byte[][] spares = new byte[view.nodeCount()][];
        Arrays.fill(spares, NO_PORTS);
        RecognisedGrid grid = tables.state().grid();
        GridPlace place = grid.place(s);
        boolean row = place.kind() == GridPlace.Kind.ROW_ROOT;
        if (!row && place.kind() != GridPlace.Kind.COLUMN_ROOT) {
            return spares;
        }
        SwitchPorts ports = SwitchPorts.of(grid, view, s);
        for (int destination = 0; destination < grid.rows() * grid.columns(); destination++) {
            BitSet all = new BitSet();
            if (!tables.state().alive(destination / grid.columns(), destination % grid.columns())) {
                continue;
            }
            if (row) {
                int primary = tables.rowPrimary(place.row(), destination);
                add(all, ports.row(), tables.rowSpares(place.row(), destination), primary);
            } else {
                int primary = tables.columnPrimary(place.column(), destination);
                add(all, ports.column(), tables.columnSpares(place.column(), destination), primary);
            }
            byte[] ascending = all.cardinality() < 2 ? NO_PORTS : ascending(all);
            for (int i = 0; i < hosts.count(destination); i++) {
                spares[hosts.node(destination, i)] = ascending;
            }
        }
        return spares;
    }

    private static byte[] ascending(BitSet ports) {
        byte[] ascending = new byte[ports.cardinality()];
        int at = 0;
        for (int port = ports.nextSetBit(0); port >= 0; port = ports.nextSetBit(port + 1)) {
            ascending[at++] = (byte) port;
        }
        return ascending;
    }

    private static void add(BitSet all, byte[][] ports, BitSet spares, int primary) {
        if (primary >= 0) {
            spares.set(primary);
        }
        for (int i = spares.nextSetBit(0); i >= 0; i = spares.nextSetBit(i + 1)) {
            for (byte port : ports[i]) {
                all.set(port & 0xff);
            }
        }
    }
}

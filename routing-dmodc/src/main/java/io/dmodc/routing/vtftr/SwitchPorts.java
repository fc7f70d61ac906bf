package io.dmodc.routing.vtftr;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.RecognisedGrid;
import java.util.Arrays;

/**
 * By which ports one switch of a grid reaches the switches next to it: a leaf the roots of its row and of its column, a root the leaves
 * of its line. Cables elsewhere are left out: they are not of the grid.
 */
final class SwitchPorts {
    private static final byte[] NO_PORTS = {};

    private final byte[][] row;
    private final byte[][] column;

    private SwitchPorts(byte[][] row, byte[][] column) {
        this.row = row;
        this.column = column;
    }

    /** Of one that is down. */
    static SwitchPorts none() {
        return new SwitchPorts(new byte[0][], new byte[0][]);
    }

    /** O(cables of the switch). */
    static SwitchPorts of(RecognisedGrid grid, FabricView view, int s) {
        GridPlace place = grid.place(s);
        boolean leaf = place.kind() == GridPlace.Kind.LEAF;
        int inRow = leaf ? grid.rowRootCount(place.row()) : grid.columns();
        int inColumn = leaf ? grid.columnRootCount(place.column()) : grid.rows();
        byte[][] row = none(place.kind() == GridPlace.Kind.COLUMN_ROOT ? 0 : inRow);
        byte[][] column = none(place.kind() == GridPlace.Kind.ROW_ROOT ? 0 : inColumn);
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            GridPlace far = grid.place(view.groupRemote(group));
            byte[] ports = ports(view, group);
            if (leaf && far.kind() == GridPlace.Kind.ROW_ROOT && far.row() == place.row()) {
                row[far.root()] = ports;
            } else if (leaf && far.kind() == GridPlace.Kind.COLUMN_ROOT && far.column() == place.column()) {
                column[far.root()] = ports;
            } else if (far.kind() == GridPlace.Kind.LEAF) {
                if (place.kind() == GridPlace.Kind.ROW_ROOT && far.row() == place.row()) {
                    row[far.column()] = ports;
                } else if (place.kind() == GridPlace.Kind.COLUMN_ROOT && far.column() == place.column()) {
                    column[far.row()] = ports;
                }
            }
        }
        return new SwitchPorts(row, column);
    }

    private static byte[][] none(int count) {
        byte[][] ports = new byte[count][];
        Arrays.fill(ports, NO_PORTS);
        return ports;
    }

    private static byte[] ports(FabricView view, int group) {
        byte[] ports = new byte[view.groupSize(group)];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = (byte) view.groupPort(group, i);
        }
        return ports;
    }

    /** True if the same ports lead to the same places. */
    boolean sameAs(SwitchPorts that) {
        return this == that || (Arrays.deepEquals(row, that.row) && Arrays.deepEquals(column, that.column));
    }

    /** At a leaf by number of the root, at a root of a row by column: ports of the live cables, ascending. */
    byte[][] row() {
        return row;
    }

    /** At a leaf by number of the root, at a root of a column by row. */
    byte[][] column() {
        return column;
    }

    /**
     * Ports that take turns when several switches may be sent to: each in turn, and each of its cables in turn.
     *
     * @param ports as above
     * @return empty when none of them has a live cable
     */
    static byte[] inTurn(long[] switches, byte[][] ports) {
        int count = 0;
        int cables = 0;
        for (int i = 0; i < ports.length; i++) {
            if (Bits.get(switches, i) && ports[i].length > 0) {
                count++;
                cables = Math.max(cables, ports[i].length);
            }
        }
        byte[] turns = new byte[count * cables];
        int at = 0;
        for (int cable = 0; cable < cables; cable++) {
            for (int i = 0; i < ports.length; i++) {
                if (Bits.get(switches, i) && ports[i].length > 0) {
                    turns[at++] = ports[i][cable % ports[i].length];
                }
            }
        }
        return turns;
    }
}

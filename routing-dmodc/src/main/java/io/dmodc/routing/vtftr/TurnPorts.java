package io.dmodc.routing.vtftr;

import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.grid.GridPlace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * By which ports a leaf makes one of its two turns: for each destination leaf a port for each of its hosts, who take what would do in turn,
 * begun elsewhere for each line of destinations. What leads to a primary leaf is made once for all destinations that have it. For one thread.
 */
final class TurnPorts {
    private final TurnTables tables;
    private final Turn turn;
    private final int leaf;
    private final LineState line;

    /** Number of the line, and place of the leaf in it. */
    private final int number;

    private final int own;
    private final boolean byCornersOnly;
    private final byte[][] ports;
    private final byte[] none;

    /** By the leaf of the line that is reached as the primary one; for those asked for so far. */
    private final byte[] @Nullable [] straight;

    /** Roots that were led to last, their ports in turn, and these for a destination's hosts by where they begin. */
    private long[] roots;

    private byte[] inTurn;
    private byte[] @Nullable [] begun;

    /**
     * @param turn {@link Turn#ROW} or {@link Turn#COLUMN}
     * @param place of the leaf
     * @param hosts of the leaf with most
     * @param like of a leaf of the same grid, used by the same thread; if that has the same ports object the very same arrays are given where they are equal
     */
    TurnPorts(TurnTables tables, Turn turn, GridPlace place, SwitchPorts ports, int hosts, @Nullable TurnPorts like) {
        this.tables = tables;
        this.turn = turn;
        GridState state = tables.state();
        boolean row = turn == Turn.ROW;
        leaf = place.row() * state.columns() + place.column();
        line = row ? state.row(place.row()) : state.column(place.column());
        number = row ? place.row() : place.column();
        own = row ? place.column() : place.row();
        this.ports = row ? ports.row() : ports.column();
        byCornersOnly = tables.paths().byCornersOnly();
        straight = new byte[row ? state.columns() : state.rows()][];
        if (like != null && this.ports == like.ports) {
            none = like.none;
            roots = like.roots;
            inTurn = like.inTurn;
            begun = like.begun;
        } else {
            none = new byte[hosts];
            Arrays.fill(none, (byte) TurnTableSet.NONE);
            roots = new long[0];
            inTurn = none;
            begun = new byte[straight.length][];
        }
    }

    /** To no host. */
    byte[] none() {
        return none;
    }

    /**
     * By host of leaf (rd, cd), which is alive, an unsigned port, or {@link TurnTableSet#NONE}; not to be changed. Longer than there are hosts
     * perhaps.
     */
    byte[] towards(int rd, int cd) {
        int corner = turn == Turn.ROW ? cd : rd;
        byte[] made = straight[corner];
        if (made != null && (byCornersOnly || isPrimary(rd, cd))) {
            return made;
        }
        made = make(rd, cd);
        if (corner != own && line.joined(own, corner) && isPrimary(rd, cd)) {
            straight[corner] = made;
        }
        return made;
    }

    private boolean isPrimary(int rd, int cd) {
        int primary = turn == Turn.ROW
                ? tables.paths().rowPrimary(number, rd, cd)
                : tables.paths().columnPrimary(number, rd, cd);
        return primary >= 0;
    }

    private byte[] make(int rd, int cd) {
        int destination = rd * tables.state().columns() + cd;
        long[] onward = tables.rootsOnward(leaf, turn, destination);
        if (!Arrays.equals(roots, onward)) {
            roots = onward;
            inTurn = SwitchPorts.inTurn(onward, ports);
            begun = new byte[straight.length][];
        }
        int spread = tables.spread(turn, destination);
        byte[] made = begun[spread];
        if (made == null) {
            made = inTurn.length == 0 ? none : begunAt(spread);
            begun[spread] = made;
        }
        return made;
    }

    private byte[] begunAt(int spread) {
        byte[] made = new byte[none.length];
        for (int i = 0; i < made.length; i++) {
            made[i] = inTurn[(i + spread) % inTurn.length];
        }
        return made;
    }
}

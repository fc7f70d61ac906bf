package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/**
 * The best that can be told to switches where others forward by rows that cannot be replaced, one destination after the other.
 *
 * <p>A switch is safe from above if packets that came down to it are delivered by going on down, and safe from below if those
 * that came up to it, or begin there, are delivered by climbing and then descending; for one that cannot be told
 * anything, whichever of its rows it has. From the destination up, each switch above a safe one is safe from above if
 * it can be told to go there, or all its rows do; one that may keep an entry, if both hold. From the top down, each switch below one that is safe from below is so
 * likewise. What is safe from above is safe from below, and going down serves both, so no choice made on the way costs another
 * switch anything: a switch that is not safe is not served by any tables.
 *
 * <p>The leaf of the destination is safe from above, too, if it may drop what comes to it: every way ends there, so no other one is better,
 * and as it may not drop them either, the others are to send them there.
 *
 * <p>A switch keeps its wanted port where that is safe. So all that are not {@linkplain ConcernedSwitches concerned} keep theirs, and are as safe as it says.
 * O(ports of concerned switches × ranks) per destination. Not thread-safe; its arrays are used again.
 */
public final class HeldRowWays {
    private final FabricView view;
    private final TableColumn wanted;
    private final HeldRows held;
    private final PortPeers peers;
    private final PortPeers carry;

    /** The last destination for which a switch was concerned, and what was found then. */
    private final int[] foundBy;

    /** The last destination for which a concerned switch right below was safe from above. */
    private final int[] safeBelow;

    private final boolean[] safeFromAbove;
    private final boolean[] safeFromBelow;
    private final int[] port;
    private int finds;

    /** Ports that will do: of one switch. */
    private final int[] choices = new int[FabricView.PORT_MAX];

    /** The destination looked at: column, switch, port. */
    private int column;

    private int home;
    private int exit;

    /**
     * @param works the same fabric with links that carry packets and are not to be used
     * @param wanted tables that would be right if every switch could be told
     */
    public HeldRowWays(FabricView view, FabricView works, TableColumn wanted, HeldRows held) {
        this.view = view;
        this.wanted = wanted;
        this.held = held;
        peers = new PortPeers(view);
        carry = new PortPeers(works);
        int switchCount = view.switchCount();
        foundBy = new int[switchCount];
        safeBelow = new int[switchCount];
        safeFromAbove = new boolean[switchCount];
        safeFromBelow = new boolean[switchCount];
        port = new int[switchCount];
    }

    /**
     * Finds ways to the destination that the column is turned to: a host that is somewhere, behind a live switch.
     *
     * @param concerned by switch index
     */
    public void find(BitSet concerned) {
        finds++;
        column = wanted.destination();
        home = view.nodeSwitch(column);
        exit = view.nodePort(column);
        for (int s = concerned.nextSetBit(0); s >= 0; s = concerned.nextSetBit(s + 1)) {
            foundBy[s] = finds;
            safeFromAbove[s] = false;
            safeFromBelow[s] = false;
            port[s] = LftSet.NO_ROUTE;
        }
        for (int rank = FabricView.UNRANKED; rank <= view.rankMax(); rank++) {
            for (int s = concerned.nextSetBit(0); s >= 0; s = concerned.nextSetBit(s + 1)) {
                if (view.rank(s) == rank && view.alive(s) && (rank >= 0 || s == home)) {
                    lookDown(s);
                }
            }
        }
        for (int rank = view.rankMax(); rank >= 0; rank--) {
            for (int s = concerned.nextSetBit(0); s >= 0; s = concerned.nextSetBit(s + 1)) {
                if (view.rank(s) == rank && view.alive(s) && !safeFromAbove[s]) {
                    lookUp(s);
                }
            }
        }
    }

    /**
     * Where all entries are right a switch that can descend has one that leads down, and elsewhere all switches are concerned: so there is a
     * safe one below only where one of both says so.
     */
    private void lookDown(int s) {
        int next = wanted.next(s);
        if (s != home && safeBelow[s] != finds && (next < 0 || !view.isDown(s, next))) {
            return;
        }
        port[s] = delivers(s, wanted.port(s)) ? wanted.port(s) : pick(s, true);
        boolean safe = !held.isTold(s) || port[s] != LftSet.NO_ROUTE;
        for (LftRow row : held.of(s, column)) {
            safe = safe && (delivers(s, row.port(column)) || dropsAtHome(s, row.port(column)));
        }
        safeFromAbove[s] = safe;
        safeFromBelow[s] = safe;
        for (int group = view.groupStart(s); safe && group < view.groupEnd(s); group++) {
            if (view.isUp(s, view.groupRemote(group))) {
                safeBelow[view.groupRemote(group)] = finds;
            }
        }
    }

    private void lookUp(int s) {
        if (port[s] == LftSet.NO_ROUTE) {
            port[s] = climbs(s, wanted.port(s)) ? wanted.port(s) : pick(s, false);
        }
        boolean safe = !held.isTold(s) || port[s] != LftSet.NO_ROUTE;
        for (LftRow row : held.of(s, column)) {
            safe &= delivers(s, row.port(column)) || climbs(s, row.port(column));
        }
        safeFromBelow[s] = safe;
    }

    /** By this port a packet comes to the host, or down to a switch that is safe from above. */
    private boolean delivers(int s, int p) {
        if (s == home) {
            return p == exit;
        }
        int below = peers.peer(s, p);
        return below >= 0 && view.isDown(s, below) && safeFromAbove(below);
    }

    private boolean dropsAtHome(int s, int p) {
        return s == home && carry.peer(s, p) < 0;
    }

    private boolean climbs(int s, int p) {
        int above = peers.peer(s, p);
        return above >= 0 && view.isUp(s, above) && safeFromBelow(above);
    }

    /** One of the ports that will do, another one for each destination. */
    private int pick(int s, boolean down) {
        int count = 0;
        for (int p = 1; p <= view.portCount(s); p++) {
            if (down ? delivers(s, p) : climbs(s, p)) {
                choices[count++] = p;
            }
        }
        return count == 0 ? LftSet.NO_ROUTE : choices[column % count];
    }

    /** True if packets that begin at this switch, or came up to it, are delivered, or dropped by the leaf of the destination alone. */
    public boolean safeFromBelow(int s) {
        return foundBy[s] == finds ? safeFromBelow[s] : wanted.port(s) != LftSet.NO_ROUTE;
    }

    /** True if packets that came down to this switch are delivered, or dropped by the leaf of the destination alone. */
    public boolean safeFromAbove(int s) {
        if (foundBy[s] == finds) {
            return safeFromAbove[s];
        }
        int next = wanted.next(s);
        return s == home ? wanted.port(s) == exit : next >= 0 && view.isDown(s, next);
    }

    /**
     * Where this switch is to send packets to the destination; no route if it cannot serve any. For one that cannot be told
     * anything, where it is to send them once it can.
     */
    public int port(int s) {
        return foundBy[s] == finds ? port[s] : wanted.port(s);
    }
}

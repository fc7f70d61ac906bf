package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.BitSet;

/**
 * Follows the packets of all hosts to one destination after the other where some switches forward by rows that cannot be
 * replaced. A packet at a switch of which several rows are possible may take any of them, and the worst end counts.
 *
 * <p>A way climbs, then descends; whatever else it does ends it here as a turn. So a walk is at most two hops per rank long,
 * and loops need no look of their own: every loop turns somewhere. O(switches × possible rows) per destination. Not
 * thread-safe; its arrays are used again.
 */
public final class HeldRowWalk {
    private static final byte DELIVERED = 1;
    private static final byte DROPPED = 2;
    private static final byte TURNED = 3;

    private static final int NOBODY = -1;

    private final FabricView view;
    private final HeldRows held;
    private final PortPeers peers;

    /** By switch and whether the packet has descended (2 s + 1) or not: the end, and which walk found it. */
    private final byte[] end;

    private final int[] foundBy;

    /** Beside {@link #end}: the last switch on the way that cannot be told anything, if the end is bad. */
    private final int[] culprit;

    private final BitSet culprits = new BitSet();
    private int walks;
    private int turned;
    private int lost;

    /** The destination looked at: column, switch, port. */
    private int column;

    private int home;
    private int exit;

    public HeldRowWalk(FabricView view, HeldRows held) {
        this.view = view;
        this.held = held;
        peers = new PortPeers(view);
        end = new byte[2 * view.switchCount()];
        foundBy = new int[end.length];
        culprit = new int[end.length];
    }

    /**
     * Walks from every switch with hosts that {@code reference} routes from.
     *
     * @param d node index of a host that is somewhere, behind a live switch
     * @param tables of the switches that can be told what to hold
     * @param reference tables by which all that have a way are delivered
     */
    public void walk(int d, LftSet tables, LftSet reference) {
        walks++;
        turned = 0;
        lost = 0;
        culprits.clear();
        column = d;
        home = view.nodeSwitch(d);
        exit = view.nodePort(d);
        for (int target = 0; target < view.targetCount(); target++) {
            int s = view.targetSwitch(target);
            if (view.alive(s) && reference.port(s, d) != LftSet.NO_ROUTE) {
                count(s, follow(s, 0, tables));
            }
        }
    }

    private void count(int source, byte found) {
        turned += found == TURNED ? 1 : 0;
        lost += found == DELIVERED ? 0 : 1;
        int who = culprit[2 * source];
        if (found != DELIVERED && who != NOBODY && who != source) {
            culprits.set(who);
        }
    }

    /** Sources whose packets turn up after going down, or go where they came from: some of them for ever. */
    public int turned() {
        return turned;
    }

    /** Sources whose packets do not come to the destination, turned ones included. */
    public int lost() {
        return lost;
    }

    /** On each bad way from another switch, the last one that cannot be told anything. */
    public BitSet culprits() {
        return (BitSet) culprits.clone();
    }

    private byte follow(int s, int descended, LftSet tables) {
        int at = 2 * s + descended;
        if (foundBy[at] == walks) {
            return end[at];
        }
        LftRow[] rows = held.of(s);
        byte worst = 0;
        int who = NOBODY;
        boolean cannotBeTold = rows.length > 0;
        for (int i = 0; i < Math.max(1, rows.length); i++) {
            int port = (cannotBeTold ? rows[i] : tables.row(s)).port(column);
            byte found = leave(s, port, descended, tables);
            if (found > worst) {
                worst = found;
                who = found == DELIVERED ? NOBODY : culpritBehind(s, port, descended, cannotBeTold);
            }
        }
        foundBy[at] = walks;
        end[at] = worst;
        culprit[at] = who;
        return worst;
    }

    private byte leave(int s, int port, int descended, LftSet tables) {
        if (s == home && port == exit) {
            return DELIVERED;
        }
        int next = peers.peer(s, port);
        if (next < 0) {
            return DROPPED;
        }
        if (view.isDown(s, next)) {
            return follow(next, 1, tables);
        }
        return view.isUp(s, next) && descended == 0 ? follow(next, 0, tables) : TURNED;
    }

    /** Who of those behind this port cannot be told anything, else this switch if it cannot. */
    private int culpritBehind(int s, int port, int descended, boolean cannotBeTold) {
        int next = peers.peer(s, port);
        int behind = NOBODY;
        if (next >= 0 && view.isDown(s, next)) {
            behind = culprit[2 * next + 1];
        } else if (next >= 0 && view.isUp(s, next) && descended == 0) {
            behind = culprit[2 * next];
        }
        return behind != NOBODY ? behind : cannotBeTold ? s : NOBODY;
    }
}

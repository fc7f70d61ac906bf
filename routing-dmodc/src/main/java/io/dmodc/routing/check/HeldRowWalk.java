package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Follows the packets of hosts to one destination after the other where some switches forward by rows that cannot be
 * replaced. A packet at a switch of which several rows are possible may take any of them, and the worst end counts. So it does of one that is
 * sent over a cable that is not in the view, as it is held down, drained or said to be down: it may be dropped, or come out at the other end.
 *
 * <p>A way climbs, then descends; whatever else it does ends it here as a turn. So a walk is at most two hops per rank long,
 * and loops need no look of their own: every loop turns somewhere. O((sources + switches on their ways) × possible rows) per destination. Not
 * thread-safe; its arrays are used again.
 */
public final class HeldRowWalk {
    private static final byte DELIVERED = 1;
    private static final byte DROPPED_AT_HOME = 2;
    private static final byte DROPPED = 3;
    private static final byte TURNED = 4;

    private final FabricView view;
    private final HeldRows held;
    private final PortPeers peers;
    private final PortPeers carry;

    /** By switch and whether the packet has descended (2 s + 1) or not: the end, and which walk found it. */
    private final byte[] end;

    private final int[] foundBy;

    private int walks;
    private int turned;
    private int astray;

    /** Switches whose packets do not come to the destination. */
    private final BitSet lostFrom = new BitSet();

    /** The destination looked at: column, switch, port. */
    private int column;

    private int home;
    private int exit;

    /** Which switches may send nothing instead of what turns, and which do. */
    private IntPredicate mayStop = s -> false;

    private final BitSet stopped = new BitSet();

    /** @param works the same fabric with links that carry packets and are not to be used */
    public HeldRowWalk(FabricView view, FabricView works, HeldRows held) {
        this.view = view;
        this.held = held;
        peers = new PortPeers(view);
        carry = new PortPeers(works);
        end = new byte[2 * view.switchCount()];
        foundBy = new int[end.length];
    }

    /**
     * Walks to one destination, a host that is somewhere, behind a live switch; from switches with hosts. One that has no wanted route may send packets all the
     * same, by a row that it holds: it counts where these turn, and is not lost.
     *
     * @param wanted tables by which all that have a way are delivered, turned to the destination
     * @param from by switch index; the packets of all others are delivered, or have no way
     * @param ports of the switches that can be told what to hold: the one for this destination, by switch
     * @param stops which of these, the last ones before packets turn, send nothing instead: {@link #stopped}
     */
    public void walk(TableColumn wanted, BitSet from, IntUnaryOperator ports, IntPredicate stops) {
        mayStop = stops;
        stopped.clear();
        walks++;
        turned = 0;
        astray = 0;
        lostFrom.clear();
        column = wanted.destination();
        home = view.nodeSwitch(column);
        exit = view.nodePort(column);
        for (int s = from.nextSetBit(0); s >= 0; s = from.nextSetBit(s + 1)) {
            if (view.targetOfSwitch(s) >= 0 && view.alive(s)) {
                byte found = follow(s, 0, ports);
                boolean routed = wanted.port(s) != LftSet.NO_ROUTE;
                turned += found == TURNED ? 1 : 0;
                astray += !routed || found == DELIVERED || found == DROPPED_AT_HOME ? 0 : 1;
                lostFrom.set(s, routed && found != DELIVERED);
            }
        }
    }

    /** Sources whose packets turn up after going down, or go where they came from: some of them for ever. */
    public int turned() {
        return turned;
    }

    /**
     * Sources whose packets do not come to the leaf of the destination, or turn there. One that may drop them in its hands takes them from all sources
     * alike: no other table changes that.
     */
    public int astray() {
        return astray;
    }

    /** Sources whose packets do not come to the destination: those that go astray, and those that its leaf drops. */
    public int lost() {
        return lostFrom.cardinality();
    }

    /** The {@linkplain #lost() same} by switch index, in ascending order. */
    public IntStream lostFrom() {
        return lostFrom.stream();
    }

    /** True if this switch is the last that may stop before some packets turn. */
    public boolean stopped(int s) {
        return stopped.get(s);
    }

    private byte follow(int s, int descended, IntUnaryOperator ports) {
        int at = 2 * s + descended;
        if (foundBy[at] == walks) {
            return end[at];
        }
        byte worst = held.isTold(s) ? leaveAsTold(s, descended, ports) : 0;
        for (LftRow row : held.of(s, column)) {
            worst = (byte) Math.max(worst, leave(s, row.port(column), descended, ports));
        }
        foundBy[at] = walks;
        end[at] = worst;
        return worst;
    }

    private byte leaveAsTold(int s, int descended, IntUnaryOperator ports) {
        byte found = leave(s, ports.applyAsInt(s), descended, ports);
        if (found == TURNED && mayStop.test(s)) {
            stopped.set(s);
            return DROPPED;
        }
        return found;
    }

    private byte leave(int s, int port, int descended, IntUnaryOperator ports) {
        if (s == home && port == exit) {
            return DELIVERED;
        }
        int next = peers.peer(s, port);
        if (next >= 0) {
            return pass(s, next, descended, ports);
        }
        if (s == home && carry.peer(s, port) < 0) {
            return DROPPED_AT_HOME;
        }
        int cabled = peers.cabled(s, port);
        boolean strays = cabled >= 0 && view.alive(cabled);
        return strays ? (byte) Math.max(DROPPED, pass(s, cabled, descended, ports)) : DROPPED;
    }

    private byte pass(int s, int next, int descended, IntUnaryOperator ports) {
        if (view.isDown(s, next)) {
            return follow(next, 1, ports);
        }
        return view.isUp(s, next) && descended == 0 ? follow(next, 0, ports) : TURNED;
    }
}

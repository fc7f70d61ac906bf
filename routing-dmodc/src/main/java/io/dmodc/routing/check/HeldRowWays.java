package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.stream.IntStream;

/**
 * The best that can be told to switches where others forward by rows that cannot be replaced, one destination after the other.
 *
 * <p>A switch is safe from above if packets that came down to it are delivered by going on down, and safe from below if those
 * that came up to it, or begin there, are delivered by climbing and then descending; for one that cannot be told
 * anything, whichever of its rows it has. From the destination up, each switch above a safe one is safe from above if
 * it can be told to go there, or all its rows do. From the top down, each switch below one that is safe from below is so
 * likewise. What is safe from above is safe from below, and going down serves both, so no choice made on the way costs another
 * switch anything: a switch that is not safe is not served by any tables.
 *
 * <p>The leaf of the destination is safe from above, too, if it may drop what comes to it: every way ends there, so no other one is better,
 * and as it may not drop them either, the others are to send them there.
 *
 * <p>A switch keeps its wanted port where that is safe. O(switches + links used) per destination. Not thread-safe; its arrays
 * are used again.
 */
public final class HeldRowWays {
    private final FabricView view;
    private final HeldRows held;
    private final PortPeers peers;
    private final PortPeers carry;

    /** Live switches with a rank, the highest first. */
    private final int[] fromTop;

    /** Switches to look at upwards, each once: a queue. */
    private final int[] queue;

    private final int[] queuedBy;
    private final int[] safeFromAbove;
    private final int[] safeFromBelow;
    private final int[] port;
    private int finds;

    /** @param works the same fabric with links that carry packets and are not to be used */
    public HeldRowWays(FabricView view, FabricView works, HeldRows held) {
        this.view = view;
        this.held = held;
        peers = new PortPeers(view);
        carry = new PortPeers(works);
        int switchCount = view.switchCount();
        fromTop = IntStream.range(0, switchCount)
                .filter(s -> view.alive(s) && view.rank(s) >= 0)
                .boxed()
                .sorted((a, b) -> Integer.compare(view.rank(b), view.rank(a)))
                .mapToInt(Integer::intValue)
                .toArray();
        queue = new int[switchCount];
        queuedBy = new int[switchCount];
        safeFromAbove = new int[switchCount];
        safeFromBelow = new int[switchCount];
        port = new int[switchCount];
    }

    /**
     * Finds ways to one destination.
     *
     * @param d node index of a host that is somewhere, behind a live switch
     * @param wanted tables that would be right if every switch could be told
     */
    public void find(int d, LftSet wanted) {
        finds++;
        ascend(d, wanted);
        for (int s : fromTop) {
            if (safeFromAbove[s] != finds) {
                lookUp(s, d, wanted.port(s, d));
            }
        }
    }

    /** In the order of ranks: when a switch is looked at, all below it were. */
    private void ascend(int d, LftSet wanted) {
        int home = view.nodeSwitch(d);
        int count = 0;
        queue[count++] = home;
        queuedBy[home] = finds;
        for (int i = 0; i < count; i++) {
            int s = queue[i];
            if (!lookDown(s, d, wanted.port(s, d))) {
                continue;
            }
            safeFromAbove[s] = finds;
            safeFromBelow[s] = finds;
            for (int p = 1; p <= view.portCount(s); p++) {
                int above = peers.peer(s, p);
                if (above >= 0 && view.isUp(s, above) && queuedBy[above] != finds) {
                    queuedBy[above] = finds;
                    queue[count++] = above;
                }
            }
        }
    }

    private boolean lookDown(int s, int d, int wantedPort) {
        port[s] = delivers(s, wantedPort, d) ? wantedPort : pick(s, d, true);
        LftRow[] rows = held.of(s);
        boolean safe = rows.length > 0 || port[s] != LftSet.NO_ROUTE;
        for (LftRow row : rows) {
            safe &= delivers(s, row.port(d), d) || dropsAtHome(s, row.port(d), d);
        }
        return safe;
    }

    private void lookUp(int s, int d, int wantedPort) {
        if (queuedBy[s] != finds || port[s] == LftSet.NO_ROUTE) {
            port[s] = climbs(s, wantedPort) ? wantedPort : pick(s, d, false);
        }
        LftRow[] rows = held.of(s);
        boolean safe = rows.length > 0 || port[s] != LftSet.NO_ROUTE;
        for (LftRow row : rows) {
            safe &= delivers(s, row.port(d), d) || climbs(s, row.port(d));
        }
        if (safe) {
            safeFromBelow[s] = finds;
        }
    }

    /** By this port a packet comes to the host, or down to a switch that is safe from above. */
    private boolean delivers(int s, int p, int d) {
        if (s == view.nodeSwitch(d)) {
            return p == view.nodePort(d);
        }
        int below = peers.peer(s, p);
        return below >= 0 && view.isDown(s, below) && safeFromAbove[below] == finds;
    }

    private boolean dropsAtHome(int s, int p, int d) {
        return s == view.nodeSwitch(d) && carry.peer(s, p) < 0;
    }

    private boolean climbs(int s, int p) {
        int above = peers.peer(s, p);
        return above >= 0 && view.isUp(s, above) && safeFromBelow[above] == finds;
    }

    /** One of the ports that will do, another one for each destination. */
    private int pick(int s, int d, boolean down) {
        int count = 0;
        for (int p = 1; p <= view.portCount(s); p++) {
            count += down ? delivers(s, p, d) ? 1 : 0 : climbs(s, p) ? 1 : 0;
        }
        int skip = count == 0 ? 0 : d % count;
        for (int p = 1; p <= view.portCount(s); p++) {
            if ((down ? delivers(s, p, d) : climbs(s, p)) && skip-- == 0) {
                return p;
            }
        }
        return LftSet.NO_ROUTE;
    }

    /** True if packets that begin at this switch, or came up to it, are delivered, or dropped by the leaf of the destination alone. */
    public boolean safeFromBelow(int s) {
        return safeFromBelow[s] == finds;
    }

    /** True if packets that came down to this switch are delivered, or dropped by the leaf of the destination alone. */
    public boolean safeFromAbove(int s) {
        return safeFromAbove[s] == finds;
    }

    /**
     * Where this switch is to send packets to the destination; no route if it cannot serve any. For one that cannot be told
     * anything, where it is to send them once it can.
     */
    public int port(int s) {
        return port[s];
    }
}

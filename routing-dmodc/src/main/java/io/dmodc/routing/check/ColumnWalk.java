package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Looks at one destination whose entries are not all as expected, by following packets hop by hop.
 *
 * <p>The entries for one destination give every switch at most one next switch. O(switches + sources × hops). Not
 * thread-safe.
 */
final class ColumnWalk {
    private static final byte CLIMBED = 1;
    private static final byte DESCENDED = 2;
    private static final byte UP = 1;
    private static final byte DOWN = -1;

    private final FabricView view;
    private final PortPeers peers;
    private final Destinations destinations;
    private final SurplusEntryRule surplus;
    private final Findings findings;
    private final int[] seenBy;
    private final byte[] arrivals;

    /** By switch, where its entry leads, −1 if nowhere, and whether that is {@link #UP}, {@link #DOWN} or neither. */
    private final int[] next;

    private final byte[] step;

    /** By switch, the entries for the destination looked at. */
    private byte[] entries = {};

    /** By switch, the rank at which shortest legal paths to it turn. */
    private int[] turn = {};

    ColumnWalk(PortPeers peers, Destinations destinations, SurplusEntryRule surplus, Findings findings) {
        this.view = peers.view;
        this.peers = peers;
        this.destinations = destinations;
        this.surplus = surplus;
        this.findings = findings;
        this.seenBy = new int[view.switchCount()];
        this.arrivals = new byte[view.switchCount()];
        this.next = new int[view.switchCount()];
        this.step = new byte[view.switchCount()];
    }

    /**
     * Adds all that is wrong with destination {@code d}.
     *
     * @param column its entries, by switch
     * @param turns the turn ranks towards its switch, by switch; {@link TurnSets#NONE} without legal path
     */
    void check(int d, byte[] column, int[] turns) {
        entries = column;
        turn = turns;
        findSteps();
        checkEntries(d);
        checkDelivery(d);
        findLoops(d);
        findTurns(d);
    }

    private void findSteps() {
        for (int s = 0; s < next.length; s++) {
            int to = peers.peer(s, entries[s] & 0xff);
            next[s] = to;
            step[s] = to < 0 ? 0 : view.isUp(s, to) ? UP : view.isDown(s, to) ? DOWN : 0;
        }
    }

    private void checkEntries(int d) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (!view.alive(s)) {
                continue;
            }
            int port = entries[s] & 0xff;
            boolean legal = turn[s] != TurnSets.NONE;
            if (port == LftSet.NO_ROUTE) {
                if (legal) {
                    findings.add(TableProperty.LIVE_ENTRIES, s, d);
                }
            } else if (!exits(s, d)) {
                boolean live = next[s] >= 0;
                findings.surplusEntries += legal ? 0 : 1;
                if (!live || (!legal && surplus == SurplusEntryRule.FORBIDDEN)) {
                    findings.add(TableProperty.LIVE_ENTRIES, s, d);
                }
            }
        }
    }

    private boolean exits(int s, int d) {
        return s == destinations.home[d] && (entries[s] & 0xff) == destinations.exit[d];
    }

    private void checkDelivery(int d) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (destinations.source[s] && turn[s] != TurnSets.NONE) {
                int hops = 2 * turn[s] - view.rank(s) - view.rank(destinations.home[d]);
                if (!arrivesLegally(s, d, hops)) {
                    findings.add(TableProperty.MINIMAL_DELIVERY, s, d);
                }
            }
        }
    }

    private boolean arrivesLegally(int source, int d, int hops) {
        int at = source;
        boolean descending = false;
        for (int hop = 0; hop < hops; hop++) {
            if (step[at] != DOWN && (step[at] != UP || descending)) {
                return false;
            }
            descending = step[at] == DOWN;
            at = next[at];
        }
        return exits(at, d);
    }

    /** Each loop counts once, under the lowest switch that runs into it. */
    private void findLoops(int d) {
        Arrays.fill(seenBy, -1);
        for (int start = 0; start < seenBy.length; start++) {
            if (!view.alive(start)) {
                continue;
            }
            int at = start;
            while (at >= 0 && seenBy[at] < 0) {
                seenBy[at] = start;
                at = next[at];
            }
            if (at >= 0 && seenBy[at] == start) {
                findings.add(TableProperty.NO_LOOP, start, d);
            }
        }
    }

    /** A switch that turns packets, or sends them over a link neither up nor down, counts once per destination. */
    private void findTurns(int d) {
        Arrays.fill(arrivals, (byte) 0);
        Arrays.fill(seenBy, 0);
        for (int source = 0; source < arrivals.length; source++) {
            if (destinations.source[source]) {
                walkFor(source, d);
            }
        }
    }

    private void walkFor(int source, int d) {
        int at = source;
        byte arrival = CLIMBED;
        while (at >= 0 && (arrivals[at] & arrival) == 0) {
            arrivals[at] |= arrival;
            int to = next[at];
            if (to >= 0) {
                boolean up = step[at] == UP;
                boolean legal = step[at] == DOWN || (up && arrival == CLIMBED);
                if (!legal && seenBy[at] == 0) {
                    seenBy[at] = 1;
                    findings.add(TableProperty.NO_DOWN_UP_TURN, source, d);
                }
                arrival = up ? CLIMBED : DESCENDED;
            }
            at = to;
        }
    }
}

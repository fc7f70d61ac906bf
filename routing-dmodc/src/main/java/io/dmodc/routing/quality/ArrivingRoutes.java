package io.dmodc.routing.quality;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The tables, reduced to the routes that arrive.
 *
 * <p>A copy of the rows in which an entry is {@link LftSet#NO_ROUTE} when a host's packet that comes to it would be
 * dropped, would loop or would leave at another host. So whoever follows a route from a switch with hosts asks once, at
 * its start, and then walks without a test until it is at the destination's switch. Memory: one byte per (switch,
 * node).
 *
 * <p><b>Nodes.</b> Those whose host is cabled to a live switch, in index order, have a position 0..n−1; the others take
 * no part.
 */
final class ArrivingRoutes {
    /** Columns one piece of work settles: neighbours, since they share the lines of memory they lie in. */
    private static final int COLUMNS = 256;

    final Channels channels;
    /** Node index of a position. */
    final int[] node;
    /** Switch of a node index, −1 for a node that takes no part. */
    final int[] home;
    /** Live switches with nodes, and how many each has. */
    final int[] source;

    final int[] hosts;
    /** Ordered pairs of nodes whose route does not arrive. */
    final long unroutedPairs;

    private final byte[][] rows;

    ArrivingRoutes(FabricView view, LftSet tables, Parallel parallel) {
        if (tables.switchCount() != view.switchCount() || tables.entryCount() != view.nodeCount()) {
            throw new IllegalArgumentException("tables of " + tables.switchCount() + " switches x "
                    + tables.entryCount() + " nodes; expected " + view.switchCount() + " x " + view.nodeCount());
        }
        channels = new Channels(view);
        home = new int[view.nodeCount()];
        hosts = new int[view.switchCount()];
        for (int d = 0; d < home.length; d++) {
            int s = view.isHost(d) ? view.nodeSwitch(d) : -1;
            home[d] = s >= 0 && view.alive(s) ? s : -1;
            if (home[d] >= 0) {
                hosts[s]++;
            }
        }
        node = IntStream.range(0, home.length).filter(d -> home[d] >= 0).toArray();
        source = IntStream.range(0, hosts.length).filter(s -> hosts[s] > 0).toArray();
        rows = new byte[view.switchCount()][tables.entryCount()];
        parallel.forEach(rows.length, s -> tables.copyRow(s, rows[s]));
        unroutedPairs = settleAll(parallel);
    }

    /** True if packets from a node of switch {@code s} arrive at node {@code d}. */
    boolean arrives(int s, int d) {
        return rows[s][d] != (byte) LftSet.NO_ROUTE;
    }

    /**
     * The channel that a packet for {@code d} takes at {@code s}; only on a route that arrives, before its last switch.
     */
    int channel(int s, int d) {
        return channels.channel[s << 8 | (rows[s][d] & 0xff)];
    }

    int nodeCount() {
        return node.length;
    }

    private long settleAll(Parallel parallel) {
        AtomicLong unrouted = new AtomicLong();
        parallel.forEach((node.length + COLUMNS - 1) / COLUMNS, piece -> {
            Settling settling = new Settling();
            int end = Math.min(node.length, (piece + 1) * COLUMNS);
            for (int i = piece * COLUMNS; i < end; i++) {
                settling.settle(node[i]);
            }
            unrouted.addAndGet(settling.unrouted);
        });
        return unrouted.get();
    }

    /** One worker's scratch: which switches on the way to a destination are known to arrive there. */
    private final class Settling {
        private static final byte UNKNOWN = 0;
        private static final byte UNDERWAY = 1;
        private static final byte ARRIVES = 2;
        private static final byte LOST = 3;

        private final byte[] state = new byte[rows.length];
        private final int[] way = new int[rows.length];
        private long unrouted;

        void settle(int d) {
            Arrays.fill(state, UNKNOWN);
            int end = home[d];
            boolean leaves = (rows[end][d] & 0xff) == channels.view.nodePort(d);
            mark(end, d, leaves ? ARRIVES : LOST);
            for (int s : source) {
                follow(s, d);
                unrouted += state[s] == ARRIVES ? 0 : hosts[s];
            }
            unrouted -= leaves ? 0 : 1;
        }

        private void follow(int start, int d) {
            int length = 0;
            int at = start;
            while (at >= 0 && state[at] == UNKNOWN) {
                state[at] = UNDERWAY;
                way[length++] = at;
                int next = channel(at, d);
                at = next < 0 ? -1 : channels.peer[next];
            }
            byte fate = at >= 0 && state[at] == ARRIVES ? ARRIVES : LOST;
            for (int i = 0; i < length; i++) {
                mark(way[i], d, fate);
            }
        }

        private void mark(int s, int d, byte fate) {
            state[s] = fate;
            if (fate == LOST) {
                rows[s][d] = (byte) LftSet.NO_ROUTE;
            }
        }
    }
}

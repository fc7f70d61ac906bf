package io.dmodc.routing.rebalance;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Flows through each live port between switches in each shift, under tables that are being changed.
 *
 * <p>A shift by k sends from position i to position i + k mod n, positions being the nodes with a host on a live switch in
 * index order. A flow (source, destination) is in one shift only, so a counter a channel and shift says all, and moving an
 * entry changes as many counters as flows pass it, times the hops.
 *
 * <p><b>Bounds.</b> Not more than {@value #CELLS_MAX} counters of two bytes: of a fabric with more ports and shifts, shifts
 * are drawn. A copy of the tables, one byte per (switch, node).
 */
final class ShiftLoads {
    /** Most counters. 1,024 nodes of a full fat-tree have all shifts, 8,640 nodes 970 of 8,639. */
    static final int CELLS_MAX = 1 << 25;

    /** From here on one flow more weighs the same. */
    private static final int STEEP_MAX = 12;

    private static final long DRAW_SEED = 1;

    final FabricView view;
    final byte[][] rows;
    /** Node of a position, ascending. */
    final int[] node;
    /** Position of a node, −1 if it takes no part. */
    final int[] position;
    /** Switch of a node, −1 likewise. */
    final int[] home;
    /** Live switches with nodes, ascending. */
    final int[] source;
    /** Positions at a switch. */
    final int[][] positionsAt;
    /** Channel of {@code s << 8 | port}, −1 where no live link to a switch is. */
    final int[] channel;
    /** Switch a channel leads to. */
    final int[] peer;
    /** {@code s << 8 | port} of a channel. */
    final int[] place;

    private final int shifts;
    /** Counter of a distance, −1 for a shift that was not drawn. */
    private final int[] shiftOf;

    private final short[] flows;

    /** @param tables of a strict form of Dmodc: an entry leads to the destination, whoever follows it */
    ShiftLoads(FabricView view, LftSet tables, Parallel parallel) {
        this.view = view;
        rows = new byte[view.switchCount()][tables.entryCount()];
        tables.copyRows(IntStream.range(0, rows.length).toArray(), rows, parallel);
        home = IntStream.range(0, view.nodeCount()).map(this::homeOf).toArray();
        node = IntStream.range(0, home.length).filter(d -> home[d] >= 0).toArray();
        position = new int[home.length];
        Arrays.fill(position, -1);
        IntStream.range(0, node.length).forEach(i -> position[node[i]] = i);
        positionsAt = new int[rows.length][];
        for (int s = 0; s < rows.length; s++) {
            int at = s;
            positionsAt[s] = view.alive(s) && view.hostsOfSwitches()[s] > 0
                    ? IntStream.range(0, node.length)
                            .filter(i -> home[node[i]] == at)
                            .toArray()
                    : new int[0];
        }
        source = IntStream.range(0, rows.length)
                .filter(s -> positionsAt[s].length > 0)
                .toArray();
        channel = new int[rows.length << 8];
        Arrays.fill(channel, -1);
        place = IntStream.range(0, channel.length).filter(this::isChannel).toArray();
        IntStream.range(0, place.length).forEach(c -> channel[place[c]] = c);
        peer = Arrays.stream(place)
                .map(at -> view.peerSwitch(at >> 8, at & 0xff))
                .toArray();
        shiftOf = drawn(node.length, CELLS_MAX / Math.max(1, place.length));
        shifts = (int) Arrays.stream(shiftOf).filter(k -> k >= 0).count();
        flows = new short[place.length * shifts];
        countAll();
    }

    private int homeOf(int d) {
        int s = view.isHost(d) ? view.nodeSwitch(d) : -1;
        return s >= 0 && view.alive(s) ? s : -1;
    }

    private boolean isChannel(int at) {
        int port = at & 0xff;
        return port >= 1 && port <= view.portCount(at >> 8) && view.peerSwitch(at >> 8, port) >= 0;
    }

    /** All shifts by 1..n−1, or {@code most} of them. */
    private static int[] drawn(int nodes, int most) {
        int[] shiftOf = new int[Math.max(1, nodes)];
        Arrays.fill(shiftOf, -1);
        int[] distance = IntStream.range(1, nodes).toArray();
        SplittableRandom random = new SplittableRandom(DRAW_SEED);
        for (int i = 0; i < Math.min(most, distance.length); i++) {
            int other = distance.length <= most ? i : i + random.nextInt(distance.length - i);
            shiftOf[distance[other]] = i;
            distance[other] = distance[i];
        }
        return shiftOf;
    }

    private void countAll() {
        DestinationTree tree = new DestinationTree(this);
        for (int d : node) {
            tree.follow(d);
            for (int i = 0; i < tree.size(); i++) {
                int s = tree.switchAt(i);
                change(channel(s, d), tree, s, 1);
            }
        }
    }

    /** Counter of the shift in which a position sends to another one; −1 if it was not drawn. */
    int shift(int from, int to) {
        int distance = to - from;
        return shiftOf[distance < 0 ? distance + node.length : distance];
    }

    boolean routes(int s, int d) {
        return (rows[s][d] & 0xff) != LftSet.NO_ROUTE;
    }

    /** Channel that packets for a node take at a switch on their way. */
    int channel(int s, int d) {
        return channel[s << 8 | (rows[s][d] & 0xff)];
    }

    private void change(int c, DestinationTree tree, int s, int by) {
        int[] passing = tree.passing(s);
        for (int i = 0; i < tree.passingCount(s); i++) {
            flows[c * shifts + passing[i]] += (short) by;
        }
    }

    /** What weighs less if flows that pass switch {@code s} of a tree leave a channel they take. */
    long leaving(int c, DestinationTree tree, int s) {
        int[] passing = tree.passing(s);
        long change = 0;
        for (int i = 0; i < tree.passingCount(s); i++) {
            change += step((flows[c * shifts + passing[i]] & 0xffff) - 1);
        }
        return change;
    }

    /** What weighs more if flows that pass switch {@code s} of a tree join a channel; if that is {@code enough} or more, perhaps not all of it. */
    long joining(int c, DestinationTree tree, int s, long enough) {
        int[] passing = tree.passing(s);
        int count = tree.passingCount(s);
        long change = 0;
        for (int i = 0; i < count && change < enough; i++) {
            change += step(flows[c * shifts + passing[i]] & 0xffff);
        }
        return change;
    }

    /** What the next flow weighs where so many are: eight times what the last one did, so that the highest decide. */
    private static long step(int count) {
        return 1L << (3 * Math.min(count, STEEP_MAX));
    }

    /** The weight of all flows of a channel. */
    long weight(int c) {
        long weight = 0;
        for (int k = c * shifts; k < (c + 1) * shifts; k++) {
            for (int count = flows[k] & 0xffff; count > 0; count--) {
                weight += step(count - 1);
            }
        }
        return weight;
    }

    /** Moves an entry at a switch of a tree, which is of no use afterwards, and the flows that pass it. */
    void move(DestinationTree tree, int s, int d, int port) {
        int old = channel(s, d);
        int now = channel[s << 8 | port];
        rows[s][d] = (byte) port;
        while (true) {
            change(old, tree, s, -1);
            change(now, tree, s, 1);
            if (peer[old] == peer[now]) {
                return;
            }
            old = channel(peer[old], d);
            now = channel(peer[now], d);
        }
    }
}

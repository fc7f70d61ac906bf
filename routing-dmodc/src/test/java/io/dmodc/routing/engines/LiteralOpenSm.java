package io.dmodc.routing.engines;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * OpenSM's engines read literally: hop counts by switch, target and port, relaxed until nothing changes ({@code minhop})
 * or by a queue that keeps a direction per switch ({@code updn}), then ports one entry at a time. Slow and obvious;
 * shares nothing with the engines.
 */
final class LiteralOpenSm {
    static final int NONE = 255;

    private final FabricView view;

    /** By switch, target and port; port 0 is the fewest. */
    final int[][][] hops;

    private LiteralOpenSm(FabricView view) {
        this.view = view;
        int count = view.switchCount();
        hops = new int[count][count][];
        for (int s = 0; s < count; s++) {
            for (int t = 0; t < count; t++) {
                hops[s][t] = new int[view.portCount(s) + 1];
                Arrays.fill(hops[s][t], NONE);
            }
        }
    }

    static LiteralOpenSm minhop(FabricView view) {
        LiteralOpenSm literal = new LiteralOpenSm(view);
        for (int s = 0; s < view.switchCount(); s++) {
            literal.hops[s][s][0] = view.alive(s) ? 0 : NONE;
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int s = 0; s < view.switchCount(); s++) {
                changed |= literal.learnFromNeighbours(s);
            }
        }
        return literal;
    }

    private boolean learnFromNeighbours(int s) {
        boolean changed = false;
        for (int port = 1; port <= view.portCount(s); port++) {
            int remote = view.peerSwitch(s, port);
            for (int t = 0; remote >= 0 && t < view.switchCount(); t++) {
                int beyond = hops[remote][t][0] + 1;
                if (beyond < hops[s][t][port]) {
                    set(s, t, port, beyond);
                    changed = true;
                }
            }
        }
        return changed;
    }

    private void set(int s, int t, int port, int value) {
        hops[s][t][port] = value;
        hops[s][t][0] = Math.min(hops[s][t][0], value);
    }

    /** One bar above 90 %, no other above 5 %. */
    BitSet roots() {
        BitSet roots = new BitSet();
        long all = liveNodes();
        for (int s = 0; s < view.switchCount(); s++) {
            long[] bars = new long[64];
            for (int node = 0; node < view.nodeCount(); node++) {
                int t = view.nodeSwitch(node);
                if (t >= 0 && view.alive(t) && hops[s][t][0] < bars.length) {
                    bars[hops[s][t][0]]++;
                }
            }
            long high = Arrays.stream(bars).filter(bar -> 10 * bar > 9 * all).count();
            long low = Arrays.stream(bars).filter(bar -> 20 * bar > all).count();
            roots.set(s, view.alive(s) && high == 1 && low == 1);
        }
        return roots;
    }

    private long liveNodes() {
        long count = 0;
        for (int node = 0; node < view.nodeCount(); node++) {
            count += view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node)) ? 1 : 0;
        }
        return count;
    }

    static LiteralOpenSm updn(FabricView view, BitSet roots) {
        LiteralOpenSm literal = new LiteralOpenSm(view);
        int[] rank = ranks(view, roots);
        for (int t = 0; t < view.switchCount(); t++) {
            if (view.alive(t)) {
                literal.searchFrom(t, rank);
            }
        }
        return literal;
    }

    /** Hops to the nearest root, by relaxing all links until nothing changes. */
    static int[] ranks(FabricView view, BitSet roots) {
        int[] rank = new int[view.switchCount()];
        Arrays.setAll(rank, s -> roots.get(s) ? 0 : Integer.MAX_VALUE);
        for (int round = 0; round < rank.length; round++) {
            for (int s = 0; s < rank.length; s++) {
                for (int port = 1; port <= view.portCount(s); port++) {
                    int remote = view.peerSwitch(s, port);
                    if (remote >= 0 && rank[remote] < Integer.MAX_VALUE) {
                        rank[s] = Math.min(rank[s], rank[remote] + 1);
                    }
                }
            }
        }
        return rank;
    }

    static boolean isUp(FabricView view, int[] rank, int from, int to) {
        if (rank[from] == rank[to]) {
            return rank[from] == 0 || Long.compareUnsigned(view.switchGuid(from), view.switchGuid(to)) > 0;
        }
        return rank[from] > rank[to];
    }

    private void searchFrom(int t, int[] rank) {
        boolean[] up = new boolean[rank.length];
        boolean[] queued = new boolean[rank.length];
        Deque<Integer> queue = new ArrayDeque<>(List.of(t));
        hops[t][t][0] = 0;
        up[t] = true;
        while (!queue.isEmpty()) {
            int s = queue.remove();
            queued[s] = false;
            for (int port = 1; port <= view.portCount(s); port++) {
                int remote = view.peerSwitch(s, port);
                if (remote < 0 || (!up[s] && isUp(view, rank, s, remote))) {
                    continue;
                }
                int farPort = view.peerPort(s, port);
                if (hops[s][t][0] + 1 < hops[remote][t][farPort]) {
                    set(remote, t, farPort, hops[s][t][0] + 1);
                    if (!queued[remote]) {
                        up[remote] = isUp(view, rank, s, remote);
                        queued[remote] = true;
                        queue.add(remote);
                    }
                }
            }
        }
    }

    /** Ports of fewest hops, ascending. */
    List<Integer> ports(int s, int t) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 1; s != t && port <= view.portCount(s); port++) {
            if (hops[s][t][port] < NONE && hops[s][t][port] == hops[s][t][0]) {
                ports.add(port);
            }
        }
        return ports;
    }

    /** Rows of tables towards nodes, then of those towards switches. */
    int[][] tables(boolean towardsSwitches) {
        int[][] rows = new int[view.switchCount()][];
        for (int s = 0; s < rows.length; s++) {
            int[] nodes = new int[view.nodeCount()];
            int[] switches = new int[view.switchCount()];
            Arrays.fill(nodes, LftSet.NO_ROUTE);
            Arrays.fill(switches, LftSet.NO_ROUTE);
            int[] paths = new int[256];
            for (int node : order()) {
                int t = view.nodeSwitch(node);
                if (view.alive(s)) {
                    nodes[node] = t == s ? view.nodePort(node) : emptiest(ports(s, t), paths);
                    paths[nodes[node]]++;
                }
            }
            for (int t = 0; t < switches.length; t++) {
                switches[t] = t == s ? 0 : emptiest(ports(s, t), paths);
            }
            rows[s] = towardsSwitches ? switches : nodes;
        }
        return rows;
    }

    private static int emptiest(List<Integer> ports, int[] paths) {
        return ports.stream()
                .min(Comparator.comparingInt((Integer port) -> paths[port]).thenComparing(port -> port))
                .orElse(LftSet.NO_ROUTE);
    }

    private List<Integer> order() {
        List<Integer> order = new ArrayList<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node))) {
                order.add(node);
            }
        }
        order.sort(Comparator.comparingInt((Integer node) -> -nodesAt(view.nodeSwitch(node)))
                .thenComparing(node -> packetBytes(view.switchGuid(view.nodeSwitch(node))))
                .thenComparing(view::nodePort));
        return order;
    }

    private int nodesAt(int s) {
        int count = 0;
        for (int node = 0; node < view.nodeCount(); node++) {
            count += view.nodeSwitch(node) == s ? 1 : 0;
        }
        return count;
    }

    /** Sixteen hexadecimal digits, the last byte first. */
    private static String packetBytes(long guid) {
        return String.format("%016x", Long.reverseBytes(guid));
    }
}

package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** Tables without wit, to be checked: every entry is drawn among the ports that lead closer. */
public final class NaiveTables {
    private NaiveTables() {}

    /** Over minimal legal paths only. */
    public static byte[][] minimal(FabricView view, RandomGenerator random) {
        byte[][] rows = empty(view, view.nodeCount());
        for (int node = 0; node < view.nodeCount(); node++) {
            int home = view.nodeSwitch(node);
            if (home >= 0) {
                fillMinimal(view, rows, node, home, view.nodePort(node), random);
            }
        }
        return rows;
    }

    /** To switches, over minimal legal paths only. */
    public static byte[][] minimalToSwitches(FabricView view, RandomGenerator random) {
        byte[][] rows = empty(view, view.switchCount());
        for (int home = 0; home < view.switchCount(); home++) {
            fillMinimal(view, rows, home, home, 0, random);
        }
        return rows;
    }

    private static void fillMinimal(FabricView view, byte[][] rows, int d, int home, int exit, RandomGenerator random) {
        int[] cost = new LegalPaths(view, home).cost;
        for (int s = 0; s < view.switchCount(); s++) {
            if (s == home && view.alive(s)) {
                rows[s][d] = (byte) exit;
            } else if (cost[s] < LegalPaths.NONE) {
                rows[s][d] = (byte) closer(view, s, home, cost, random);
            }
        }
    }

    /** A switch that can descend to its destination must; one hop less the other way round may need a turn. */
    private static int closer(FabricView view, int s, int home, int[] cost, RandomGenerator random) {
        boolean down = view.rank(s) - view.rank(home) == cost[s];
        int[] ports = new int[view.portCount(s)];
        int count = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            int to = view.peerSwitch(s, port);
            if (to >= 0 && cost[to] == cost[s] - 1 && (down ? view.isDown(s, to) : view.isUp(s, to))) {
                ports[count++] = port;
            }
        }
        return ports[random.nextInt(count)];
    }

    /** Over shortest paths of any kind: they cross and turn where cables were swapped. */
    public static byte[][] shortest(FabricView view, RandomGenerator random) {
        byte[][] rows = empty(view, view.nodeCount());
        for (int node = 0; node < view.nodeCount(); node++) {
            int home = view.nodeSwitch(node);
            if (home >= 0 && view.alive(home)) {
                fillShortest(view, rows, node, home, random);
            }
        }
        return rows;
    }

    private static void fillShortest(FabricView view, byte[][] rows, int node, int home, RandomGenerator random) {
        boolean[] seen = new boolean[view.switchCount()];
        Deque<Integer> queue = new ArrayDeque<>();
        queue.add(home);
        seen[home] = true;
        rows[home][node] = (byte) view.nodePort(node);
        while (!queue.isEmpty()) {
            int s = queue.remove();
            int offset = random.nextInt(view.portCount(s));
            for (int i = 0; i < view.portCount(s); i++) {
                int port = 1 + (i + offset) % view.portCount(s);
                int to = view.peerSwitch(s, port);
                if (to >= 0 && !seen[to]) {
                    seen[to] = true;
                    rows[to][node] = (byte) view.peerPort(s, port);
                    queue.add(to);
                }
            }
        }
    }

    /** Overwrites some entries with anything. */
    public static void spoil(FabricView view, byte[][] rows, int count, RandomGenerator random) {
        for (int i = 0; i < count; i++) {
            int s = random.nextInt(rows.length);
            int d = random.nextInt(rows[s].length);
            int port = random.nextInt(view.portCount(s) + 3);
            rows[s][d] = (byte) (port > view.portCount(s) + 1 ? LftSet.NO_ROUTE : port);
        }
    }

    public static byte[][] empty(FabricView view, int columns) {
        byte[][] rows = new byte[view.switchCount()][columns];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        }
        return rows;
    }

    public static LftSet set(FabricView view, byte[][] rows) {
        return new LftSet(view.epoch(), rows[0].length, rows);
    }
}

package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Hops of the shortest legal path from every switch to one: a search backwards over (switch, whether the packet climbs
 * there still).
 */
final class LegalPaths {
    static final int NONE = Integer.MAX_VALUE;

    final int[] cost;
    private final int[][] hops;

    LegalPaths(FabricView view, int home) {
        int switchCount = view.switchCount();
        hops = new int[2][switchCount];
        Arrays.fill(hops[0], NONE);
        Arrays.fill(hops[1], NONE);
        cost = new int[switchCount];
        if (view.alive(home) && view.rank(home) >= 0) {
            search(view, home);
        }
        for (int s = 0; s < switchCount; s++) {
            cost[s] = Math.min(hops[0][s], hops[1][s]);
        }
    }

    /** Row 0 of {@code hops}: the rest of the path only descends. Row 1: it starts by climbing. */
    private void search(FabricView view, int home) {
        Deque<int[]> queue = new ArrayDeque<>();
        hops[0][home] = 0;
        queue.add(new int[] {0, home});
        while (!queue.isEmpty()) {
            int[] state = queue.remove();
            int s = state[1];
            for (int port = 1; port <= view.portCount(s); port++) {
                int before = view.peerSwitch(s, port);
                if (before >= 0 && state[0] == 0 && view.isDown(before, s)) {
                    reach(0, before, hops[state[0]][s] + 1, queue);
                }
                if (before >= 0 && view.isUp(before, s)) {
                    reach(1, before, hops[state[0]][s] + 1, queue);
                }
            }
        }
    }

    private void reach(int kind, int s, int cost, Deque<int[]> queue) {
        if (hops[kind][s] == NONE) {
            hops[kind][s] = cost;
            queue.add(new int[] {kind, s});
        }
    }
}

package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Switches that lead to the same neighbours above through the same ports: what holds of entries that lead up at one of them holds
 * at all.
 */
final class Sides {
    private static final int PORTS = 256;

    private static final int NOT_UP = -1;

    /** The ports of a switch that lead somewhere, and the switches above behind them. */
    private record Side(int[] links) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Side side && Arrays.equals(links, side.links);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(links);
        }
    }

    private Sides() {}

    /**
     * Sorts switches by their sides.
     *
     * @param switches brought into an order in which those of one side are together
     * @return by place in that order, the number of the side
     */
    static int[] number(FabricView view, int[] switches) {
        Map<Side, Integer> numbers = new HashMap<>();
        long[] sorted = new long[switches.length];
        int[] links = new int[2 * PORTS];
        for (int i = 0; i < switches.length; i++) {
            int s = switches[i];
            int count = 0;
            for (int port = 1; port <= view.portCount(s); port++) {
                int peer = view.peerSwitch(s, port);
                if (peer >= 0 || view.peerNode(s, port) >= 0) {
                    links[count++] = port;
                    links[count++] = peer >= 0 && view.isUp(s, peer) ? peer : NOT_UP;
                }
            }
            int number = numbers.computeIfAbsent(new Side(Arrays.copyOf(links, count)), side -> numbers.size());
            sorted[i] = (long) number << 32 | s;
        }
        Arrays.sort(sorted);
        int[] sides = new int[switches.length];
        for (int i = 0; i < sorted.length; i++) {
            switches[i] = (int) sorted[i];
            sides[i] = (int) (sorted[i] >>> 32);
        }
        return sides;
    }

    /** True if every entry of the span leads up, or nowhere: then so it does for all on the side. */
    static boolean leadUp(FabricView view, int s, LftRow row, int k) {
        long[] entries = row.entrySet(k);
        boolean up = true;
        for (int port = 1; port <= view.portCount(s); port++) {
            boolean used = (entries[port >> 6] >>> port & 1) != 0;
            int peer = view.peerSwitch(s, port);
            up &= !used || (peer < 0 ? view.peerNode(s, port) < 0 : view.isUp(s, peer));
        }
        return up;
    }
}

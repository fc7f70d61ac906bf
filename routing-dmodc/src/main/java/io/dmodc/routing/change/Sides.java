package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Switches that lead to the same neighbours above through the same ports: what holds of entries that lead up at one of them holds
 * at all. Kept from one change to the next; O(ports of switches with other links).
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

    private final Map<Side, Integer> numbers = new HashMap<>();

    /** By switch, the number of its side. */
    private final int[] side;

    private final int[] links = new int[2 * PORTS];

    /** Knows the switches of a view. */
    Sides(FabricView view) {
        side = new int[view.switchCount()];
        numberAll(view);
    }

    private void numberAll(FabricView view) {
        numbers.clear();
        for (int s = 0; s < side.length; s++) {
            side[s] = number(view, s);
        }
    }

    /**
     * Takes in where ports lead now.
     *
     * @param relinked switches with other links than at the last call
     */
    void update(FabricView view, int[] relinked) {
        if (numbers.size() > 2 * side.length) {
            numberAll(view); // most of them are no longer anybody's
        }
        for (int s : relinked) {
            side[s] = number(view, s);
        }
    }

    private int number(FabricView view, int s) {
        int count = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            int peer = view.peerSwitch(s, port);
            if (peer >= 0 || view.peerNode(s, port) >= 0) {
                links[count++] = port;
                links[count++] = peer >= 0 && view.isUp(s, peer) ? peer : NOT_UP;
            }
        }
        return numbers.computeIfAbsent(new Side(Arrays.copyOf(links, count)), any -> numbers.size());
    }

    /** Number of the side of a switch. */
    int of(int s) {
        return side[s];
    }

    /** Brings switches into an order in which those of one side are together. */
    void sort(int[] switches) {
        long[] sorted = new long[switches.length];
        Arrays.setAll(sorted, i -> (long) side[switches[i]] << 32 | switches[i]);
        Arrays.sort(sorted);
        Arrays.setAll(switches, i -> (int) sorted[i]);
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

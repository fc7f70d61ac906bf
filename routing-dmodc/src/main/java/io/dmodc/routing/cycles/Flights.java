package io.dmodc.routing.cycles;

/**
 * Packets on links, by the cycle in which they arrive: a ring of lists. Each output sends at most one a cycle, so a list
 * has no more than there are outputs.
 */
final class Flights {
    /** Most cycles ahead; a power of two less one. */
    private static final int DELAY_MAX = 3;

    private final long[][] packet;
    private final int[][] queue;
    private final int[] count = new int[DELAY_MAX + 1];

    Flights(int outputs) {
        packet = new long[DELAY_MAX + 1][outputs];
        queue = new int[DELAY_MAX + 1][outputs];
    }

    /** @param toQueue input queue, or −1 for the packet's node */
    void add(int cycle, int toQueue, long flying) {
        int slot = cycle & DELAY_MAX;
        queue[slot][count[slot]] = toQueue;
        packet[slot][count[slot]++] = flying;
    }

    int count(int cycle) {
        return count[cycle & DELAY_MAX];
    }

    int queue(int cycle, int i) {
        return queue[cycle & DELAY_MAX][i];
    }

    long packet(int cycle, int i) {
        return packet[cycle & DELAY_MAX][i];
    }

    void clear(int cycle) {
        count[cycle & DELAY_MAX] = 0;
    }
}

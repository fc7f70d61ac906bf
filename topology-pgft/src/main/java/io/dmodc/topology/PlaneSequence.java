package io.dmodc.topology;

import java.util.Arrays;
import java.util.PriorityQueue;

/** Planes in an order that follows who precedes whom as far as this is possible. */
final class PlaneSequence {
    private final int planeCount;
    private final long[] edges;
    private final int[] before;
    private final int[] number;

    /**
     * @param planeCount of a rank, 0.. by lowest member
     * @param edges ascending
     */
    PlaneSequence(int planeCount, long[] edges) {
        this.planeCount = planeCount;
        this.edges = edges;
        before = new int[planeCount];
        number = new int[planeCount];
        Arrays.fill(number, -1);
    }

    int[] numbers() {
        for (long edge : edges) {
            before[(int) edge]++;
        }
        PriorityQueue<Integer> free = new PriorityQueue<>();
        for (int p = 0; p < planeCount; p++) {
            if (before[p] == 0) {
                free.add(p);
            }
        }
        int lowest = 0;
        for (int next = 0; next < planeCount; next++) {
            while (number[lowest] >= 0) {
                lowest++;
            }
            Integer first = free.poll();
            int taken = first == null ? lowest : first;
            number[taken] = next;
            release(taken, free);
        }
        return number;
    }

    private void release(int taken, PriorityQueue<Integer> free) {
        int at = Arrays.binarySearch(edges, (long) taken << Integer.SIZE);
        for (int e = at < 0 ? -at - 1 : at; e < edges.length && (int) (edges[e] >> Integer.SIZE) == taken; e++) {
            int behind = (int) edges[e];
            if (--before[behind] == 0 && number[behind] < 0) {
                free.add(behind);
            }
        }
    }
}

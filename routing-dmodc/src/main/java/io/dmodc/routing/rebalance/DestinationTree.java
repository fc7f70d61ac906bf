package io.dmodc.routing.rebalance;

import java.util.Arrays;

/** The switches that packets for one destination pass, and in which shifts. One worker's scratch. */
final class DestinationTree {
    private final ShiftLoads loads;
    private final int[][] passing;
    private final int[] passingCount;
    private final boolean[] met;

    /** Shifts in which the source that is followed sends to the node. */
    private int[] sent = new int[8];

    private int sentCount;
    private final int[] switches;
    private int size;

    DestinationTree(ShiftLoads loads) {
        this.loads = loads;
        int count = loads.rows.length;
        passing = new int[count][0];
        passingCount = new int[count];
        met = new boolean[count];
        switches = new int[count];
    }

    /** Finds those of a node that takes part, under the tables as they are. */
    void follow(int d) {
        for (int i = 0; i < size; i++) {
            met[switches[i]] = false;
            passingCount[switches[i]] = 0;
        }
        size = 0;
        int home = loads.home[d];
        for (int s : loads.source) {
            if (s != home && loads.routes(s, d)) {
                findSent(s, loads.position[d]);
                for (int at = s; at != home; at = loads.peer[loads.channel(at, d)]) {
                    pass(at);
                }
            }
        }
    }

    private void findSent(int source, int to) {
        int[] positions = loads.positionsAt[source];
        if (sent.length < positions.length) {
            sent = new int[positions.length];
        }
        sentCount = 0;
        for (int from : positions) {
            int shift = loads.shift(from, to);
            if (shift >= 0) {
                sent[sentCount++] = shift;
            }
        }
    }

    private void pass(int at) {
        if (!met[at]) {
            met[at] = true;
            switches[size++] = at;
        }
        int count = passingCount[at] + sentCount;
        if (count > passing[at].length) {
            passing[at] = Arrays.copyOf(passing[at], 8 + 2 * count);
        }
        System.arraycopy(sent, 0, passing[at], passingCount[at], sentCount);
        passingCount[at] = count;
    }

    /** Switches that are passed, the destination's own left out. */
    int size() {
        return size;
    }

    /** By source switch, then by hop. */
    int switchAt(int i) {
        return switches[i];
    }

    boolean passes(int s) {
        return met[s];
    }

    /** Shifts in which a packet passes; {@link #passingCount} of them count. */
    int[] passing(int s) {
        return passing[s];
    }

    int passingCount(int s) {
        return passingCount[s];
    }
}

package io.dmodc.detector.theory;

import io.dmodc.detector.Overlay;
import java.util.Arrays;

/**
 * What the overlay of n nodes costs and bears (Angskun, Bosilca, Dongarra, ISPA 2007): degree = connectivity, and the
 * diameter.
 */
public final class BinomialGraph {
    private BinomialGraph() {}

    /** Neighbours of each node: 2 ⌈log2 n⌉, less 1 if n = 2^a, less 2 if n = 2^a + 2^b. */
    public static int degree(int nodeCount) {
        if (nodeCount == 1) {
            return 0;
        }
        int steps = 32 - Integer.numberOfLeadingZeros(nodeCount - 1);
        return switch (Integer.bitCount(nodeCount)) {
            case 1 -> 2 * steps - 1;
            case 2 -> 2 * steps - 2;
            default -> 2 * steps;
        };
    }

    /** Dead nodes that can never cut the live ones apart: the vertex connectivity equals the degree. */
    public static int toleratedFaults(int nodeCount) {
        return Math.max(0, degree(nodeCount) - 1);
    }

    /** Hops to the farthest node, exactly, about ⌈log2 n⌉ / 2. The graph looks the same from everywhere: one search. */
    public static int diameter(int nodeCount) {
        int[] hops = new int[nodeCount];
        Arrays.fill(hops, -1);
        int[] reached = new int[nodeCount];
        int count = 1;
        hops[0] = 0;
        for (int next = 0; next < count; next++) {
            for (int neighbour : Overlay.neighbours(reached[next], nodeCount)) {
                if (hops[neighbour] < 0) {
                    hops[neighbour] = hops[reached[next]] + 1;
                    reached[count++] = neighbour;
                }
            }
        }
        return hops[reached[count - 1]];
    }
}

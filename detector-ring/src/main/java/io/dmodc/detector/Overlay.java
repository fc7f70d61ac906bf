package io.dmodc.detector;

import java.util.stream.IntStream;

/**
 * The binomial graph over which news floods: slot v is joined to v + 2^k and v - 2^k (mod n) for every 2^k &lt; n.
 *
 * <p>Its vertex connectivity equals its degree, so a flood reaches every live slot while fewer slots than the degree
 * are dead, and needs about log2(n) / 2 hops. Both directions are needed: the formula printed with the reliable
 * broadcast of ULFM names only the + side, which as a directed graph has half the connectivity.
 *
 * <p>Source: Angskun, Bosilca, Dongarra, "Binomial Graph: A Scalable and Fault-Tolerant Logical Network Topology",
 * ISPA 2007.
 */
public final class Overlay {
    /** How news travels. */
    public enum Kind {
        /** Each first copy goes on to all neighbours in the binomial graph. */
        BINOMIAL,
        /** Copies on disjoint paths of a hypercube: half the messages, fewer faults tolerated. */
        HYPERCUBE
    }

    private Overlay() {}

    /**
     * The slots one slot floods to: ascending, without duplicates, never the slot itself. O(log n) time and memory.
     *
     * @throws IllegalArgumentException if the slot lies outside 0..slotCount-1
     */
    public static int[] neighbours(int slot, int slotCount) {
        if (slot < 0 || slot >= slotCount) {
            throw new IllegalArgumentException("overlay: slot " + slot + " outside 0.." + (slotCount - 1));
        }
        return IntStream.iterate(1, step -> step < slotCount, step -> step << 1)
                .flatMap(step -> IntStream.of((slot + step) % slotCount, (slot - step + slotCount) % slotCount))
                .sorted()
                .distinct()
                .toArray();
    }

    /**
     * One of the slots that {@link #neighbours} lists, by a running number: farthest first, alternating sides, over and
     * over; some come twice per round. O(1), no allocation. The slot itself if it is the only one.
     */
    static int neighbour(int slot, int slotCount, int number) {
        int steps = 32 - Integer.numberOfLeadingZeros(slotCount - 1);
        if (steps == 0) {
            return slot;
        }
        int step = 1 << (steps - 1 - (number >>> 1) % steps);
        return Math.floorMod((number & 1) == 0 ? slot + step : slot - step, slotCount);
    }
}

package io.dmodc.routing.vtftr.check;

/**
 * What a packet takes in an empty fabric, by the three figures of the VTFTR paper (section 3.2): 237 ns for two routings,
 * 307 for three, 377 for four. They lie on a line: 97 ns and 70 ns a routing, which is two switch hops.
 */
public final class ZeroLoadLatency {
    private static final int FIXED_NANOS = 97;
    private static final int ROUTING_NANOS = 70;

    private ZeroLoadLatency() {}

    /** @param routings from leaf to leaf over a root, each */
    public static int nanos(int routings) {
        return FIXED_NANOS + ROUTING_NANOS * routings;
    }
}

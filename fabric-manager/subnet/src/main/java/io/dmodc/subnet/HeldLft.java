package io.dmodc.subnet;

import io.dmodc.routing.LftSet;

/**
 * What a switch holds, by LID, as {@code ibroute} or {@code dump_fts} printed it. They read blocks of {@value #BLOCK} entries up to the switch's
 * highest one, its {@code LinearFDBTop}, but end before that one where it is the first of a block (infiniband-diags 1.6.2 and later). So it is not
 * known then what the switch holds there. Immutable.
 */
public final class HeldLft {
    /** Of a switch that does not answer: no route to any LID. */
    public static final HeldLft NOTHING = new HeldLft(new byte[0], 0);

    private static final int BLOCK = 64;

    private final byte[] ports;
    private final int top;

    /**
     * Makes it.
     *
     * @param ports by LID, up to the highest that is printed
     * @param top the highest that is said to be read; 0 if that is not said
     */
    HeldLft(byte[] ports, int top) {
        this.ports = ports.clone();
        this.top = top;
    }

    /** Where packets for this LID go; {@link LftSet#NO_ROUTE} where nothing is printed. */
    public int port(int lid) {
        return lid < ports.length ? ports[lid] & 0xff : LftSet.NO_ROUTE;
    }

    /** True if the tools leave out what the switch holds for this LID: it is the switch's highest, the first of its block, and not printed. */
    public boolean leavesOut(int lid) {
        return lid > 0 && lid == top && lid % BLOCK == 0 && lid >= ports.length;
    }
}

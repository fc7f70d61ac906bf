package io.dmodc.routing.vtftr;

/**
 * On which virtual channel a leaf sends a packet on; the same for all leaves and all faults (VTFTR paper, sections 2.2 and
 * 2.3). Roots keep the channel.
 *
 * <p>The one change is at a turn from a column to a row, from 0 to 1. So all links a packet takes ascend in the order row
 * up, row down, column up, column down on channel 0, then the same on channel 1: no circle of channels can form, whatever
 * mixture of tables is in force.
 */
public final class VcMap {
    /** Channels there must be. */
    public static final int VC_COUNT = 2;

    /** The packet is dropped. */
    public static final int DROP = -1;

    private VcMap() {}

    /**
     * @param vc the packet came on; not looked at for one from a host
     * @return 0, 1, or {@link #DROP}
     */
    public static int next(InputClass from, int vc, Turn to) {
        return switch (from) {
            case HOST -> 0;
            case ROW -> to == Turn.COLUMN ? vc : DROP;
            case COLUMN -> to == Turn.ROW && vc == 0 ? 1 : DROP;
        };
    }
}

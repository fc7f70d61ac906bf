package io.dmodc.topology;

import java.util.Arrays;

/**
 * The live links of all switches and their port groups: a row of slots for each switch.
 *
 * <p><b>Layout.</b> The row of a switch with P ports has P + 1 slots from {@code base[s]} on. Slot
 * {@code base[s] + port − 1} says where a port leads. The same slots number the switch's groups,
 * {@code base[s] .. groupEnd[s]}, by remote switch ascending; ports of group g are
 * {@code groupPort[groupPortBase[g] .. groupPortBase[g + 1]]}, which lie in the row, too: so the slot more.
 *
 * <p><b>Versions.</b> Views share their slots. Rows of switches whose links change are written anew behind all others
 * ({@link LinkEdit}), and those of earlier views stay where they are; so a fault costs a few rows and two numbers a
 * switch, not all links. When no room is left, the next edit copies all rows to slots of their own.
 *
 * <p>Immutable, as are the slots of its rows.
 */
final class LinkRows {
    /** By slot of a port: the switch at the far end of its live link, or −1. */
    final int[] peerSwitch;

    /** By slot of a port: the port at the far end; 0 where there is none. */
    final byte[] peerPort;

    /** By group: the switch it leads to. */
    final int[] groupRemote;

    /** By group: where its ports begin, which is where those of the group before end. */
    final int[] groupPortBase;

    /** Port numbers, group by group, ascending in each. */
    final byte[] groupPort;

    /** By switch: the first slot of its row. */
    final int[] base;

    /** By switch: just behind its last group. */
    final int[] groupEnd;

    /** Each cable counted once. */
    final int linkCount;

    final Slots slots;

    LinkRows(Slots slots, int[] base, int[] groupEnd, int linkCount) {
        this.slots = slots;
        this.base = base;
        this.groupEnd = groupEnd;
        this.linkCount = linkCount;
        peerSwitch = slots.peerSwitch;
        peerPort = slots.peerPort;
        groupRemote = slots.groupRemote;
        groupPortBase = slots.groupPortBase;
        groupPort = slots.groupPort;
    }

    /** True if a switch has a live link. */
    boolean isLinked(int s) {
        return base[s] < groupEnd[s];
    }

    /**
     * True if all ports of a switch lead where they lead in other rows of the same switches and ports. At once where
     * both have one version of the row, O(ports) else.
     */
    boolean hasRowOf(LinkRows other, int s, int portCount) {
        int from = base[s];
        int otherFrom = other.base[s];
        if (slots == other.slots && from == otherFrom) {
            return true;
        }
        int end = from + portCount;
        int otherEnd = otherFrom + portCount;
        return Arrays.equals(peerSwitch, from, end, other.peerSwitch, otherFrom, otherEnd)
                && Arrays.equals(peerPort, from, end, other.peerPort, otherFrom, otherEnd);
    }

    /** Slots for one version of every row and some more. Any thread may take slots; each writes its own alone. */
    static final class Slots {
        /** Room for other versions is this share of all rows, and a little where there are few. */
        private static final int ROWS_PER_ROOM = 8;

        private static final int ROOM_MIN = 256;

        final int[] peerSwitch;
        final byte[] peerPort;
        final int[] groupRemote;
        final int[] groupPortBase;
        final byte[] groupPort;
        private int taken;

        /** @param taken how many are taken at once, from 0 on */
        Slots(int taken) {
            int size = Math.addExact(taken, taken / ROWS_PER_ROOM + ROOM_MIN);
            peerSwitch = new int[size];
            peerPort = new byte[size];
            groupRemote = new int[size];
            groupPortBase = new int[size];
            groupPort = new byte[size];
            this.taken = taken;
        }

        /** First of {@code count} slots that nobody has; −1 when there are not as many left. */
        synchronized int take(int count) {
            if (count > peerSwitch.length - taken) {
                return -1;
            }
            taken += count;
            return taken - count;
        }
    }
}

package io.dmodc.topology;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Connects and cuts links, and draws the {@link LinkRows} that come of it: rows of the switches at their ends are new
 * ones, all others are those there were. O(ports of these switches) and two numbers a switch; O(ports of all) from
 * nothing and when the slots have no room left. Not thread-safe; several edits may begin at the same rows.
 */
final class LinkEdit {
    private final int[] portBase;
    private final LinkRows before;

    /** Where the new rows are; those of {@link #before} while nothing has changed and there is room. */
    private LinkRows.Slots slots;

    private int[] base;
    private int linkCount;

    /** Switches whose rows are new. */
    private final BitSet relinked = new BitSet();

    /** True if every row lies in slots that only this edit knows. */
    private boolean ownsAll;

    /**
     * Begins without any link.
     *
     * @param portBase by switch, the number of ports of all before it; one more for all
     */
    LinkEdit(int[] portBase) {
        this.portBase = portBase;
        int switchCount = portBase.length - 1;
        base = packed();
        slots = new LinkRows.Slots(portBase[switchCount] + switchCount);
        Arrays.fill(slots.peerSwitch, -1);
        ownsAll = true;
        relinked.set(0, switchCount);
        before = new LinkRows(slots, base, base, 0);
    }

    /** Begins with the links of a view. */
    LinkEdit(FabricTables t) {
        portBase = t.portBase;
        before = t.links;
        slots = before.slots;
        base = before.base;
        linkCount = before.linkCount;
    }

    /** Rows one behind the other, a slot between. */
    private int[] packed() {
        int[] packed = new int[portBase.length - 1];
        for (int s = 0; s < packed.length; s++) {
            packed[s] = portBase[s] + s;
        }
        return packed;
    }

    /** Switch at the far end of a live link, or −1. */
    int peerSwitch(int s, int port) {
        return slots.peerSwitch[base[s] + port - 1];
    }

    /** Connects two ports that have no link. */
    void connect(int s, int port, int remote, int remotePort) {
        setEnd(s, port, remote, remotePort);
        setEnd(remote, remotePort, s, port);
        linkCount++;
    }

    /** Cuts the link of a port that has one. */
    void cut(int s, int port) {
        int remote = peerSwitch(s, port);
        int remotePort = slots.peerPort[base[s] + port - 1] & 0xff;
        setEnd(s, port, -1, 0);
        setEnd(remote, remotePort, -1, 0);
        linkCount--;
    }

    private void setEnd(int s, int port, int remote, int remotePort) {
        own(s);
        slots.peerSwitch[base[s] + port - 1] = remote;
        slots.peerPort[base[s] + port - 1] = (byte) remotePort;
    }

    private void own(int s) {
        if (relinked.get(s)) {
            return;
        }
        relinked.set(s);
        if (!ownsAll) {
            base = base == before.base ? base.clone() : base;
            int portCount = portBase[s + 1] - portBase[s];
            int row = slots.take(portCount + 1);
            if (row < 0) {
                ownAll();
            } else {
                System.arraycopy(slots.peerSwitch, base[s], slots.peerSwitch, row, portCount);
                System.arraycopy(slots.peerPort, base[s], slots.peerPort, row, portCount);
                base[s] = row;
            }
        }
    }

    /** Copies every row, those already new as they are. Groups of the others come with them. */
    private void ownAll() {
        int switchCount = base.length;
        LinkRows.Slots copied = new LinkRows.Slots(portBase[switchCount] + switchCount);
        int[] to = packed();
        for (int s = 0; s < switchCount; s++) {
            int size = portBase[s + 1] - portBase[s] + 1;
            System.arraycopy(slots.peerSwitch, base[s], copied.peerSwitch, to[s], size);
            System.arraycopy(slots.peerPort, base[s], copied.peerPort, to[s], size);
            System.arraycopy(slots.groupRemote, base[s], copied.groupRemote, to[s], size);
            System.arraycopy(slots.groupPort, base[s], copied.groupPort, to[s], size);
            for (int i = 0; i < size; i++) {
                copied.groupPortBase[to[s] + i] = slots.groupPortBase[base[s] + i] - base[s] + to[s];
            }
        }
        slots = copied;
        base = to;
        ownsAll = true;
    }

    /** The links as they are now; those it began with if nothing was changed. The edit is over. */
    LinkRows rows() {
        if (relinked.isEmpty()) {
            return before;
        }
        int[] groupEnd = before.groupEnd.clone();
        if (ownsAll) {
            for (int s = 0; s < base.length; s++) {
                groupEnd[s] += base[s] - before.base[s];
            }
        }
        long[] live = new long[FabricView.PORT_MAX];
        for (int s = relinked.nextSetBit(0); s >= 0; s = relinked.nextSetBit(s + 1)) {
            groupEnd[s] = gather(s, live);
        }
        return new LinkRows(slots, base, groupEnd, linkCount);
    }

    /** Puts the live ports of a switch into groups, by remote switch, then by number; returns where its groups end. */
    private int gather(int s, long[] live) {
        int from = base[s];
        int portCount = portBase[s + 1] - portBase[s];
        int liveCount = 0;
        boolean sorted = true;
        for (int at = 0; at < portCount; at++) {
            int remote = slots.peerSwitch[from + at];
            if (remote >= 0) {
                live[liveCount] = (long) remote << Byte.SIZE | (at + 1);
                sorted &= liveCount == 0 || live[liveCount - 1] < live[liveCount];
                liveCount++;
            }
        }
        if (!sorted) {
            Arrays.sort(live, 0, liveCount);
        }
        int group = from;
        for (int i = 0; i < liveCount; i++) {
            int remote = (int) (live[i] >> Byte.SIZE);
            if (i == 0 || slots.groupRemote[group - 1] != remote) {
                slots.groupRemote[group] = remote;
                slots.groupPortBase[group] = from + i;
                group++;
            }
            slots.groupPort[from + i] = (byte) live[i];
        }
        slots.groupPortBase[group] = from + liveCount;
        return group;
    }
}

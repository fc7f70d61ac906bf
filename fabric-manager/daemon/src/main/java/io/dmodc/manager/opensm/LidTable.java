package io.dmodc.manager.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What each LID stands for: a node or a switch of a view, as OpenSM has dealt them. A port with several (LMC > 0) has as many
 * lines. Who has no LID has no line: none is invented. With each LID, the lines of a dump that lead there, one of each {@link DumpForm}; all lines of a form together are the
 * entries of a section, of the same length for every switch: an entry that leads nowhere is a comment of its length, which OpenSM skips.
 * Immutable.
 */
final class LidTable {
    /** Neither. */
    static final int NOBODY = -1;

    private static final int LID_AT = "0x".length();
    private static final int PORT_AT = "0x0000 ".length();
    private static final int GUID_AT = "0x0000 000 portguid 0x".length();
    private static final byte COMMENT = '#';
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final int[] nodeAt;
    private final int[] switchAt;

    /** 0 where a LID is nobody's. */
    private final long[] guidAt;

    /** How many LIDs below each are held: which of the lines is its own. One more than there are LIDs. */
    private final int[] heldBelow;

    /** Of all LIDs that are held, in their order, with port 0. */
    private final byte[] withGuids;

    private final byte[] lidsOnly;

    /**
     * Reads the LIDs of what is both in the view and found.
     *
     * @param before given back if it says the same: lines are made for others only
     */
    static LidTable of(FabricView view, Discovery found, @Nullable LidTable before) {
        int size = found.lids().lidMax() + 1;
        int[] nodeAt = new int[size];
        int[] switchAt = new int[size];
        long[] guidAt = new long[size];
        Arrays.fill(nodeAt, NOBODY);
        Arrays.fill(switchAt, NOBODY);
        for (int s = 0; s < view.switchCount(); s++) {
            if (found.switches().containsKey(view.switchGuid(s))) {
                put(view.switchGuid(s), s, switchAt, guidAt, found);
            }
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.host(node) != null) {
                put(view.nodeGuid(node), node, nodeAt, guidAt, found);
            }
        }
        if (before != null
                && Arrays.equals(nodeAt, before.nodeAt)
                && Arrays.equals(switchAt, before.switchAt)
                && Arrays.equals(guidAt, before.guidAt)) {
            return before;
        }
        return new LidTable(nodeAt, switchAt, guidAt);
    }

    private LidTable(int[] nodeAt, int[] switchAt, long[] guidAt) {
        this.nodeAt = nodeAt;
        this.switchAt = switchAt;
        this.guidAt = guidAt;
        heldBelow = new int[guidAt.length + 1];
        for (int lid = 0; lid < guidAt.length; lid++) {
            heldBelow[lid + 1] = heldBelow[lid] + (nodeAt[lid] == NOBODY && switchAt[lid] == NOBODY ? 0 : 1);
        }
        withGuids = lines(DumpForm.WITH_GUIDS);
        lidsOnly = lines(DumpForm.LIDS_ONLY);
    }

    private static void put(long guid, int index, int[] at, long[] guidAt, Discovery found) {
        int lid = found.lids().lidOf(guid);
        int count = lid == 0 ? 0 : 1 << found.lids().lmcOf(guid);
        for (int each = lid; each < lid + count; each++) {
            at[each] = index;
            guidAt[each] = guid;
        }
    }

    /** Not formatted: of a large fabric there are ten thousands. */
    private byte[] lines(DumpForm form) {
        byte[] line = form.line();
        byte[] all = new byte[lengthBelow(guidAt.length, form)];
        for (int lid = 0; lid < guidAt.length; lid++) {
            if (isHeld(lid)) {
                int at = lengthBelow(lid, form);
                System.arraycopy(line, 0, all, at, line.length);
                putHex(lid, 4, all, at + LID_AT);
                if (form == DumpForm.WITH_GUIDS) {
                    putHex(guidAt[lid], Long.BYTES * 2, all, at + GUID_AT);
                }
            }
        }
        return all;
    }

    private static void putHex(long value, int digits, byte[] into, int at) {
        for (int digit = 0; digit < digits; digit++) {
            into[at + digit] = DIGITS[(int) (value >>> (4 * (digits - 1 - digit))) & 0xf];
        }
    }

    /** Highest LID that counts. */
    int max() {
        return nodeAt.length - 1;
    }

    /** Node index, or {@link #NOBODY}. */
    int nodeAt(int lid) {
        return nodeAt[lid];
    }

    /**
     * A table by LID; {@link LftSet#NO_ROUTE} where nobody is, or what is there is behind the end of its row.
     *
     * @param toNodes by node index
     * @param toSwitches by switch index
     * @param self index of the switch itself, at port 0, or {@link #NOBODY}
     */
    byte[] ports(byte[] toNodes, byte[] toSwitches, int self) {
        byte[] ports = new byte[nodeAt.length];
        Arrays.fill(ports, (byte) LftSet.NO_ROUTE);
        for (int lid = 1; lid < ports.length; lid++) {
            int node = nodeAt[lid];
            int to = switchAt[lid];
            if (node >= 0) {
                ports[lid] = node < toNodes.length ? toNodes[node] : ports[lid];
            } else if (to >= 0) {
                ports[lid] = to == self ? 0 : to < toSwitches.length ? toSwitches[to] : ports[lid];
            }
        }
        return ports;
    }

    /** True if packets may be sent there. */
    boolean isHeld(int lid) {
        return heldBelow[lid] < heldBelow[lid + 1];
    }

    /** Bytes of the lines of all LIDs below this one. */
    int lengthBelow(int lid, DumpForm form) {
        return heldBelow[lid] * form.lineLength();
    }

    /**
     * Writes the lines of these LIDs with their ports.
     *
     * @param from first LID
     * @param to behind the last
     * @param ports by LID
     * @param at where they begin
     */
    void putLines(int from, int to, DumpForm form, byte[] ports, byte[] into, int at) {
        int begin = lengthBelow(from, form);
        byte[] lines = form == DumpForm.WITH_GUIDS ? withGuids : lidsOnly;
        System.arraycopy(lines, begin, into, at, lengthBelow(to, form) - begin);
        for (int lid = from; lid < to; lid++) {
            if (isHeld(lid)) {
                putPort(ports[lid] & 0xff, into, at + lengthBelow(lid, form) - begin);
            }
        }
    }

    private static void putPort(int port, byte[] into, int line) {
        into[line + PORT_AT] = DIGITS[port / 100];
        into[line + PORT_AT + 1] = DIGITS[port / 10 % 10];
        into[line + PORT_AT + 2] = DIGITS[port % 10];
        if (port == LftSet.NO_ROUTE) {
            into[line] = COMMENT;
        }
    }

    /** True if each line of that one stands here, too, for the same index. */
    boolean covers(LidTable that) {
        boolean covered = true;
        for (int lid = 1; lid <= that.max() && covered; lid++) {
            covered = !that.isHeld(lid)
                    || (lid <= max()
                            && nodeAt[lid] == that.nodeAt[lid]
                            && switchAt[lid] == that.switchAt[lid]
                            && guidAt[lid] == that.guidAt[lid]);
        }
        return covered;
    }

    /** True if there are the same lines, whatever their indices. */
    boolean sameLines(LidTable that) {
        return Arrays.equals(guidAt, that.guidAt) && Arrays.equals(heldBelow, that.heldBelow);
    }
}

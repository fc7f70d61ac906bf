package io.dmodc.manager.opensm;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What each LID stands for: a node or a switch of a view, as OpenSM has dealt them. A port with several (LMC > 0) has as many
 * lines. Who has no LID has no line: none is invented. With each LID, the line of a dump that leads there, without the port.
 * Immutable.
 */
final class LidTable {
    /** Neither. */
    static final int NOBODY = -1;

    /** Where in a line its port stands, three digits. */
    private static final int PORT_AT = "0x0000 ".length();

    private final int[] nodeAt;
    private final int[] switchAt;
    private final byte[][] lineAt;

    /** Reads the LIDs of what is both in the view and found. */
    LidTable(FabricView view, Discovery found) {
        int size = found.lids().lidMax() + 1;
        nodeAt = new int[size];
        switchAt = new int[size];
        lineAt = new byte[size][];
        Arrays.fill(nodeAt, NOBODY);
        Arrays.fill(switchAt, NOBODY);
        for (int s = 0; s < view.switchCount(); s++) {
            if (found.switches().containsKey(view.switchGuid(s))) {
                put(view.switchGuid(s), s, switchAt, found);
            }
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.host(node) != null) {
                put(view.nodeGuid(node), node, nodeAt, found);
            }
        }
    }

    private void put(long guid, int index, int[] at, Discovery found) {
        int lid = found.lids().lidOf(guid);
        int count = lid == 0 ? 0 : 1 << found.lids().lmcOf(guid);
        for (int each = lid; each < lid + count; each++) {
            at[each] = index;
            lineAt[each] = line(each, guid);
        }
    }

    /** Not formatted: of a large fabric there are ten thousands, made anew with each look at it. */
    private static byte[] line(int lid, long guid) {
        String hex = Integer.toHexString(lid);
        String line = "0x" + "0".repeat(4 - hex.length()) + hex + " 000 portguid " + Guid.format(guid) + ":\n";
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    /** Highest LID that counts. */
    int max() {
        return nodeAt.length - 1;
    }

    /** Node index, or {@link #NOBODY}. */
    int nodeAt(int lid) {
        return nodeAt[lid];
    }

    /** Switch index, or {@link #NOBODY}. */
    int switchAt(int lid) {
        return switchAt[lid];
    }

    /** True if packets may be sent there. */
    boolean isHeld(int lid) {
        return lineAt[lid] != null;
    }

    int lineLength(int lid) {
        return lineAt[lid].length;
    }

    /** Writes the line of a LID with a port. @return where the next one begins */
    int putLine(int lid, int port, byte[] into, int at) {
        byte[] line = lineAt[lid];
        System.arraycopy(line, 0, into, at, line.length);
        into[at + PORT_AT] = (byte) ('0' + port / 100);
        into[at + PORT_AT + 1] = (byte) ('0' + port / 10 % 10);
        into[at + PORT_AT + 2] = (byte) ('0' + port % 10);
        return at + line.length;
    }

    /** True if each line of that one stands here, too, for the same index. */
    boolean covers(LidTable that) {
        for (int lid = 1; lid <= that.max(); lid++) {
            boolean covered = !that.isHeld(lid)
                    || (lid <= max()
                            && nodeAt[lid] == that.nodeAt[lid]
                            && switchAt[lid] == that.switchAt[lid]
                            && Arrays.equals(lineAt[lid], that.lineAt[lid]));
            if (!covered) {
                return false;
            }
        }
        return true;
    }

    /** True if the same lines stand for the same indices. */
    boolean sameAs(LidTable that) {
        return Arrays.equals(nodeAt, that.nodeAt)
                && Arrays.equals(switchAt, that.switchAt)
                && Arrays.deepEquals(lineAt, that.lineAt);
    }
}

package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.subnet.HeldLft;
import io.dmodc.subnet.SwitchReader;
import io.dmodc.topology.Guid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one switch is to hold, by LID, and its section of the dump. Immutable.
 *
 * <p>Entries that lead to a port that is down are left out: packets that go nowhere had better not go there, and OpenSM would
 * send them for ever.
 */
final class SwitchTable implements SwitchReader.Target {
    private static final int BLOCK = 64;

    /** Lines that differ with fewer others between them are written at once. */
    private static final int NEAR = 64;

    private final FoundSwitch found;
    private final int lid;
    private final LidTable lids;
    private final LftRow row;
    private final @Nullable LftRow switchRow;
    private final byte[] head;
    private final byte[] ports;

    /** By port, whether some entry leads there. */
    private final boolean[] used = new boolean[LftSet.NO_ROUTE];

    private int leftOut;

    /**
     * Makes it.
     *
     * @param self its index in the view, or {@link LidTable#NOBODY}
     * @param row by node index
     * @param switchRow by switch index; null: it knows no way to other switches
     */
    SwitchTable(FoundSwitch found, int lid, int self, LidTable lids, LftRow row, @Nullable LftRow switchRow) {
        this.found = found;
        this.lid = lid;
        this.lids = lids;
        this.row = row;
        this.switchRow = switchRow;
        head = ("Unicast lids [0x0-0x" + Integer.toHexString(lids.max()) + "] of switch Lid " + lid + " guid "
                        + Guid.format(found.guid()) + " ():\n")
                .getBytes(StandardCharsets.US_ASCII);
        ports = ports(self);
    }

    private byte[] ports(int self) {
        byte[] all = lids.ports(row.toBytes(), switchRow == null ? new byte[0] : switchRow.toBytes(), self);
        boolean[] up = new boolean[LftSet.NO_ROUTE];
        for (int port = 0; port < up.length; port++) {
            up[port] = found.isUp(port);
        }
        for (int each = 1; each < all.length; each++) {
            int port = all[each] & 0xff;
            if (port != LftSet.NO_ROUTE && !up[port]) {
                all[each] = (byte) LftSet.NO_ROUTE;
                leftOut++;
            } else if (port != LftSet.NO_ROUTE) {
                used[port] = true;
            }
        }
        return all;
    }

    /** True if the same would come of these. */
    @SuppressWarnings("ReferenceEquality") // what did not change are the same objects
    boolean isOf(
            FoundSwitch sameFound, int sameLid, LidTable sameLids, LftRow sameRow, @Nullable LftRow sameSwitchRow) {
        return lid == sameLid
                && lids == sameLids
                && row == sameRow
                && switchRow == sameSwitchRow
                && (found == sameFound || found.ports().equals(sameFound.ports()));
    }

    @Override
    public long guid() {
        return found.guid();
    }

    @Override
    public int lid() {
        return lid;
    }

    /** As people know it. */
    String name() {
        return found.name() + " (" + Guid.format(found.guid()) + ")";
    }

    /** The row of the core that it was made of. */
    LftRow row() {
        return row;
    }

    /** Its section, written out anew with each call. */
    byte[] section(DumpForm form) {
        byte[] text = Arrays.copyOf(head, sectionLength(form));
        lids.putLines(0, ports.length, form, ports, text, head.length);
        return text;
    }

    int sectionLength(DumpForm form) {
        return head.length + lids.lengthBelow(ports.length, form);
    }

    /** True if both sections have the same lines at the same places, whatever their ports. */
    @SuppressWarnings("ReferenceEquality") // switches of one dump share the LIDs
    boolean sameLayout(SwitchTable that) {
        return Arrays.equals(head, that.head) && (lids == that.lids || lids.sameLines(that.lids));
    }

    /** True if both sections are the same text. */
    boolean sameText(SwitchTable that) {
        return sameLayout(that) && Arrays.equals(ports, that.ports);
    }

    /**
     * What makes that section this one: lines that differ, with those between two of them that are near each other.
     *
     * @param before of the same layout
     * @param begins where the section does in the file
     * @return from the first line to the last
     */
    List<FilePart> changesSince(SwitchTable before, DumpForm form, long begins) {
        List<FilePart> changes = new ArrayList<>();
        int from = nextDifference(before, 0);
        while (from >= 0) {
            int to = from + 1;
            int next = nextDifference(before, to);
            while (next >= 0 && next - to < NEAR) {
                to = next + 1;
                next = nextDifference(before, to);
            }
            int at = lids.lengthBelow(from, form);
            byte[] lines = new byte[lids.lengthBelow(to, form) - at];
            lids.putLines(from, to, form, ports, lines, 0);
            changes.add(new FilePart(begins + head.length + at, lines));
            from = next;
        }
        return changes;
    }

    private int nextDifference(SwitchTable before, int from) {
        int at = Arrays.mismatch(ports, from, ports.length, before.ports, from, before.ports.length);
        return at < 0 ? -1 : from + at;
    }

    /** Entries left out because their port is down. */
    int leftOut() {
        return leftOut;
    }

    /** The first port that some entry uses and that is down; 0 for none. */
    int deadPort(FoundSwitch now) {
        for (int port = 1; port < used.length; port++) {
            if (used[port] && !now.isUp(port)) {
                return port;
            }
        }
        return 0;
    }

    /** Blocks of 64 entries that differ; all where there is nothing to compare with. */
    int blocksChangedSince(@Nullable SwitchTable before) {
        int changed = 0;
        for (int from = 0; from < ports.length; from += BLOCK) {
            int to = Math.min(from + BLOCK, ports.length);
            boolean same = before != null
                    && before.ports.length >= to
                    && Arrays.equals(ports, from, to, before.ports, from, to);
            changed += same ? 0 : 1;
        }
        return changed;
    }

    /**
     * Compares with what the switch holds. Entries of LIDs that nobody has do not count, nor does that of the highest LID where the tools leave it out
     * ({@link HeldLft}); it does if the switch says that it holds fewer, or more.
     *
     * @return empty if it is the same; else the first difference, and how many there are, for people
     */
    String difference(HeldLft held) {
        int first = 0;
        int count = 0;
        for (int each = 1; each < ports.length; each++) {
            if (lids.isHeld(each) && heldAt(held, each) != (ports[each] & 0xff)) {
                first = first == 0 ? each : first;
                count++;
            }
        }
        return count == 0
                ? ""
                : "LID " + first + " leads to " + text(heldAt(held, first)) + ", written is "
                        + text(ports[first] & 0xff) + (count > 1 ? " (" + count + " entries differ)" : "");
    }

    /** What it holds as a row of the core; destinations without a LID as in the row it was given. */
    LftRow rowOf(HeldLft held) {
        byte[] entries = row.toBytes();
        for (int each = 1; each < ports.length; each++) {
            int node = lids.nodeAt(each);
            if (node >= 0 && node < entries.length) {
                entries[node] = (byte) heldAt(held, each);
            }
        }
        return LftRow.of(entries);
    }

    /** What is left out is believed to be as written. */
    private int heldAt(HeldLft held, int lid) {
        return lid == lids.max() && held.leavesOut(lid) ? ports[lid] & 0xff : held.port(lid);
    }

    private static String text(int port) {
        return port == LftSet.NO_ROUTE ? "nowhere" : "port " + port;
    }
}

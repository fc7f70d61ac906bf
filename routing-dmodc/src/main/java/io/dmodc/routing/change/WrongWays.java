package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds the columns of rows in which an entry leads otherwise than any right row does: down to where the home is not, up from above it, or in
 * its rank. All others have Theorem 1, whatever they were made for.
 *
 * <p>A span is looked at as a whole: by the ports its entries may have, and the homes of its columns. Only where that does not prove all of it are its
 * columns looked at one by one, which for a row that is right are those of the switch's own part of the fabric. O(spans × (ports + homes)) a row
 * besides. For one thread.
 */
final class WrongWays {
    private static final int PORTS = 256;

    private final FabricView works;

    /** By switch, the homes that are below it, or are it. */
    private final BitSet[] below;

    /** By span, the homes of its columns. */
    private final int[][] homes;

    /** By port of the switch at hand, the switch behind it; −1 if there is none. */
    private final int[] peer = new int[PORTS];

    // Ports of the switch at hand behind which there is a switch: above it, and below it.
    private final BitSet up = new BitSet(PORTS);
    private final BitSet down = new BitSet(PORTS);

    WrongWays(FabricView works, BitSet[] homesBelow, int entryCount) {
        this.works = works;
        below = homesBelow;
        homes = new int[(entryCount + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS][];
        for (int k = 0; k < homes.length; k++) {
            BitSet found = new BitSet();
            int to = Math.min(entryCount, (k + 1) * LftRow.SPAN_COLUMNS);
            for (int d = k * LftRow.SPAN_COLUMNS; d < to; d++) {
                if (works.nodeSwitch(d) >= 0) {
                    found.set(works.nodeSwitch(d));
                }
            }
            homes[k] = found.stream().toArray();
        }
    }

    /** Adds the columns of rows of a switch. */
    void addTo(BitSet columns, int s, LftRow[] rows) {
        if (rows.length == 0) {
            return;
        }
        look(s);
        for (LftRow row : rows) {
            for (int k = 0; k < homes.length; k++) {
                if (!isRight(s, row, k)) {
                    add(columns, s, row, k);
                }
            }
        }
    }

    private void look(int s) {
        Arrays.fill(peer, -1);
        up.clear();
        down.clear();
        for (int port = 1; port <= works.portCount(s); port++) {
            peer[port] = works.peerSwitch(s, port);
            if (peer[port] >= 0) {
                up.set(port, works.isUp(s, peer[port]));
                down.set(port, works.isDown(s, peer[port]));
            }
        }
    }

    /** True if each port that entries of the span may have is right for each of its homes. */
    private boolean isRight(int s, LftRow row, int k) {
        long[] entries = row.entrySet(k);
        boolean anyUp = false;
        boolean right = true;
        for (int port = 1; right && port < PORTS; port++) {
            if (peer[port] >= 0 && (entries[port >> 6] >>> port & 1) != 0) {
                anyUp |= up.get(port);
                right = up.get(port) || (down.get(port) && allIn(below[peer[port]], homes[k]));
            }
        }
        return right && !(anyUp && anyIn(below[s], homes[k]));
    }

    private static boolean allIn(BitSet below, int[] homes) {
        boolean all = true;
        for (int home : homes) {
            all &= below.get(home);
        }
        return all;
    }

    private static boolean anyIn(BitSet below, int[] homes) {
        boolean any = false;
        for (int home : homes) {
            any |= below.get(home);
        }
        return any;
    }

    private void add(BitSet columns, int s, LftRow row, int k) {
        int to = Math.min(row.entryCount(), (k + 1) * LftRow.SPAN_COLUMNS);
        for (int d = k * LftRow.SPAN_COLUMNS; d < to; d++) {
            int home = works.nodeSwitch(d);
            int port = row.port(d);
            if (home >= 0 && peer[port] >= 0) {
                boolean right = down.get(port) ? below[peer[port]].get(home) : (up.get(port) && !below[s].get(home));
                if (!right) {
                    columns.set(d);
                }
            }
        }
    }
}

package io.dmodc.routing.minhop;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Spreads destinations over the ports of the min-hop tables: each takes the one that fewest others have (memo, section
 * 4.3).
 *
 * <p>As OpenSM 3.3 does it: destinations in {@link DestinationOrder}, every switch counts for itself, of several ports
 * with the lowest count the lowest number, and switches as destinations take their port last and count for nothing.
 * O(P) an entry; switches are independent of each other, so each is one piece of work.
 */
public final class PortAssignment {
    private final FabricView view;
    private final MinHopTables minHops;
    private final DestinationOrder order;

    private PortAssignment(FabricView view, MinHopTables minHops) {
        this.view = view;
        this.minHops = minHops;
        this.order = new DestinationOrder(view);
    }

    /**
     * Tables towards nodes.
     *
     * @param minHops with at least all switches with nodes as targets
     * @param kept entries to keep, {@link LftSet#NO_ROUTE} where a new one is wanted; {@code null} to keep none. Kept
     *     ones are counted before any new one is chosen
     */
    public static LftSet nodes(FabricView view, MinHopTables minHops, @Nullable LftSet kept, Parallel parallel) {
        PortAssignment assignment = new PortAssignment(view, minHops);
        byte[][] rows = new byte[view.switchCount()][];
        parallel.forEach(rows.length, s -> rows[s] = assignment.nodeRow(s, kept));
        return new LftSet(view.epoch(), view.nodeCount(), rows);
    }

    /**
     * Tables towards switches, 0 on the diagonal.
     *
     * @param minHops with all switches as targets
     * @param nodeTables the tables whose routes are counted
     */
    public static LftSet switches(FabricView view, MinHopTables minHops, LftSet nodeTables, Parallel parallel) {
        PortAssignment assignment = new PortAssignment(view, minHops);
        byte[][] rows = new byte[view.switchCount()][];
        parallel.forEach(rows.length, s -> rows[s] = assignment.switchRow(s, nodeTables));
        return new LftSet(view.epoch(), view.switchCount(), rows);
    }

    private byte[] nodeRow(int s, @Nullable LftSet kept) {
        byte[] row = emptyRow(view.nodeCount());
        if (!view.alive(s)) {
            return row;
        }
        if (kept != null) {
            kept.copyRow(s, row);
        }
        int[] count = countRoutes(row);
        int[] ports = new int[view.portCount(s)];
        for (int i = 0; i < order.switches.length; i++) {
            int target = order.switches[i];
            int portCount = target == s ? 0 : minHops.ports(s, target, ports);
            for (int at = order.base[i]; at < order.base[i + 1]; at++) {
                int node = order.nodes[at];
                if (target == s) {
                    row[node] = (byte) view.nodePort(node);
                } else if (portCount > 0 && row[node] == (byte) LftSet.NO_ROUTE) {
                    int port = leastSubscribed(ports, portCount, count);
                    row[node] = (byte) port;
                    count[port]++;
                }
            }
        }
        return row;
    }

    private byte[] switchRow(int s, LftSet nodeTables) {
        byte[] row = emptyRow(view.switchCount());
        row[s] = 0;
        byte[] nodeRow = new byte[view.nodeCount()];
        nodeTables.copyRow(s, nodeRow);
        int[] count = countRoutes(nodeRow);
        int[] ports = new int[view.portCount(s)];
        for (int target = 0; target < row.length; target++) {
            int portCount = target == s ? 0 : minHops.ports(s, target, ports);
            if (portCount > 0) {
                row[target] = (byte) leastSubscribed(ports, portCount, count);
            }
        }
        return row;
    }

    private static byte[] emptyRow(int entries) {
        byte[] row = new byte[entries];
        Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        return row;
    }

    /** Routes by port number; {@link LftSet#NO_ROUTE} has a counter that nobody asks. */
    private static int[] countRoutes(byte[] row) {
        int[] count = new int[LftSet.NO_ROUTE + 1];
        for (byte port : row) {
            count[port & 0xff]++;
        }
        return count;
    }

    private static int leastSubscribed(int[] ports, int portCount, int[] count) {
        int best = ports[0];
        for (int i = 1; i < portCount; i++) {
            if (count[ports[i]] < count[best]) {
                best = ports[i];
            }
        }
        return best;
    }
}

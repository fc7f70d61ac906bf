package io.dmodc.routing.minhop;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes as few entries as possible after links were lost (memo, section 6), instead of routing anew.
 *
 * <ul>
 *   <li>A link to a node: nothing changes.
 *   <li>A link between switches with others beside it: the entries through the lost port are spread over the other
 *       ports to the same switch.
 *   <li>The last link between two switches: an entry through the lost port takes another port, to a different switch, if
 *       the min-hop table has one from where the destination is still reached. If it has none, the switches that feed
 *       into this one for that destination look for such a port, nearest first, and those that feed into them. Where
 *       nobody finds one, entries stay as they are and packets are lost.
 * </ul>
 *
 * <p>New routes only use ports of the old min-hop tables, so every hop still leads one hop nearer: no loop, and no turn
 * the engine did not allow. New links and other changes are not looked at; they wait for a full routing.
 *
 * <p><b>Cost.</b> O(S·N) to look, O(S·P) for each destination with a broken entry. Of several ports the least subscribed is
 * taken, then the lowest; destinations go in {@link DestinationOrder}.
 */
public final class IncrementalMinHop {
    /**
     * What was changed.
     *
     * @param tables of the new view's epoch
     * @param moved entries that have another port than before
     * @param lost pairs of a live switch and a node with a route before and none that arrives now
     */
    public record Result(LftSet tables, long moved, long lost) {}

    private final FabricView before;
    private final FabricView now;
    private final MinHopTables minHops;
    private final byte[][] rows;
    private final int[][] count;
    private long moved;
    private long lost;

    private IncrementalMinHop(FabricView before, LftSet tables, MinHopTables minHops, FabricView now) {
        this.before = before;
        this.now = now;
        this.minHops = minHops;
        rows = new byte[now.switchCount()][before.nodeCount()];
        count = new int[rows.length][LftSet.NO_ROUTE + 1];
        for (int s = 0; s < rows.length; s++) {
            tables.copyRow(s, rows[s]);
            for (byte port : rows[s]) {
                count[s][port & 0xff]++;
            }
        }
    }

    /**
     * Reroutes around what {@code now} lacks.
     *
     * @param before the view the tables were made for
     * @param tables towards nodes
     * @param minHops what the tables were made from, with all switches with nodes as targets
     * @param now the same switches and nodes in the same places, fewer links or live switches
     * @throws IllegalArgumentException if switches or node indices differ
     */
    public static Result reroute(FabricView before, LftSet tables, MinHopTables minHops, FabricView now) {
        requireSameNames(before, now);
        IncrementalMinHop work = new IncrementalMinHop(before, tables, minHops, now);
        DestinationOrder order = new DestinationOrder(before);
        for (int i = 0; i < order.switches.length; i++) {
            for (int at = order.base[i]; at < order.base[i + 1]; at++) {
                work.spreadBesideLostPorts(order.switches[i], order.nodes[at]);
            }
        }
        for (int i = 0; i < order.switches.length; i++) {
            for (int at = order.base[i]; at < order.base[i + 1]; at++) {
                work.goAround(order.switches[i], order.nodes[at]);
            }
        }
        LftSet changed = new LftSet(now.epoch(), now.nodeCount(), work.rows);
        return new Result(changed, work.moved, work.lost);
    }

    private static void requireSameNames(FabricView before, FabricView now) {
        if (before.switchCount() != now.switchCount() || before.nodeCount() != now.nodeCount()) {
            throw new IllegalArgumentException("fabric of " + now.switchCount() + " switches and " + now.nodeCount()
                    + " nodes; expected " + before.switchCount() + " and " + before.nodeCount() + " as before");
        }
        for (int s = 0; s < before.switchCount(); s++) {
            if (before.switchGuid(s) != now.switchGuid(s) || before.portCount(s) != now.portCount(s)) {
                throw new IllegalArgumentException(
                        "switch " + now.switchName(s) + " was not there before; expected" + " the same switches");
            }
        }
    }

    /** True if the entry at a switch leads over a link that was and is no more. */
    private boolean isBroken(int s, int node) {
        int port = rows[s][node] & 0xff;
        return port != LftSet.NO_ROUTE
                && port > 0
                && before.peerSwitch(s, port) >= 0
                && before.peerSwitch(s, port) != now.peerSwitch(s, port);
    }

    private void spreadBesideLostPorts(int target, int node) {
        for (int s = 0; s < rows.length; s++) {
            if (s != target && isBroken(s, node)) {
                int neighbour = before.peerSwitch(s, rows[s][node] & 0xff);
                int port = leastSubscribed(s, target, neighbour, null);
                if (port > 0) {
                    move(s, node, port);
                }
            }
        }
    }

    private void goAround(int target, int node) {
        if (!anyBroken(target, node)) {
            return;
        }
        boolean[] arrives = new boolean[rows.length];
        arrives[target] = now.alive(target);
        for (int s : nearestFirst(target)) {
            int port = rows[s][node] & 0xff;
            if (s == target || port == LftSet.NO_ROUTE || !now.alive(s)) {
                continue;
            }
            int next = now.peerSwitch(s, port);
            arrives[s] = next >= 0 && arrives[next] && !isBroken(s, node);
            if (!arrives[s]) {
                int other = leastSubscribed(s, target, -1, arrives);
                arrives[s] = other > 0;
                if (other > 0) {
                    move(s, node, other);
                } else {
                    lost++;
                }
            }
        }
    }

    private boolean anyBroken(int target, int node) {
        for (int s = 0; s < rows.length; s++) {
            if (s != target && isBroken(s, node)) {
                return true;
            }
        }
        return false;
    }

    /** All switches with a path before, by hops to the target and then by index: one bucket a hop. */
    private int[] nearestFirst(int target) {
        List<List<Integer>> byHops = new ArrayList<>();
        int count = 0;
        for (int s = 0; s < rows.length; s++) {
            int hops = minHops.hops(s, target);
            if (hops != MinHopTables.NO_PATH) {
                while (byHops.size() <= hops) {
                    byHops.add(new ArrayList<>());
                }
                byHops.get(hops).add(s);
                count++;
            }
        }
        int[] order = new int[count];
        int next = 0;
        for (List<Integer> bucket : byHops) {
            for (int s : bucket) {
                order[next++] = s;
            }
        }
        return order;
    }

    /**
     * A port of the min-hop table whose link is as it was; 0 if there is none.
     *
     * @param neighbour only to this switch, or −1
     * @param arrives only to switches from where the node is reached, or {@code null}
     */
    private int leastSubscribed(int s, int target, int neighbour, boolean @Nullable [] arrives) {
        int best = 0;
        for (int port = minHops.nextPort(s, target, 0); port > 0; port = minHops.nextPort(s, target, port)) {
            int remote = now.peerSwitch(s, port);
            boolean usable = remote >= 0
                    && remote == before.peerSwitch(s, port)
                    && (neighbour < 0 || remote == neighbour)
                    && (arrives == null || arrives[remote]);
            if (usable && (best == 0 || count[s][port] < count[s][best])) {
                best = port;
            }
        }
        return best;
    }

    private void move(int s, int node, int port) {
        count[s][rows[s][node] & 0xff]--;
        count[s][port]++;
        rows[s][node] = (byte) port;
        moved++;
    }
}

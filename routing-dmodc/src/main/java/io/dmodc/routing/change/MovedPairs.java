package io.dmodc.routing.change;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts pairs of hosts that are led another way, and the entries that differ.
 *
 * <p><b>Idea.</b> Towards one destination every switch leads to one next switch, so a way is another as soon as it meets a switch
 * that differs for this destination: in the entry, in what is behind the port, or in forwarding at all. Until then both ways are the
 * same, so following one of them is enough. Where few ways meet such a switch they are found backwards from it; where many do, forwards
 * from all sources.
 *
 * <p><b>Layout and cost.</b> Destinations are taken in blocks of {@value LftDelta#BLOCK}, of which the entries of all switches are
 * written out; blocks in which nothing differs are passed over. Within one, a bit for each switch and destination says whether it
 * differs, and each switch is walked over once a destination.
 */
final class MovedPairs {
    private static final int BLOCK = LftDelta.BLOCK;

    /** Ports looked at backwards, for each switch of the fabric, that take as long as following all ways. */
    private static final int LOOKS = 4;

    private final SwitchPairs pairs;
    private final int[] changedEntries;

    /** Destinations whose host is in both views under the same index. */
    private final BitSet sameIndex = new BitSet();

    /** By switch, hosts that are cabled to it in both. */
    private final int[] staying;

    /** Hosts, by index in the first view, that are in both and cabled to another switch. */
    private final BitSet moving = new BitSet();

    private int hostCount;
    private long pairsMoved;

    // Of the block at hand, by switch and column.
    private final byte[] old;
    private final byte[] now;
    private final long[] differs;

    /** Those for which it is not 0. */
    private final int[] differing;

    private int differingCount;

    // Of the destination at hand, by switch: walked over with this stamp, and what was found.
    private final int[] stamp;
    private final boolean[] moved;
    private final int[] way;
    private int stamps;

    MovedPairs(SwitchPairs pairs) {
        this.pairs = pairs;
        int count = pairs.count();
        changedEntries = new int[count];
        staying = new int[count];
        old = new byte[count * BLOCK];
        now = new byte[count * BLOCK];
        differs = new long[count];
        differing = new int[count];
        stamp = new int[count];
        moved = new boolean[count];
        way = new int[count];
        Map<Integer, Integer> renumbered = placeHosts();
        pairsMoved = (long) moving.cardinality() * (hostCount - 1);
        blocks().stream().forEach(this::compareBlock);
        renumbered.forEach(this::compareColumn);
    }

    int changedEntries(int u) {
        return changedEntries[u];
    }

    int hostCount() {
        return hostCount;
    }

    long pairsMoved() {
        return pairsMoved;
    }

    /** Finds the hosts that are in both views; returns those that have another index. */
    private Map<Integer, Integer> placeHosts() {
        FabricView before = pairs.before();
        FabricView after = pairs.after();
        Map<Long, Integer> indices = new HashMap<>();
        for (int d = 0; d < after.nodeCount(); d++) {
            if (after.isHost(d) && !(d < before.nodeCount() && before.nodeGuid(d) == after.nodeGuid(d))) {
                indices.put(after.nodeGuid(d), d);
            }
        }
        Map<Integer, Integer> renumbered = new HashMap<>();
        for (int d = 0; d < before.nodeCount(); d++) {
            if (before.isHost(d)) {
                boolean same = d < after.nodeCount() && after.isHost(d) && after.nodeGuid(d) == before.nodeGuid(d);
                Integer there = same ? Integer.valueOf(d) : indices.get(before.nodeGuid(d));
                if (there != null) {
                    place(d, there, renumbered);
                }
            }
        }
        return renumbered;
    }

    private void place(int before, int after, Map<Integer, Integer> renumbered) {
        hostCount++;
        int b = pairs.before().nodeSwitch(before);
        if (pairs.before().switchGuid(b)
                == pairs.after().switchGuid(pairs.after().nodeSwitch(after))) {
            staying[pairs.numberOf(b)]++;
        } else {
            moving.set(before);
        }
        if (before == after) {
            sameIndex.set(before);
        } else {
            renumbered.put(before, after);
        }
    }

    /** Blocks of destinations in which something differs. */
    private BitSet blocks() {
        BitSet blocks = new BitSet();
        int all = LftDelta.blockCount(pairs.entryCount());
        for (int u = 0; u < pairs.count() && blocks.cardinality() < all; u++) {
            if (pairs.flips(u)) {
                blocks.set(0, all);
            } else if (pairs.forwardsInBoth(u)) {
                for (int block : LftDelta.changedBlocks(pairs.rowBefore(u), pairs.rowAfter(u))) {
                    blocks.set(block);
                }
                addRelinked(u, blocks);
            }
        }
        return blocks;
    }

    private void addRelinked(int u, BitSet blocks) {
        if (pairs.relinked(u)) {
            byte[] row = pairs.rowBefore(u).toBytes();
            for (int d = 0; d < row.length; d++) {
                if (pairs.leadsElsewhere(u, row[d] & 0xff)) {
                    blocks.set(d / BLOCK);
                }
            }
        }
    }

    private void compareBlock(int block) {
        int from = block * BLOCK;
        int to = Math.min(from + BLOCK, pairs.entryCount());
        long any = 0;
        for (int u = 0; u < pairs.count(); u++) {
            differs[u] = pairs.flips(u) ? -1 : pairs.forwardsInBoth(u) ? write(u, from, to) : 0;
            any |= differs[u];
        }
        listDiffering();
        for (int d = sameIndex.nextSetBit(from); d >= 0 && d < to; d = sameIndex.nextSetBit(d + 1)) {
            if ((any >>> d & 1) != 0) {
                count(d, d - from);
            }
        }
    }

    /** Writes out what a switch has for these destinations, counts what differs, and returns for which the next step does. */
    private long write(int u, int from, int to) {
        int at = u * BLOCK;
        LftRow before = pairs.rowBefore(u);
        LftRow after = pairs.rowAfter(u);
        before.copyTo(from, to, old, at);
        if (before.sharesSpan(from / LftRow.SPAN_COLUMNS, after) && !pairs.relinked(u)) {
            return 0;
        }
        after.copyTo(from, to, now, at);
        long bits = 0;
        for (int c = 0; c < to - from; c++) {
            if (old[at + c] != now[at + c]) {
                changedEntries[u]++;
                bits |= 1L << c;
            } else if (pairs.leadsElsewhere(u, old[at + c] & 0xff)) {
                bits |= 1L << c;
            }
        }
        return bits;
    }

    /** A host that has another index: its columns are compared one by one. */
    private void compareColumn(int before, int after) {
        for (int u = 0; u < pairs.count(); u++) {
            differs[u] = pairs.flips(u) ? 1 : 0;
            if (pairs.forwardsInBoth(u)) {
                int port = pairs.rowBefore(u).port(before);
                old[u * BLOCK] = (byte) port;
                boolean other = port != pairs.rowAfter(u).port(after) || pairs.leadsElsewhere(u, port);
                differs[u] = other ? 1 : 0;
            }
        }
        listDiffering();
        count(before, 0);
    }

    private void listDiffering() {
        differingCount = 0;
        for (int u = 0; u < differs.length; u++) {
            if (differs[u] != 0) {
                differing[differingCount++] = u;
            }
        }
    }

    /** Adds the sources that stay where they are and are led another way to this destination, itself left out. */
    private void count(int destination, int column) {
        int home = pairs.numberOf(pairs.before().nodeSwitch(destination));
        long sources = backwards(column);
        boolean fromHome = stamp[home] == stamps;
        if (sources < 0) {
            sources = forwards(column);
            fromHome = isMoved(home, column);
        }
        pairsMoved += sources - (fromHome && !moving.get(destination) ? 1 : 0);
    }

    /**
     * Sources of ways that meet a switch that differs, found from there, port by port; the switches on them get the new stamp.
     *
     * @return −1 when that is more work than following all ways
     */
    private long backwards(int column) {
        stamps++;
        int known = 0;
        for (int i = 0; i < differingCount; i++) {
            if ((differs[differing[i]] >>> column & 1) != 0) {
                stamp[differing[i]] = stamps;
                way[known++] = differing[i];
            }
        }
        long sources = 0;
        int looks = 0;
        for (int i = 0; i < known; i++) {
            int u = way[i];
            sources += staying[u];
            looks += pairs.portsBefore(u);
            if (looks > LOOKS * way.length) {
                return -1;
            }
            for (int port = 1; port <= pairs.portsBefore(u); port++) {
                int from = pairs.next(u, port);
                if (from >= 0 && stamp[from] != stamps && next(from, column) == u) {
                    stamp[from] = stamps;
                    way[known++] = from;
                }
            }
        }
        return sources;
    }

    /** Number of the switch that the entry of a column leads to, −1 where it leads to none. */
    private int next(int u, int column) {
        return pairs.forwardsInBoth(u) ? pairs.next(u, old[u * BLOCK + column] & 0xff) : -1;
    }

    /** The same, found by following the ways of all. */
    private long forwards(int column) {
        stamps++;
        long sources = 0;
        for (int u = 0; u < staying.length; u++) {
            sources += staying[u] > 0 && isMoved(u, column) ? staying[u] : 0;
        }
        return sources;
    }

    /** Follows the way from a switch to the first that differs, or is known, or to the end; a way that closes ends nowhere. */
    private boolean isMoved(int from, int column) {
        int steps = 0;
        int u = from;
        boolean found = false;
        while (u >= 0) {
            if (stamp[u] == stamps) {
                found = moved[u];
                break;
            }
            stamp[u] = stamps;
            moved[u] = false;
            way[steps++] = u;
            if ((differs[u] >>> column & 1) != 0) {
                found = true;
                break;
            }
            u = next(u, column);
        }
        for (int i = 0; found && i < steps; i++) {
            moved[way[i]] = true;
        }
        return found;
    }
}

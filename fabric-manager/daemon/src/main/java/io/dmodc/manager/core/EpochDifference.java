package io.dmodc.manager.core;

import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down in what one accepted epoch differs from the next one: entries that many switches have alike are written once, for each span of
 * columns.
 *
 * <p>A row with the digest of the next one's is passed over, and of the others only spans are looked at that both do not share: it
 * costs what the change did. O(ports) for the views.
 */
final class EpochDifference {
    /** Bytes that a port or a switch takes, about, as a record and in memory. */
    private static final int PORT_BYTES = 100;

    private static final int SPAN_BLOCKS = LftRow.SPAN_COLUMNS / KeptRow.BLOCK;

    private final ServedEpoch older;
    private final ServedEpoch newer;
    private final int entryCount;
    private final Map<KeptRow, GuidList> rows = new LinkedHashMap<>();
    private long bytes;

    private EpochDifference(ServedEpoch older, ServedEpoch newer) {
        this.older = older;
        this.newer = newer;
        entryCount = older.tables().entryCount();
    }

    /** GUIDs, as they come. */
    private static final class GuidList {
        private long[] guids = new long[4];
        private int count;

        void add(long guid) {
            guids = count == guids.length ? Arrays.copyOf(guids, 2 * count) : guids;
            guids[count++] = guid;
        }

        long[] toArray() {
            return Arrays.copyOf(guids, count);
        }
    }

    /**
     * The difference.
     *
     * @param head what is on record of the older epoch as the last one
     * @param bytesMax that the record may take
     * @return {@code null} when it would take more
     */
    static @Nullable KeptEpoch of(KeptEpoch head, ServedEpoch older, ServedEpoch newer, long bytesMax) {
        EpochDifference difference = new EpochDifference(older, newer);
        List<KnownSwitch> switches = difference.switches();
        if (difference.bytes > bytesMax || !difference.compareRows(bytesMax)) {
            return null;
        }
        List<ChangedRows> rows = new ArrayList<>(difference.rows.size());
        difference.rows.forEach(
                (row, guids) -> rows.add(new ChangedRows(guids.toArray(), row.blocks(), row.entries())));
        return new KeptEpoch(
                head.epoch(),
                head.cause(),
                head.engine(),
                head.acceptedMillis(),
                difference.entryCount,
                head.digest(),
                newer.digest(),
                rows,
                switches,
                difference.absent(),
                difference.nodes());
    }

    /** True if the older of two epochs, one behind the other, has the tables, the engine and the fabric of the newer. */
    static boolean isNone(KeptEpoch older, KeptEpoch newer) {
        return older.digest() == newer.digest()
                && older.engine().equals(newer.engine())
                && older.entryCount() == newer.entryCount()
                && older.rows().isEmpty()
                && older.switches().isEmpty()
                && older.absent().isEmpty()
                && older.nodes().isEmpty();
    }

    /** Bytes that a record takes, about: what it is counted with. */
    static long bytes(KeptEpoch kept) {
        long sum = PORT_BYTES;
        for (ChangedRows changed : kept.rows()) {
            sum += bytes(changed.blocks(), changed.entries()) + (long) Long.BYTES * changed.switches().length;
        }
        for (KnownSwitch known : kept.switches()) {
            sum += bytes(known);
        }
        return sum + (long) PORT_BYTES * (kept.absent().size() + kept.nodes().size());
    }

    private static long bytes(int[] blocks, byte[] entries) {
        return PORT_BYTES + (long) Integer.BYTES * blocks.length + entries.length;
    }

    private static long bytes(KnownSwitch known) {
        return (long) PORT_BYTES * (1 + known.claims().ports().size());
    }

    /** @return false when there is too much of it */
    private boolean compareRows(long bytesMax) {
        for (int s = 0; s < older.view().switchCount() && bytes <= bytesMax; s++) {
            LftRow row = older.row(s);
            if (row != null) {
                compareRow(s, row);
            }
        }
        return bytes <= bytesMax;
    }

    private void compareRow(int s, LftRow row) {
        long guid = older.view().switchGuid(s);
        int there = newer.view().switchOf(guid);
        LftRow next = newer.row(there);
        boolean same = next != null && next.entryCount() == entryCount && newer.digests()[there] == older.digests()[s];
        if (!same) {
            LftRow base = next == null ? LftRow.noRoutes(entryCount) : next;
            KeptRow differing = KeptRows.differing(row, 0, base.fittedTo(Math.max(entryCount, base.entryCount())), 0);
            addParts(guid, differing);
        }
    }

    /** Span by span: switches that differ somewhere else, as leaves do for their own hosts, still have the others in common. */
    private void addParts(long guid, KeptRow differing) {
        int[] blocks = differing.blocks();
        int at = 0;
        for (int from = 0, to; from < blocks.length; from = to) {
            int span = blocks[from] / SPAN_BLOCKS;
            int size = 0;
            for (to = from; to < blocks.length && blocks[to] / SPAN_BLOCKS == span; to++) {
                size += KeptRow.end(blocks[to], entryCount) - blocks[to] * KeptRow.BLOCK;
            }
            byte[] entries = Arrays.copyOfRange(differing.entries(), at, at + size);
            add(guid, new KeptRow(entryCount, 0, 0, Arrays.copyOfRange(blocks, from, to), entries));
            at += size;
        }
    }

    private void add(long guid, KeptRow differing) {
        GuidList alike = rows.get(differing);
        if (alike == null) {
            alike = new GuidList();
            rows.put(differing, alike);
            bytes += bytes(differing.blocks(), differing.entries());
        }
        alike.add(guid);
        bytes += Long.BYTES;
    }

    /** Switches that are others than in the newer view, or not in it. */
    private List<KnownSwitch> switches() {
        FabricView view = older.view();
        List<KnownSwitch> switches = new ArrayList<>();
        boolean comparable = newer.view().comparableTo(view);
        int[] changed = comparable ? newer.view().switchesChangedSince(view) : changedByGuid();
        for (int s : changed) {
            KnownSwitch known = known(view, s);
            switches.add(known);
            bytes += bytes(known);
        }
        return switches;
    }

    private int[] changedByGuid() {
        int[] changed = new int[older.view().switchCount()];
        int count = 0;
        for (int s = 0; s < changed.length; s++) {
            if (!isAsBefore(s)) {
                changed[count++] = s;
            }
        }
        return Arrays.copyOf(changed, count);
    }

    private boolean isAsBefore(int s) {
        FabricView then = older.view();
        FabricView next = newer.view();
        int there = next.switchOf(then.switchGuid(s));
        if (there < 0 || next.alive(there) != then.alive(s) || next.portCount(there) != then.portCount(s)) {
            return false;
        }
        for (int port = 1; port <= then.portCount(s); port++) {
            if (guidBehind(then, s, port) != guidBehind(next, there, port)
                    || then.peerPort(s, port) != next.peerPort(there, port)) {
                return false;
            }
        }
        return true;
    }

    /** GUID of the switch or host port behind a port, 0 for none. */
    private static long guidBehind(FabricView view, int s, int port) {
        int peer = view.peerSwitch(s, port);
        int node = view.peerNode(s, port);
        return peer >= 0 ? view.switchGuid(peer) : node >= 0 ? view.nodeGuid(node) : 0;
    }

    /** A switch as a view has it. */
    static KnownSwitch known(FabricView view, int s) {
        List<PortClaim> ports = new ArrayList<>();
        for (int port = 1; port <= view.portCount(s); port++) {
            int peer = view.peerSwitch(s, port);
            int node = view.peerNode(s, port);
            Host host = node < 0 ? null : view.host(node);
            if (peer >= 0) {
                ports.add(
                        new PortClaim(port, true, new ToSwitch(view.switchGuid(peer), view.peerPort(s, port)), false));
            } else if (host != null) {
                ports.add(new PortClaim(port, true, new ToHost(host), true));
            }
        }
        SwitchClaims claims = new SwitchClaims(view.switchGuid(s), view.switchName(s), view.portCount(s), ports);
        return new KnownSwitch(claims, view.alive(s));
    }

    private List<Long> absent() {
        List<Long> absent = new ArrayList<>();
        for (int s = 0; s < newer.view().switchCount(); s++) {
            if (older.view().switchOf(newer.view().switchGuid(s)) < 0) {
                absent.add(newer.view().switchGuid(s));
            }
        }
        return absent;
    }

    private List<NodeIndex> nodes() {
        FabricView then = older.view();
        FabricView next = newer.view();
        List<NodeIndex> nodes = new ArrayList<>();
        for (int node = 0; !next.sharesHosts(then) && node < then.nodeCount(); node++) {
            boolean same = node < next.nodeCount() && next.nodeGuid(node) == then.nodeGuid(node);
            if (then.nodeSwitch(node) >= 0 && !same) {
                nodes.add(new NodeIndex(then.nodeGuid(node), node));
            }
        }
        return nodes;
    }
}

package io.dmodc.routing.minhop.store;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The kept cabling beside the present one, and what of the kept state still holds (memo, Table 1).
 *
 * <p>O(S·P) without switches that came or went; with them nothing else is looked at, as nothing holds.
 */
public final class CablingComparison {
    private final StoredState kept;
    private final FabricView view;
    private final LiveSwitches live;
    private final Map<CablingChange, Integer> changes = new EnumMap<>(CablingChange.class);
    private final Map<CablingChange, String> first = new EnumMap<>(CablingChange.class);

    private CablingComparison(StoredState kept, FabricView view) {
        this.kept = kept;
        this.view = view;
        this.live = new LiveSwitches(view);
    }

    /** Compares. */
    public static CablingComparison of(StoredState kept, FabricView view) {
        CablingComparison comparison = new CablingComparison(kept, view);
        comparison.compareSwitches();
        if (comparison.changes.isEmpty()) {
            for (int i = 0; i < kept.switchGuid.length; i++) {
                comparison.comparePorts(i);
            }
            comparison.compareNodes();
        }
        return comparison;
    }

    private void compareSwitches() {
        int present = 0;
        int stored = 0;
        while (present < live.count() || stored < kept.switchGuid.length) {
            int order = stored == kept.switchGuid.length
                    ? -1
                    : present == live.count()
                            ? 1
                            : Long.compareUnsigned(view.switchGuid(live.indexInView(present)), kept.switchGuid[stored]);
            if (order < 0) {
                note(CablingChange.NEW_SWITCH, "switch " + Guid.format(view.switchGuid(live.indexInView(present))));
            } else if (order > 0) {
                note(CablingChange.MISSING_SWITCH, "switch " + Guid.format(kept.switchGuid[stored]));
            }
            present += order <= 0 ? 1 : 0;
            stored += order >= 0 ? 1 : 0;
        }
    }

    /** A cable is looked at from its end with the lower number; one that was moved is missing here and new there. */
    private void comparePorts(int i) {
        int s = live.indexInView(i);
        int portCount = Math.max(view.portCount(s), kept.peerSwitch[i].length);
        for (int port = 1; port <= portCount; port++) {
            int before = before(i, port);
            if (before != StoredState.NOBODY && i < before && !isLinkedAsBefore(i, port)) {
                note(
                        areNeighbours(i, before)
                                ? CablingChange.MISSING_CABLE_OF_SEVERAL
                                : CablingChange.MISSING_LAST_CABLE,
                        cable(i, port));
            }
            int now = port <= view.portCount(s) && view.peerSwitch(s, port) >= 0
                    ? live.number(view.peerSwitch(s, port))
                    : StoredState.NOBODY;
            if (now != StoredState.NOBODY && i < now && !isLinkedAsBefore(i, port)) {
                note(CablingChange.NEW_CABLE, cable(i, port));
            }
        }
    }

    private int before(int i, int port) {
        return port <= kept.peerSwitch[i].length ? kept.peerSwitch[i][port - 1] : StoredState.NOBODY;
    }

    private boolean isLinkedAsBefore(int i, int port) {
        int s = live.indexInView(i);
        int before = before(i, port);
        return before != StoredState.NOBODY
                && port <= view.portCount(s)
                && view.peerSwitch(s, port) == live.indexInView(before)
                && view.peerPort(s, port) == (kept.peerPort[i][port - 1] & 0xff);
    }

    private boolean areNeighbours(int i, int other) {
        int s = live.indexInView(i);
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            if (view.groupRemote(g) == live.indexInView(other)) {
                return true;
            }
        }
        return false;
    }

    private static String port(long guid, int port) {
        return "switch " + Guid.format(guid) + " port " + port;
    }

    private String cable(int i, int port) {
        return port(kept.switchGuid[i], port);
    }

    private void compareNodes() {
        Map<Long, Integer> present = new HashMap<>();
        Set<Long> presentHosts = new HashSet<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (host != null && view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node))) {
                present.put(host.portGuid(), node);
                presentHosts.add(host.hostGuid());
            }
        }
        Set<Long> known = new HashSet<>();
        for (int node = 0; node < kept.nodePortGuid.length; node++) {
            long guid = kept.nodePortGuid[node];
            if (guid != 0) {
                known.add(guid);
                compareNode(node, present.getOrDefault(guid, -1), presentHosts);
            }
        }
        present.keySet().removeAll(known);
        present.keySet().stream()
                .sorted(Long::compareUnsigned)
                .forEach(guid -> note(CablingChange.NEW_NODE, "node " + Guid.format(guid)));
    }

    private void compareNode(int node, int now, Set<Long> presentHosts) {
        String name = "node " + Guid.format(kept.nodePortGuid[node]);
        if (now < 0) {
            boolean adapterThere = presentHosts.contains(kept.nodeHostGuid[node]);
            note(adapterThere ? CablingChange.MISSING_NODE_CABLE : CablingChange.MISSING_NODE, name);
            return;
        }
        if (now != node) {
            note(CablingChange.NEW_NODE_INDEX, name);
        }
        if (!isPlacedAsBefore(node, now)) {
            note(CablingChange.MISSING_NODE_CABLE, name);
            note(CablingChange.NEW_CABLE, name);
        }
    }

    private boolean isPlacedAsBefore(int node, int now) {
        return live.number(view.nodeSwitch(now)) == kept.nodeSwitch[node]
                && view.nodePort(now) == (kept.nodePort[node] & 0xff);
    }

    private void note(CablingChange change, String what) {
        changes.merge(change, 1, Integer::sum);
        first.putIfAbsent(change, what);
    }

    /** How often each kind of change was seen. */
    public Map<CablingChange, Integer> changes() {
        return Collections.unmodifiableMap(changes);
    }

    /** Why the min-hop tables do not hold, in words; empty if they do. */
    public String invalidity() {
        for (CablingChange change : changes.keySet()) {
            if (change.invalidatesMinHops()) {
                int count = changes.getOrDefault(change, 0);
                return change + ": " + first.get(change) + (count > 1 ? " (and " + (count - 1) + " more)" : "");
            }
        }
        return "";
    }

    public boolean minHopsHold() {
        return changes.keySet().stream().noneMatch(CablingChange::invalidatesMinHops);
    }

    public boolean rootsHold() {
        return changes.keySet().stream().noneMatch(CablingChange::invalidatesRoots);
    }

    /** Kept roots as switch indices of the view; only if {@link #rootsHold}. */
    public BitSet roots() {
        BitSet roots = new BitSet();
        kept.roots.stream().forEach(i -> roots.set(live.indexInView(i)));
        return roots;
    }

    /**
     * The kept tables for the present cabling; only if {@link #minHopsHold}. Where a switch was the way to a target,
     * all present cables to it are.
     */
    public MinHopTables minHops() {
        long[][] sameWay = new long[view.switchCount()][];
        for (int i = 0; i < live.count(); i++) {
            sameWay[live.indexInView(i)] = portsToTheSameSwitch(i);
        }
        return MinHopTables.of(view, new MinHopTables.Source() {
            @Override
            public int hops(int s, int target) {
                return live.number(s) < 0
                        ? MinHopTables.NO_PATH
                        : kept.hops[live.number(target)][live.number(s)] & 0xff;
            }

            @Override
            public boolean begins(int s, int target, int port) {
                long[] set = kept.ports[live.number(target)];
                int at = live.number(s) * kept.words;
                long common = 0;
                for (int word = 0; word < kept.words; word++) {
                    common |= set[at + word] & sameWay[s][(port - 1) * kept.words + word];
                }
                return common != 0;
            }
        });
    }

    /** By present port − 1, {@code words} longs each: the kept ports that led where this one leads now. */
    private long[] portsToTheSameSwitch(int i) {
        int s = live.indexInView(i);
        long[] ports = new long[view.portCount(s) * kept.words];
        for (int port = 1; port <= view.portCount(s); port++) {
            int peer = view.peerSwitch(s, port) < 0 ? StoredState.NOBODY : live.number(view.peerSwitch(s, port));
            for (int old = 0; peer != StoredState.NOBODY && old < kept.peerSwitch[i].length; old++) {
                if (kept.peerSwitch[i][old] == peer) {
                    ports[(port - 1) * kept.words + (old >> 6)] |= 1L << old;
                }
            }
        }
        return ports;
    }

    /**
     * Kept routes that still hold: over a cable that is as it was, to a node with the index and the switch it had, and
     * on a path of the min-hop tables. The rest is {@link LftSet#NO_ROUTE}.
     *
     * @param minHops of the view
     */
    public LftSet routes(MinHopTables minHops) {
        byte[][] rows = new byte[view.switchCount()][view.nodeCount()];
        for (int s = 0; s < rows.length; s++) {
            Arrays.fill(rows[s], (byte) LftSet.NO_ROUTE);
        }
        boolean none = changes.keySet().stream().anyMatch(CablingChange::invalidatesAllRoutes);
        for (int i = 0; i < live.count() && !none; i++) {
            keepRoutes(i, minHops, rows[live.indexInView(i)]);
        }
        return new LftSet(view.epoch(), view.nodeCount(), rows);
    }

    private void keepRoutes(int i, MinHopTables minHops, byte[] row) {
        int s = live.indexInView(i);
        for (int node = 0; node < row.length && node < kept.nodePortGuid.length; node++) {
            int port = kept.routes[i][node] & 0xff;
            int target = view.nodeSwitch(node);
            if (kept.nodePortGuid[node] != 0
                    && kept.nodePortGuid[node] == view.nodeGuid(node)
                    && target != s
                    && kept.nodeSwitch[node] == live.number(target)
                    && port != LftSet.NO_ROUTE
                    && isLinkedAsBefore(i, port)
                    && minHops.begins(s, target, port)) {
                row[node] = (byte) port;
            }
        }
    }
}

package io.dmodc.routing.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Adaptive routing groups as text: for each switch the sets of ports of which any will do, and for each LID the set it
 * may use beside the one port of the table, its static fallback.
 *
 * <pre>
 * # adaptive routing groups 1
 * switch 0x02f0000100000000 lid 2 groups 1 ('leaf0'):
 * group 1 ports 5 6 7 8
 * lid 0x0001 static 003 # Channel Adapter portguid 0x02c0000000000001: 'node0'
 * lid 0x0019 static 006 group 1 # Channel Adapter portguid 0x02c0000000000031: 'node24'
 * </pre>
 *
 * <p>Groups are numbered from 1 in the order of the LIDs that use them first, at most one for each switch that has hosts;
 * alike sets are one group. A LID with a single port has no group, nor have LIDs of switches. LIDs without route, and
 * dead switches, are left out, as in {@link OpenSmDump}.
 *
 * <p>Two passes of one look-up an entry. OpenSM loads no such file.
 */
public final class ArGroups {
    private static final String[] PORTS = IntStream.range(0, LftSet.NO_ROUTE)
            .mapToObj(port -> String.format(Locale.ROOT, "%03d", port))
            .toArray(String[]::new);

    private static final String HEAD = "# adaptive routing groups 1\n";

    /** Who knows the ports of which a packet may take any. */
    public interface Alternatives {
        /** The ports of a switch that lead closer to a node; empty without a path. The same for all nodes of one other switch. */
        int[] of(int s, int node);
    }

    private final FabricView view;
    private final LftSet nodeTables;
    private final Lids lids;
    private final Alternatives alternatives;
    private final DumpWriter entries;

    private ArGroups(FabricView view, LftSet nodeTables, LftSet switchTables, Lids lids, Alternatives alternatives) {
        this.view = view;
        this.nodeTables = nodeTables;
        this.lids = lids;
        this.alternatives = alternatives;
        this.entries = new DumpWriter(view, nodeTables, switchTables, lids);
    }

    /**
     * Takes tables and their alternatives together.
     *
     * @param nodeTables columns are node indices
     * @param switchTables columns are switch indices, 0 on the diagonal
     * @throws IllegalArgumentException in one line, if tables and view differ in size, or a port of the tables is not among
     *     the alternatives: the two could send packets in circles together
     */
    public static ArGroups of(
            FabricView view, LftSet nodeTables, LftSet switchTables, Lids lids, Alternatives alternatives) {
        ArGroups groups = new ArGroups(view, nodeTables, switchTables, lids, alternatives);
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                groups.requireMembers(s);
            }
        }
        return groups;
    }

    private void requireMembers(int s) {
        int[][] ofHome = new int[view.switchCount()][];
        for (int node = 0; node < view.nodeCount(); node++) {
            int port = nodeTables.port(s, node);
            int[] members = port == LftSet.NO_ROUTE ? new int[0] : members(s, node, ofHome);
            if (port != LftSet.NO_ROUTE && Arrays.binarySearch(members, port) < 0) {
                throw new IllegalArgumentException("switch " + Guid.format(view.switchGuid(s)) + ": node " + node
                        + " leaves by port " + port + "; expected one of " + Arrays.toString(members)
                        + ", which lead closer without turning up again");
            }
        }
    }

    /** Ascending; looked up once a home switch, other than {@code s} itself. */
    private int[] members(int s, int node, int[][] ofHome) {
        int home = view.nodeSwitch(node);
        if (home < 0 || home == s) {
            return sorted(alternatives.of(s, node));
        }
        if (ofHome[home] == null) {
            ofHome[home] = sorted(alternatives.of(s, node));
        }
        return ofHome[home];
    }

    private static int[] sorted(int[] ports) {
        int[] sorted = ports.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Writes the text. */
    public void write(Appendable out) throws IOException {
        String[] lead = new String[lids.max() + 1];
        String[] tail = new String[lids.max() + 1];
        for (int lid = 1; lid <= lids.max(); lid++) {
            lead[lid] = String.format(Locale.ROOT, "lid 0x%04x static ", lid);
            tail[lid] = entries.tail(lid);
        }
        out.append(HEAD);
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                writeSwitch(s, lead, tail, out);
            }
        }
    }

    private void writeSwitch(int s, String[] lead, String[] tail, Appendable out) throws IOException {
        int[] groupOfHome = new int[view.switchCount()];
        Map<String, Integer> groups = groups(s, groupOfHome);
        out.append("switch " + Guid.format(view.switchGuid(s)) + " lid " + lids.ofSwitch(s) + " groups " + groups.size()
                + " ('" + DumpWriter.plain(view.switchName(s)) + "'):\n");
        for (Map.Entry<String, Integer> group : groups.entrySet()) {
            out.append("group " + group.getValue() + " ports " + group.getKey() + "\n");
        }
        for (int lid = 1; lid <= lids.max(); lid++) {
            int port = entries.port(s, lid);
            if (port != LftSet.NO_ROUTE) {
                int node = lids.nodeAt(lid);
                int group = node < 0 ? 0 : groupOfHome[view.nodeSwitch(node)];
                out.append(lead[lid])
                        .append(PORTS[port])
                        .append(group == 0 ? "" : " group " + group)
                        .append(tail[lid]);
            }
        }
    }

    /** Numbers by ports, in order of number; fills in the number for each home switch, 0 for none. */
    private Map<String, Integer> groups(int s, int[] groupOfHome) {
        Map<String, Integer> groups = new LinkedHashMap<>();
        for (int lid = 1; lid <= lids.max(); lid++) {
            int node = lids.nodeAt(lid);
            int home = node < 0 || nodeTables.port(s, node) == LftSet.NO_ROUTE ? s : view.nodeSwitch(node);
            if (home != s && groupOfHome[home] == 0) {
                int[] members = sorted(alternatives.of(s, node));
                if (members.length > 1) {
                    String ports =
                            IntStream.of(members).mapToObj(Integer::toString).collect(Collectors.joining(" "));
                    groups.putIfAbsent(ports, groups.size() + 1);
                    groupOfHome[home] = groups.getOrDefault(ports, 0);
                }
            }
        }
        return groups;
    }
}

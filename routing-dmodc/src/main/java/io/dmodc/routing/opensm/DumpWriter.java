package io.dmodc.routing.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.io.IOException;
import java.util.Locale;

/** Writes {@link OpenSmDump}'s format. What a line says of its destination is the same for all switches: made once. */
final class DumpWriter {
    /** Keeps lines far below the 1023 characters OpenSM reads; InfiniBand descriptions have at most 64. */
    private static final int NAME_MAX = 128;

    private final FabricView view;
    private final LftSet nodeTables;
    private final LftSet switchTables;
    private final Lids lids;
    private final String[] lead;
    private final String[] tail;

    DumpWriter(FabricView view, LftSet nodeTables, LftSet switchTables, Lids lids) {
        requireSize("node", nodeTables, view.switchCount(), view.nodeCount());
        requireSize("switch", switchTables, view.switchCount(), view.switchCount());
        this.view = view;
        this.nodeTables = nodeTables;
        this.switchTables = switchTables;
        this.lids = lids;
        lead = new String[lids.max() + 1];
        tail = new String[lids.max() + 1];
        for (int lid = 1; lid <= lids.max(); lid++) {
            lead[lid] = String.format(Locale.ROOT, "0x%04x ", lid);
            tail[lid] = tail(lid);
        }
    }

    private static void requireSize(String kind, LftSet tables, int rows, int columns) {
        if (tables.switchCount() != rows || tables.entryCount() != columns) {
            throw new IllegalArgumentException(kind + " tables of " + tables.switchCount() + " rows and "
                    + tables.entryCount() + " columns; expected " + rows + " and " + columns);
        }
    }

    /** What a line ends in; empty for a LID that nobody holds. */
    String tail(int lid) {
        int s = lids.switchAt(lid);
        if (s >= 0) {
            return " # Switch portguid " + Guid.format(view.switchGuid(s)) + ": '" + plain(view.switchName(s)) + "'\n";
        }
        int node = lids.nodeAt(lid);
        Host host = node < 0 ? null : view.host(node);
        return host == null
                ? ""
                : " # Channel Adapter portguid " + Guid.format(host.portGuid()) + ": '" + plain(host.name()) + "'\n";
    }

    /** A name that cannot end its line, its quotes or the reader's patience. */
    static String plain(String name) {
        StringBuilder plain = new StringBuilder();
        name.codePoints()
                .limit(NAME_MAX)
                .forEach(c -> plain.append(c < ' ' || c > '~' || c == '\'' || c == '#' ? '_' : (char) c));
        return plain.toString();
    }

    void write(Appendable out) throws IOException {
        String[] ports = new String[LftSet.NO_ROUTE];
        for (int port = 0; port < ports.length; port++) {
            ports[port] = String.format(Locale.ROOT, "%03d", port);
        }
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                writeSwitch(s, ports, out);
            }
        }
    }

    private void writeSwitch(int s, String[] ports, Appendable out) throws IOException {
        out.append("Unicast lids [0-" + lids.max() + "] of switch Lid " + lids.ofSwitch(s) + " guid "
                + Guid.format(view.switchGuid(s)) + " ('" + plain(view.switchName(s)) + "'):\n");
        int count = 0;
        for (int lid = 1; lid <= lids.max(); lid++) {
            int port = port(s, lid);
            if (port != LftSet.NO_ROUTE) {
                out.append(lead[lid]).append(ports[port]).append(tail[lid]);
                count++;
            }
        }
        out.append(count + " lids dumped\n");
    }

    /** The entry of a LID, or {@link LftSet#NO_ROUTE}. */
    int port(int s, int lid) {
        int to = lids.switchAt(lid);
        if (to >= 0) {
            return to == s ? 0 : switchTables.port(s, to);
        }
        int node = lids.nodeAt(lid);
        return node < 0 ? LftSet.NO_ROUTE : nodeTables.port(s, node);
    }
}

package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import java.util.BitSet;

/** Makes sure that a switch has no entry to a dead port in the columns that are not checked further. */
final class DeadPortScan {
    private DeadPortScan() {}

    static Findings check(Wiring wiring, LftSet tables, Destinations destinations, BitSet checked, int s) {
        Findings findings = new Findings();
        if (wiring.view.alive(s)) {
            boolean[] live = livePorts(wiring, s);
            byte[] row = tables.row(s).toBytes();
            for (int d = 0; d < row.length; d++) {
                int port = row[d] & 0xff;
                boolean exit = !live[port] && destinations.home[d] == s && destinations.exit[d] == port;
                if (!live[port] && !exit && !checked.get(d)) {
                    findings.add(Property.LIVE_ENTRIES, s, d);
                }
            }
        }
        return findings;
    }

    private static boolean[] livePorts(Wiring wiring, int s) {
        boolean[] live = new boolean[256];
        for (int port = 1; port <= wiring.view.portCount(s); port++) {
            live[port] = wiring.view.peerSwitch(s, port) >= 0;
        }
        live[LftSet.NO_ROUTE] = true;
        return live;
    }
}

package io.dmodc.routing.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;

/**
 * Tables as a listing for people, not read back: per live switch its runs of destinations with the same port.
 *
 * <pre>
 * switch 0x02f0000000000000 (leaf0)
 *   d0: port 1
 *   d2-d5: port 3
 *   d6: no route
 * </pre>
 */
public final class LftText {
    private LftText() {}

    /**
     * Writes all rows of live switches.
     *
     * @param nodeTables columns are node indices, printed as {@code d0, d1, …}
     */
    public static void write(FabricView view, LftSet nodeTables, Appendable out) throws IOException {
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                out.append("switch " + Guid.format(view.switchGuid(s)) + " (" + DumpWriter.plain(view.switchName(s))
                        + ")\n");
                writeRuns(nodeTables, s, out);
            }
        }
    }

    private static void writeRuns(LftSet tables, int s, Appendable out) throws IOException {
        int end;
        for (int start = 0; start < tables.entryCount(); start = end) {
            int port = tables.port(s, start);
            end = start + 1;
            while (end < tables.entryCount() && tables.port(s, end) == port) {
                end++;
            }
            out.append("  d" + start + (end > start + 1 ? "-d" + (end - 1) : "") + ": "
                    + (port == LftSet.NO_ROUTE ? "no route" : "port " + port) + "\n");
        }
    }
}

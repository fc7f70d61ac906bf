package io.dmodc.routing.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.io.BufferedReader;
import java.io.IOException;

/**
 * Tables as text that {@code opensm -R file -U FILE} loads, and that OpenSM and {@code dump_fts} print.
 *
 * <pre>
 * Unicast lids [0-28] of switch Lid 2 guid 0x02f0000100000000 ('leaf0'):
 * 0x0001 001 # Channel Adapter portguid 0x02c0000000000001: 'node0'
 * 0x0002 000 # Switch portguid 0x02f0000100000000: 'leaf0'
 * 2 lids dumped
 * </pre>
 *
 * <p>OpenSM finds a destination by its port GUID, so its LIDs need not be ours. A switch's own GUID is taken for that of
 * its port 0. A switch missing from the file would be left without any routes, so every live switch is written, with
 * at least its own entry. A port with several LIDs (LMC > 0) has an entry for each, all with the same port. Dead switches are left out: OpenSM does not see them, and their rows mean nothing. No entry
 * is written where there is no route.
 */
public final class OpenSmDump {
    private OpenSmDump() {}

    /**
     * Writes the dump.
     *
     * @param nodeTables columns are node indices
     * @param switchTables columns are switch indices, 0 on the diagonal
     * @throws IllegalArgumentException if tables and view differ in size
     */
    public static void write(FabricView view, LftSet nodeTables, LftSet switchTables, Lids lids, Appendable out)
            throws IOException {
        new DumpWriter(view, nodeTables, switchTables, lids).write(out);
    }

    /**
     * Reads a dump; an entry without port GUID is looked up as if LIDs had been dealt by {@link Lids#sequential}.
     *
     * @see #read(String, BufferedReader, FabricView, Lids)
     */
    public static OpenSmTables read(String source, BufferedReader in, FabricView view) throws IOException {
        return read(source, in, view, Lids.sequential(view));
    }

    /**
     * Reads a dump as OpenSM does: sections of unknown switches are skipped, other lines ignored, port GUIDs win over
     * LIDs, the last of several entries counts. Of several LIDs of a port (LMC > 0) the lowest counts; what stands for the
     * others is told apart.
     *
     * @param source file name for messages
     * @param lids for entries without port GUID
     * @return tables of the view's size and epoch, and what could not be used
     * @throws IllegalArgumentException in one line, {@code source:line: …; expected …}, if an entry cannot be understood
     *     or its port is beyond the switch's ports, or if the text has no section at all
     */
    public static OpenSmTables read(String source, BufferedReader in, FabricView view, Lids lids) throws IOException {
        DumpReader reader = new DumpReader(view, lids);
        reader.add(source, in);
        return reader.tables();
    }
}

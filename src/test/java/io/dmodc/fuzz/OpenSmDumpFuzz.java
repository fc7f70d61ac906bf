package io.dmodc.fuzz;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.opensm.Lids;
import io.dmodc.routing.opensm.OpenSmDump;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Table dumps of OpenSM for two leaves below two spines: read, checked as {@code fabricctl check} does, written again. */
public final class OpenSmDumpFuzz {
    private static final String PLACE = "lfts.dump";
    private static final FabricView VIEW =
            PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")).build(1, new NodeIndexMap(), new GuidNumbers());
    private static final Lids LIDS = Lids.sequential(VIEW);
    private static final String TWO_SWITCHES = """
            Unicast lids [0-5] of switch Lid 1 guid 0x02f0000000000000 ('leaf0'):
            0x0001 000 # Switch portguid 0x02f0000000000000: 'leaf0'
            0x0002 003 # Switch portguid 0x02f0000000000001: 'leaf1'
            0x0004 001
            0x0005 002 # Channel Adapter portguid 0x02c0000000000003: 'node1'
            5 lids dumped
            Unicast lids [0-5] of switch Lid 9 guid 0x02f0000000000009 ('stranger'):
            0x0001 003
            Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x02f0000000000001 ('leaf1'):
            0xC000 : 1 2
            Unicast lids [0-5] of switch Lid 2 guid 0x02f0000000000001 ('leaf1'):
            0x0001 004
            """;

    private OpenSmDumpFuzz() {}

    static List<byte[]> seeds() {
        return List.of(TWO_SWITCHES.getBytes(StandardCharsets.UTF_8));
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        OpenSmTables tables;
        try {
            tables = read(data);
        } catch (IllegalArgumentException refused) {
            OneLine.require(refused, PLACE + ":");
            return;
        }
        for (String remark : tables.remarks(VIEW)) {
            if (remark.lines().count() != 1) {
                throw new IllegalStateException("more than one line: " + remark);
            }
        }
        TableCheck.check(VIEW, tables.nodeTables(), SurplusEntryRule.FORBIDDEN, Parallel.sequential())
                .lines(VIEW);
        TableCheck.checkSwitchTables(VIEW, tables.switchTables(), Parallel.sequential())
                .lines(VIEW);
        requireSameAgain(tables);
    }

    private static OpenSmTables read(byte[] text) throws IOException {
        return OpenSmDump.read(
                PLACE,
                new BufferedReader(new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8)),
                VIEW,
                LIDS);
    }

    private static void requireSameAgain(OpenSmTables tables) throws IOException {
        StringBuilder text = new StringBuilder();
        OpenSmDump.write(VIEW, tables.nodeTables(), tables.switchTables(), LIDS, text);
        OpenSmTables again = read(text.toString().getBytes(StandardCharsets.UTF_8));
        if (!again.remarks(VIEW).isEmpty()) {
            throw new IllegalStateException("what was written is not understood: " + again.remarks(VIEW));
        }
        for (int s = 0; s < VIEW.switchCount(); s++) {
            for (int d = 0; d < VIEW.nodeCount(); d++) {
                requireSame(tables.nodeTables(), again.nodeTables(), s, d);
            }
            for (int d = 0; d < VIEW.switchCount(); d++) {
                // A switch's way to itself is written as it must be, whatever was read.
                if (d != s) {
                    requireSame(tables.switchTables(), again.switchTables(), s, d);
                }
            }
        }
    }

    private static void requireSame(LftSet tables, LftSet again, int s, int d) {
        int port = tables.port(s, d);
        if (port != LftSet.NO_ROUTE && port > VIEW.portCount(s)) {
            throw new IllegalStateException("switch " + s + " has no port " + port);
        }
        if (again.port(s, d) != port) {
            throw new IllegalStateException(
                    "switch " + s + ", column " + d + ": " + port + " was read again as " + again.port(s, d));
        }
    }
}

package io.dmodc.routing.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two leaves with a node each (port 1) below one spine (port 2 of the leaves, ports 1 and 2 of the spine). */
class OpenSmDumpTest {
    private static final String LEAF_0 = """
            Unicast lids [0-5] of switch Lid 1 guid 0x02f0000000000000 ('leaf0'):
            0x0001 000 # Switch portguid 0x02f0000000000000: 'leaf0'
            0x0002 002 # Switch portguid 0x02f0000000000001: 'leaf1'
            0x0003 002 # Switch portguid 0x02f0000000000002: 'l2s0'
            0x0004 001 # Channel Adapter portguid 0x02c0000000000001: 'node0'
            0x0005 002 # Channel Adapter portguid 0x02c0000000000003: 'node1'
            5 lids dumped
            """;

    private final FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;1,2;1,1;1,1"));
    private final FabricView view = Fabrics.view(fabric);

    private static String dump(FabricView view, LftSet nodes, LftSet switches, Lids lids) throws IOException {
        StringBuilder text = new StringBuilder();
        OpenSmDump.write(view, nodes, switches, lids, text);
        return text.toString();
    }

    private static String dump(FabricView view) throws IOException {
        return dump(view, nodeTables(view), switchTables(view), Lids.sequential(view));
    }

    private static LftSet nodeTables(FabricView view) {
        return NaiveTables.set(view, NaiveTables.minimal(view, new SplittableRandom(1)));
    }

    private static LftSet switchTables(FabricView view) {
        return NaiveTables.set(view, NaiveTables.minimalToSwitches(view, new SplittableRandom(2)));
    }

    private static OpenSmTables read(FabricView view, String text) throws IOException {
        return OpenSmDump.read("lfts.dump", new BufferedReader(new StringReader(text)), view);
    }

    private static void assertSame(FabricView view, LftSet actual, LftSet expected) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                assertThat(actual.row(s).sameEntries(expected.row(s)))
                        .as("switch %d", s)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldWriteWhatOpenSmReads() throws IOException {
        assertThat(dump(view)).startsWith(LEAF_0);
        assertThat(dump(view).lines().filter(line -> line.startsWith("Unicast")))
                .hasSize(3);
    }

    @Test
    void shouldReadWhatItWroteOnDamagedFabrics() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            FabricView damaged = Fabrics.spoiltView(PgftShape.parse("3;2,2,3;1,2,2;1,2,1"), new SplittableRandom(seed));

            OpenSmTables tables = read(damaged, dump(damaged));

            assertSame(damaged, tables.nodeTables(), nodeTables(damaged));
            assertSame(damaged, tables.switchTables(), switchTables(damaged));
            assertThat(tables.remarks(damaged)).isEmpty();
            assertThat(TableCheck.check(damaged, tables.nodeTables(), Parallel.sequential())
                            .valid())
                    .isTrue();
        }
    }

    @Test
    void shouldLeaveDeadSwitchesOut() throws IOException {
        fabric.apply(new SwitchState(view.switchGuid(1), false));
        FabricView damaged = Fabrics.view(fabric);

        String text = dump(damaged);

        assertThat(text).doesNotContain("switch Lid 2 ").contains("switch Lid 1 ", "switch Lid 3 ");
        assertThat(read(damaged, text).missingSwitches()).isEmpty();
    }

    @Test
    void shouldFindDestinationsByPortGuidWhateverTheLids() throws IOException {
        Lids shifted = Lids.of(
                view,
                guid -> 100
                        + Lids.sequential(view).ofSwitch(Math.max(0, view.switchOf(guid)))
                        + (view.switchOf(guid) < 0 ? (int) (guid & 0xf) + 10 : 0),
                guid -> 0);

        OpenSmTables tables = read(view, dump(view, nodeTables(view), switchTables(view), shifted));

        assertSame(view, tables.nodeTables(), nodeTables(view));
        assertSame(view, tables.switchTables(), switchTables(view));
    }

    @Test
    void shouldReadWhatDumpFtsPrints() throws IOException {
        String text = dump(view)
                .replaceAll(" # (.*)", " : ($1)")
                .replaceAll("switch Lid \\d+ guid", "switch DR path slid 0; dlid 0; 0,2 guid");

        OpenSmTables tables = read(view, text);

        assertThat(text).contains("0x0004 001 : (Channel Adapter portguid 0x02c0000000000001: 'node0')");
        assertSame(view, tables.nodeTables(), nodeTables(view));
        assertSame(view, tables.switchTables(), switchTables(view));
    }

    @Test
    void shouldTakeLidsWhereThePortGuidIsMissing() throws IOException {
        String text = "# a comment\nsome other line\n\n"
                + dump(view).replaceAll(" #.*", " ").replace("\n", "\r\n");

        OpenSmTables tables = read(view, text);

        assertSame(view, tables.nodeTables(), nodeTables(view));
        assertSame(view, tables.switchTables(), switchTables(view));
    }

    @Test
    void shouldWriteAnEntryForEachLidOfAPort() throws IOException {
        Lids lids = Lids.of(view, guid -> guid == view.nodeGuid(1) ? 8 : 0, guid -> guid == view.nodeGuid(1) ? 1 : 0);

        String text = dump(view, nodeTables(view), switchTables(view), lids);

        assertThat(text).startsWith("""
                Unicast lids [0-9] of switch Lid 1 guid 0x02f0000000000000 ('leaf0'):
                0x0001 000 # Switch portguid 0x02f0000000000000: 'leaf0'
                0x0002 002 # Switch portguid 0x02f0000000000001: 'leaf1'
                0x0003 002 # Switch portguid 0x02f0000000000002: 'l2s0'
                0x0004 001 # Channel Adapter portguid 0x02c0000000000001: 'node0'
                0x0005 001 # Channel Adapter portguid 0x02c0000000000001: 'node0'
                0x0008 002 # Channel Adapter portguid 0x02c0000000000003: 'node1'
                0x0009 002 # Channel Adapter portguid 0x02c0000000000003: 'node1'
                7 lids dumped
                """);
        OpenSmTables tables = OpenSmDump.read("lfts.dump", new BufferedReader(new StringReader(text)), view, lids);
        assertSame(view, tables.nodeTables(), nodeTables(view));
        assertThat(tables.remarks(view))
                .containsExactly("6 entries are for other LIDs of a port than its lowest (LMC > 0) and were left out;"
                        + " 0 of them lead by another port");
    }

    @Test
    void shouldJudgeTheLowestLidOfAPortAndTellOfTheOthers() throws IOException {
        Lids lids = Lids.of(view, guid -> guid == view.nodeGuid(1) ? 8 : 0, guid -> guid == view.nodeGuid(1) ? 1 : 0);
        String text = dump(view, nodeTables(view), switchTables(view), lids).replaceAll("0x0009 \\d+", "0x0009 000");

        for (String each : new String[] {text, text.replaceAll(" #.*", " ")}) {
            OpenSmTables tables = OpenSmDump.read("lfts.dump", new BufferedReader(new StringReader(each)), view, lids);

            assertSame(view, tables.nodeTables(), nodeTables(view));
            assertThat(tables.furtherLids()).isEqualTo(6);
            assertThat(tables.furtherLidsElsewhere()).isEqualTo(3);
        }
    }

    @Test
    void shouldIgnoreMulticastTables() throws IOException {
        OpenSmTables tables = read(view, dump(view) + "Multicast mlids [0xc000] of switch guid 0x1:\n0xc000 999\n");

        assertSame(view, tables.nodeTables(), nodeTables(view));
    }

    @Test
    void shouldReportWhatIsMissingAndUnknown() throws IOException {
        String text = LEAF_0.replace("portguid 0x02c0000000000003", "portguid 0xbad") + "0x0009 001\n"
                + LEAF_0.replace("guid 0x02f0000000000000 (", "guid 0x77 (");

        OpenSmTables tables = read(view, text);

        assertThat(tables.missingSwitches()).containsExactly(1, 2);
        assertThat(tables.nodeTables().port(0, 1)).isEqualTo(LftSet.NO_ROUTE);
        assertThat(tables.remarks(view))
                .containsExactly(
                        "2 live switches have no section: 0x02f0000000000001 (leaf1), 0x02f0000000000002 (l2s0)",
                        "skipped 1 sections of unknown switches and 2 entries of unknown destinations; first unknown"
                                + " GUIDs: 0x0000000000000bad, 0x0000000000000077");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x0001 000|0x0001 003|lfts.dump:2: port 3 of switch 0x02f0000000000000; expected 0..2",
                "0x0001 000|0xc000 001|lfts.dump:2: LID 0xc000; expected 0x0001..0xbfff",
                "0x0001 000|0x0001 x|lfts.dump:2: entry '0x0001 x # Switch",
                "0x0001 000|0x0001 99999999999|lfts.dump:2: entry '0x0001 99999999999",
                "guid 0x02f0000000000000 (|guid 0x02g (|lfts.dump:1: header 'Unicast lids [0-5]",
                "Unicast lids|Unic\u0001st lids|lfts.dump:2: entry '0x0001 000 # Switch",
            })
    void shouldSayInOneLineWhatIsWrong(String part, String wrong, String message) {
        String text = LEAF_0.replaceFirst(Pattern.quote(part), wrong);

        assertThatThrownBy(() -> read(view, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message)
                .hasMessageContaining("; expected ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldRefuseEmptyAndBinaryFiles() {
        assertThatThrownBy(() -> read(view, ""))
                .hasMessage("lfts.dump:0: no section; expected a line 'Unicast lids … guid 0x…' for each switch");
        assertThatThrownBy(() -> read(view, "\u0000".repeat(100_000)))
                .hasMessage("lfts.dump:1: line longer than 1023 characters; expected a table dump of OpenSM");
    }

    @Test
    void shouldKeepStrangeNamesFromBreakingTheFormat() throws IOException {
        FabricViewBuilder strange = new FabricViewBuilder();
        String name = "it's\n# \u00e9 portguid 0x1:" + "x".repeat(5000);
        Fabrics.addSwitch(strange, 5, name, 4);
        Fabrics.addHost(strange, 5, 1, 6);
        FabricView one = Fabrics.view(strange);

        String text = dump(one);

        assertThat(text.lines()).hasSize(4).allMatch(line -> line.length() <= 1023);
        assertThat(text).contains("('it_s__ _ portguid 0x1:xx");
        assertThat(read(one, text).nodeTables().port(0, 0)).isEqualTo(1);
    }

    @Test
    void shouldRefuseTablesOfAnotherSize() {
        LftSet nodes = nodeTables(view);

        assertThatThrownBy(() -> dump(view, nodes, nodes, Lids.sequential(view)))
                .hasMessage("switch tables of 3 rows and 2 columns; expected 3 and 3");
    }

    @Test
    void shouldListRunsForPeople() throws IOException {
        LftSet tables = new LftSet(1, 5, new byte[][] {{1, 2, 2, -1, -1}, {0, 0, 0, 0, 0}, {1, 2, 1, 2, (byte) 200}});
        StringBuilder text = new StringBuilder();
        fabric.apply(new SwitchState(view.switchGuid(1), false));

        LftText.write(Fabrics.view(fabric), tables, text);

        assertThat(text.toString()).isEqualTo("""
                        switch 0x02f0000000000000 (leaf0)
                          d0: port 1
                          d1-d2: port 2
                          d3-d4: no route
                        switch 0x02f0000000000002 (l2s0)
                          d0: port 1
                          d1: port 2
                          d2: port 1
                          d3: port 2
                          d4: port 200
                        """);
    }
}

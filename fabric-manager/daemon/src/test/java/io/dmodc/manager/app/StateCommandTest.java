package io.dmodc.manager.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.manager.store.StateStore;
import io.dmodc.settings.cli.Program;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fabric-manager state}: what people see and move. */
class StateCommandTest {
    private static final ToHost HOST = new ToHost(
            new Host(0x11, 0x10, 1, "node0", HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07")));
    private static final ToHost OTHER = new ToHost(new Host(0x12, 0x10, 2, "node0"));
    private static final List<StateRecord> RECORDS = List.of(
            new LeaderEpoch(7),
            new FabricEpoch(12),
            new NodeIndex(0x11, 0),
            new NodeIndex(-1, 20),
            new SwitchLevel(1, 0),
            new SwitchPlane(2, 3),
            new KnownSwitch(
                    new SwitchClaims(
                            1,
                            "leaf0",
                            4,
                            List.of(new PortClaim(1, true, HOST, true), new PortClaim(2, false, OTHER, false))),
                    true),
            new KnownSwitch(
                    new SwitchClaims(2, "spine\n1", 36, List.of(new PortClaim(1, true, new ToSwitch(1, 3), false))),
                    false),
            new ExpectedSwitch(
                    1, "leaf0", 4, List.of(new ExpectedPort(1, HOST), new ExpectedPort(3, new ToSwitch(2, 1)))),
            new ExpectedSwitch(2, "spine\n1", 36, List.of(new ExpectedPort(1, new ToSwitch(1, 3)))),
            new HeldTable(1, 7, 12, 21, 0xabcL, true, List.of()),
            new HeldTable(2, 7, 11, 2, 0xdefL, false, List.of(new KeptRow(2, 0xdefL, 0, new int[] {0}, new byte[] {
                1, (byte) 255
            }))),
            new KeptEpoch(
                    11,
                    "link down",
                    "minhop",
                    1_700_000_000_000L,
                    2,
                    0xabcL,
                    0xdefL,
                    List.of(new ChangedRows(new long[] {1, 2}, new int[] {0}, new byte[] {1, 2})),
                    List.of(new KnownSwitch(new SwitchClaims(1, "leaf0", 4, List.of()), true)),
                    List.of(2L),
                    List.of(new NodeIndex(0x11, 1))),
            new OpenAlarm("link", 1, 3, 5, 1_700_000_000_000L, 9),
            new Acknowledgement("link", 1, 3, 5, "link_down", "ann", 1_700_000_100_000L, "new cable"),
            new Intent("drain", 2, 0, "", "ann", 1_700_000_100_000L, "new fan"),
            new LastAlarm(6));

    @TempDir
    private Path dir = Path.of("");

    private Path state = Path.of("");
    private Path file = Path.of("");
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void write() throws IOException {
        state = dir.resolve("state");
        file = dir.resolve("export.jsonl");
        try (StateStore store = StateStore.open(state)) {
            store.append(RECORDS);
        }
    }

    private int run(String... words) {
        out = new StringWriter();
        err = new StringWriter();
        return Program.run(Main.root(), List.of(), new PrintWriter(out), new PrintWriter(err), words);
    }

    private int show(String... more) {
        return run(Stream.concat(Stream.of("state", "show", "--state-dir", state.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void shouldSumUpTheState() {
        assertThat(show()).as(err.toString()).isZero();

        assertThat(out).hasToString("""
                leader epoch   7
                fabric epoch   12
                node indices   2, highest 20
                levels         1
                plane numbers  1
                switches       2, 1 forward
                expected       2 switches, 1 links, 1 hosts
                held tables    2
                kept epochs    1
                open alarms    1, last number 6
                """);
        assertThat(show("--format", "json")).isZero();
        assertThat(out.toString())
                .startsWith("{\"leaderEpoch\":7,\"fabricEpoch\":12,\"lastAlarm\":6,\"records\":{\"leader-epoch\":1,");
    }

    @Test
    void shouldListRecordsOfAKindInColumnsWithNames() {
        assertThat(show("--kind", "node-index")).isZero();
        assertThat(out).hasToString("""
                0x0000000000000011  0   node0
                0xffffffffffffffff  20
                """);
        show("--kind", "switch");
        assertThat(out).hasToString("""
                0x0000000000000001  4 ports   1 up  forwards       leaf0
                0x0000000000000002  36 ports  1 up  routed around  spine?1
                """);
        show("--kind", "alarm");
        assertThat(out).hasToString("5  2023-11-14T22:13:20Z  epoch 9  link  0x0000000000000001  port 3  leaf0\n");
        show("--kind", "kept-epoch");
        assertThat(out)
                .hasToString("11  2023-11-14T22:13:20Z  2 tables differ  1 switches differ  minhop  link down\n");
        show("--kind", "level", "--format", "json");
        assertThat(out).hasToString("{\"kind\":\"level\",\"switch\":\"0x0000000000000001\",\"level\":0}\n");
        assertThat(show("--kind", "cable")).isEqualTo(2);
        assertThat(err.toString())
                .contains("kind 'cable'; expected one of leader-epoch, ")
                .hasLineCount(1);
    }

    @Test
    void shouldExportAndImportTheSameState() throws IOException {
        assertThat(run("state", "export", "--state-dir", state.toString(), "--out", file.toString()))
                .isZero();
        Path other = dir.resolve("other");
        assertThat(run("state", "import", file.toString(), "--state-dir", other.toString()))
                .as(err.toString())
                .isZero();

        assertThat(StateStore.read(other)).isNotNull();
        assertThat(Objects.requireNonNull(StateStore.read(other)).records()).containsExactlyElementsOf(RECORDS);
        assertThat(run("state", "import", file.toString(), "--state-dir", other.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("holds a state; expected an empty one, or --replace")
                .hasLineCount(1);
        assertThat(run("state", "import", file.toString(), "--state-dir", other.toString(), "--replace"))
                .isZero();
        assertThat(other.resolve("state.mv.old")).exists();
    }

    @Test
    void shouldExportAddressesOfHostsThatHaveSome() {
        show("--kind", "switch", "--format", "json");

        assertThat(out.toString())
                .contains("{\"port\":\"0x0000000000000011\",\"guid\":\"0x0000000000000010\",\"number\":1,"
                        + "\"name\":\"node0\",\"lid\":12,\"ipv4\":\"10.0.0.7\",\"ipv6\":\"fd00::7\","
                        + "\"mac\":\"02:00:00:00:00:07\"}")
                .contains("{\"port\":\"0x0000000000000012\",\"guid\":\"0x0000000000000010\",\"number\":2,"
                        + "\"name\":\"node0\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        1 | {"records":1}                             | no header; expected {"fabricManagerState":1,
        1 | {"fabricManagerState":2,"writer":"9.1","records":1} | form 2, written by fabric-manager 9.1; expected up to 1
        1 | {"fabricManagerState":1,"writer":"x","records":18} | : has 17 records; expected 18
        2 | {"kind":"leader-epoch","epoch":-1}        | epoch -1; expected a number 0..2147482623
        2 | {"kind":"leader-epoch","epoch":2147483647} | epoch 2147483647; expected a number 0..2147482623
        3 | {"kind":"fabric-epoch","epoch":9223372036854775807} | epoch 9223372036854775807; expected a number 0..281474976710656
        10 | {"kind":"expected","switch":"0x1","name":"a","portCount":4,"ports":[{"port":1,"far":{"switch":"0x2","port":255}}]} | port 255; expected a number 1..254
        10 | {"kind":"expected","switch":"0x1","name":"a","portCount":4,"ports":[{"port":1,"far":{"switch":"0x1","port":1}}]} | port 1 leads to switch 0x0000000000000001 itself; expected another one
        6 | {"kind":"last-alarm","id":4503599627370497} | id 4503599627370497; expected a number 0..4503599627370496
        2 | {"kind":"leader-epoch","epoch":7,"x":1}   | field 'x' is unknown here
        2 | {"kind":"leader-epoch","epoch":7,"epoch":8} | is no JSON (Duplicate
        3 | {"kind":"epoch"}                          | kind 'epoch'; expected one of leader-epoch,
        3 | nonsense                                  | 'nonsense' is no JSON (
        3 | {"kind":"a\\nb\\u001b\\u2028c"}              | kind 'a?b??c'; expected one of leader-epoch,
        2 | {"kind":"leader-epoch","epoch":7,"\\n":1}  | field '?' is unknown here
        9 | {"kind":"switch","switch":"0x2","name":"\\ud800","portCount":4,"forwards":true,"ports":[]} | expected a text of whole characters
        4 | {"kind":"node-index","port":"0x5"}        | no 'index'; expected a number 0..524287
        4 | {"kind":"node-index","port":"node0","index":1} | port "node0"; expected 0x and 16 hexadecimal digits
        4 | {"kind":"node-index","port":"0x5","index":20} | index 20; expected one that is not taken
        6 | {"kind":"level","switch":"0x1","level":32} | level 32; expected a number 0..31
        7 | {"kind":"plane","switch":"0x2","number":16777216} | number 16777216; expected a number 0..16777215
        6 | {"kind":"last-alarm","id":1}              | LAST_ALARM 0x0000000000000000 0 a second time
        10 | {"kind":"expected","switch":"0x1","name":"a","portCount":4,"ports":[{"port":1,"host":{"port":"0x5","guid":"0x5","number":1,"name":"","lid":49152}}]} | lid 49152; expected a number 1..49151
        10 | {"kind":"expected","switch":"0x1","name":"a","portCount":4,"ports":[{"port":1,"host":{"port":"0x5","guid":"0x5","number":1,"name":"","ipv4":"node0"}}]} | 'node0' is no IPv4 address; expected four numbers 0..255
        10 | {"kind":"expected","switch":"0x1","name":"a","portCount":4,"ports":[{"port":1,"host":{"port":"0x5","guid":"0x5","number":1,"name":"","ipv6":"::"}}]} | '::' is no IPv6 address; expected groups
        10 | {"kind":"expected","switch":"0x1","name":"a","portCount":4,"ports":[{"port":1,"host":{"port":"0x5","guid":"0x5","number":1,"name":"","mac":7}}]} | mac 7; expected a text
        8 | {"kind":"switch","switch":"0x1","name":"a","portCount":4,"forwards":true,"ports":[{"port":5,"up":true}]} | port 5; expected a number 1..4
        """)
    void shouldRefuseABadLineAndImportNothing(int line, String text, String problem) throws IOException {
        run("state", "export", "--state-dir", state.toString(), "--out", file.toString());
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(line - 1, text);
        Files.write(file, lines);
        Path other = dir.resolve("other");

        assertThat(run("state", "import", file.toString(), "--state-dir", other.toString()))
                .isEqualTo(2);

        assertThat(err.toString()).contains(file.toString(), problem).hasLineCount(1);
        assertThat(other).doesNotExist();
    }

    @Test
    void shouldRefuseWhileAManagerRunsOrWhereThereIsNoState() throws IOException {
        try (StateStore running = StateStore.open(state)) {
            assertThat(running.state().isEmpty()).isFalse();
            assertThat(show()).isEqualTo(2);
            assertThat(err.toString())
                    .contains(" is in use by another manager (process ")
                    .hasLineCount(1);
        }
        assertThat(run("state", "show", "--state-dir", dir.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("none holds no state").hasLineCount(1);
        assertThat(dir.resolve("none")).doesNotExist();
    }
}

package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What releases before the store left is taken over once. */
class FormerFilesTest {
    private static final ToHost HOST = new ToHost(new Host(0x11, 0x10, 1, "node0 HCA-1"));
    private static final List<String> NAMES = List.of("node-map", "levels", "leader-epoch", "inventory");

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws IOException {
        Files.write(directory.resolve("node-map"), List.of("0x0000000000000011 0", "0x0000000000000012 3"));
        Files.write(directory.resolve("levels"), List.of("links 1", "0x0000000000000001 0", "0x0000000000000002 1"));
        Files.write(directory.resolve("leader-epoch"), List.of("41"));
        Files.write(
                directory.resolve("inventory"),
                List.of(
                        "+switch 0x0000000000000001 4 leaf0",
                        "+switch 0x0000000000000003 4 gone",
                        "+link 0x0000000000000001 3 0x0000000000000002 1",
                        "+switch 0x0000000000000002 4 spine with a name",
                        "+host 0x0000000000000001 1 0x0000000000000011 0x0000000000000010 1 node0 HCA-1",
                        "=",
                        "-switch 0x0000000000000003 4 gone",
                        "+alarm 5 1700000000000 9 link 0x0000000000000001 3",
                        "+alarm 6 1700000000001 9 leader 0x0000000000000000 0",
                        "-alarm 6 1700000000001 9 leader 0x0000000000000000 0",
                        "+last-alarm 6",
                        "=",
                        "-switch 0x0000000000000001 4 leaf0"));
    }

    private Collection<StateRecord> opened() throws IOException {
        try (StateStore store = StateStore.open(directory)) {
            return store.state().records();
        }
    }

    @Test
    void shouldTakeOverEveryFileAndKeepIt() throws IOException {
        assertThat(opened())
                .containsExactly(
                        new LeaderEpoch(41),
                        new NodeIndex(0x11, 0),
                        new NodeIndex(0x12, 3),
                        new SwitchLevel(1, 0),
                        new SwitchLevel(2, 1),
                        new KnownSwitch(
                                new SwitchClaims(
                                        1,
                                        "leaf0",
                                        4,
                                        List.of(
                                                new PortClaim(1, true, HOST, true),
                                                new PortClaim(3, true, new ToSwitch(2, 1), false))),
                                true),
                        new KnownSwitch(
                                new SwitchClaims(
                                        2,
                                        "spine with a name",
                                        4,
                                        List.of(new PortClaim(1, true, new ToSwitch(1, 3), false))),
                                true),
                        new ExpectedSwitch(
                                1,
                                "leaf0",
                                4,
                                List.of(new ExpectedPort(1, HOST), new ExpectedPort(3, new ToSwitch(2, 1)))),
                        new ExpectedSwitch(2, "spine with a name", 4, List.of(new ExpectedPort(1, new ToSwitch(1, 3)))),
                        new OpenAlarm("link", 1, 3, 5, 1_700_000_000_000L, 9),
                        new LastAlarm(6));

        for (String name : NAMES) {
            assertThat(directory.resolve(name)).doesNotExist();
            assertThat(directory.resolve(name + ".old")).exists();
        }
        assertThat(opened()).as("a second time").hasSize(11);
    }

    @Test
    void shouldShowTheStateWithoutTakingItOver() throws IOException {
        assertThat(StateStore.read(directory)).isNotNull();
        assertThat(directory.resolve("node-map")).exists();
        assertThat(directory.resolve("state.mv")).doesNotExist();
    }

    @Test
    void shouldFinishWhatACrashInterrupted() throws IOException {
        opened();
        Files.move(directory.resolve("levels.old"), directory.resolve("levels"));
        Files.delete(directory.resolve("state.head"));

        assertThat(opened()).hasSize(11);
        assertThat(directory.resolve("levels")).doesNotExist();
    }

    @Test
    void shouldNotPassOverWhatAnEarlierReleaseWroteLater() throws IOException {
        opened();
        Files.write(directory.resolve("node-map"), List.of("0x0000000000000077 0"));

        assertThatThrownBy(this::opened)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "state file " + directory.resolve("node-map") + " was written by an earlier release")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        node-map     | 0x10 0;nonsense         | :2: 'nonsense'; expected 'guid number'
        node-map     | 0x10 0;0x11 -1          | :2: number -1 is negative
        node-map     | 0x10 0;0x10 1           | :2: GUID 0x0000000000000010 a second time
        node-map     | 0x10 0;0x11 0           | : 0x0000000000000011: node index 0 is taken by another GUID
        levels       | 0x10 0                  | :1: '0x10 0'; expected 'links N'
        levels       | links 4;0x10 high       | :2: '0x10 high'; expected 'guid number'
        leader-epoch | first                   | :1: 'first'; expected a number
        inventory    | +switch 0x1 4 a;nothing | :2: 'nothing'; expected + or - and an entry
        inventory    | +switch 0x1 0 a         | : 'switch 0x1 0 a'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it
        inventory    | +link 0x1 1 0x2 1       | : 'link 0x1 1 0x2 1'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it
        inventory    | +switch 0x1 4 a;+link 0x1 1 0x1 2 | : 'link 0x1 1 0x1 2'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it
        inventory    | +switch 0x1 4 a;+host 0x1 1 0x2 0x3 -1 b | : 'host 0x1 1 0x2 0x3 -1 b'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it
        inventory    | +alarm 1 -1 1 link 0x1 1 | : 'alarm 1 -1 1 link 0x1 1'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it
        inventory    | +alarm 1 1 1 link 0x1 255 | : 'alarm 1 1 1 link 0x1 255'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it
        """)
    void shouldRefuseADamagedFileAndTakeOverNothing(String name, String lines, String problem) throws IOException {
        Path file = directory.resolve(name);
        Files.write(file, List.of(lines.split(";")));

        assertThatThrownBy(this::opened)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + problem);

        assertThat(directory.resolve("state.mv")).doesNotExist();
        assertThat(file).hasContent(lines.replace(';', '\n'));
    }

    @Test
    void shouldNotShowWhatItWouldNotTakeOver() throws IOException {
        Files.write(directory.resolve("leader-epoch"), List.of("2147483647"));
        String problem = "state for " + directory + ": leader epoch 2147483647; expected 0..2147482623";

        assertThatThrownBy(this::opened).hasMessage(problem);
        assertThatThrownBy(() -> StateStore.read(directory)).hasMessage(problem);
    }

    @Test
    void shouldNameABinaryFile() throws IOException {
        for (String name : NAMES) {
            byte[] before = Files.readAllBytes(directory.resolve(name));
            Files.write(directory.resolve(name), new byte[] {(byte) 0xff, 0, (byte) 0xfe, '\n', (byte) 0x80});
            assertThatThrownBy(this::opened).hasMessageStartingWith(directory.resolve(name) + ": not UTF-8 text; ");
            Files.write(directory.resolve(name), before);
        }
    }
}

package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.PortState;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateStore;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a manager keeps over its restarts, and what becomes of it when files or disk fail. */
class StateKeptTest {
    private static final String PGFT = "2;2,2;1,2;1,1";
    private static final int NODES = 4;
    private static final long NEW_HOST = 0xabcdefL;
    private static final HostAddresses ADDRESSES = HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07");

    @TempDir
    Path directory;

    private RunningManager open(Map<String, String> overrides) throws IOException {
        return RunningManager.open(directory, Site.guidsOf(PGFT), overrides);
    }

    /** What is on disk, by index; the manager may run. */
    private static Map<Integer, Long> nodeIndices(Path stateDirectory) throws IOException {
        Map<Integer, Long> ports = new TreeMap<>();
        StoredState stored = Objects.requireNonNull(StateStore.read(stateDirectory));
        stored.all(NodeIndex.class).forEach(node -> ports.put(node.index(), node.portGuid()));
        return ports;
    }

    /** What is expected on disk to have any. */
    private static List<HostAddresses> addressesKept(Path stateDirectory) throws IOException {
        return Objects.requireNonNull(StateStore.read(stateDirectory)).all(ExpectedSwitch.class).stream()
                .flatMap(known -> known.ports().stream())
                .filter(port -> port.neighbour() instanceof ToHost)
                .map(port -> ((ToHost) port.neighbour()).host().addresses())
                .filter(addresses -> !addresses.isNone())
                .toList();
    }

    /** Another host is plugged in where the first host of the first leaf was; its port goes down and up as it would. */
    private static void exchangeHost(Site site) {
        var leaf = site.plane(site.leaf(0)).memory();
        leaf.set(new PortState(1, true, new HostPort(NEW_HOST, NEW_HOST, 1, "newcomer", ADDRESSES)));
        leaf.tell(1);
    }

    private static int indexOf(FabricView view, long portGuid) {
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeGuid(node) == portGuid) {
                return node;
            }
        }
        return -1;
    }

    @Test
    void shouldKeepNodeIndicesOverARestartWhenAHostIsExchanged() throws Exception {
        RunningManager first = open(Map.of());
        try (Site site = Site.of(PGFT, first.southbound()).startAgents()) {
            first.awaitAllServed(site);
            byte[] before = site.plane(site.spine(0)).installed().entries();
            first.close();
            Map<Integer, Long> kept = nodeIndices(RunningManager.state(directory));
            exchangeHost(site);

            String address = "127.0.0.1:" + first.southbound().getPort();
            try (RunningManager second = open(Map.of("southbound.listen", address))) {
                second.awaitAllServed(site);

                FabricView view = second.ask(state -> Objects.requireNonNull(state.view()));
                assertThat(indexOf(view, NEW_HOST)).isEqualTo(NODES);
                assertThat(Objects.requireNonNull(view.host(NODES)).addresses()).isEqualTo(ADDRESSES);
                for (int node = 1; node < NODES; node++) {
                    assertThat(view.nodeGuid(node)).isEqualTo(site.design().nodeGuid(node));
                }
                byte[] after = site.plane(site.spine(0)).installed().entries();
                assertThat(after).startsWith(255).hasSize(NODES + 1).containsSequence(before[1], before[2], before[3]);
                assertThat(after[NODES]).as("way to the newcomer").isEqualTo(before[0]);
            }
            assertThat(nodeIndices(RunningManager.state(directory)))
                    .containsAllEntriesOf(kept)
                    .hasSize(NODES + 1)
                    .containsEntry(NODES, NEW_HOST);
            assertThat(addressesKept(RunningManager.state(directory))).containsExactly(ADDRESSES);
        } finally {
            first.close();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        node-map     | 0x10 0;nonsense         | 2: 'nonsense'; expected 'guid number'
        node-map     | 0x10 0;0x11             | 2: '0x11'; expected 'guid number'
        node-map     | 0x10 0;0x11 -1          | 2: number -1 is negative
        node-map     | 0x10 0;0x10 1           | 2: GUID 0x0000000000000010 a second time
        node-map     | 0x10 0;0x11 0           | ' 0x0000000000000011: node index 0 is taken by another GUID'
        levels       | 0x10 0                  | 1: '0x10 0'; expected 'links N'
        levels       | links 4;0x10 high       | 2: '0x10 high'; expected 'guid number'
        leader-epoch | first                   | 1: 'first'; expected a number
        """)
    void shouldNotStartOnADamagedFile(String name, String lines, String problem) throws Exception {
        Path file = Files.createDirectories(RunningManager.state(directory)).resolve(name);
        Files.write(file, List.of(lines.split(";")));

        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ":" + problem);

        assertThat(file).as("left for the operator to look at").hasContent(lines.replace(';', '\n'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-map", "levels", "leader-epoch"})
    void shouldNameABinaryFile(String name) throws Exception {
        Path file = Files.createDirectories(RunningManager.state(directory)).resolve(name);
        Files.write(file, new byte[] {(byte) 0xff, 0, (byte) 0xfe, '\n', (byte) 0x80});

        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + ": not UTF-8 text; ");
    }

    @Test
    void shouldNotStartWithoutAStateDirectory() throws Exception {
        Path file = Files.writeString(directory.resolve("occupied"), "a file");

        assertThatThrownBy(() -> open(Map.of("state-dir", file.toString())))
                .isInstanceOf(IOException.class)
                .hasMessage("state directory " + file + " is a file");
        assertThatThrownBy(() -> open(Map.of("state-dir", file + "/below")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("state directory " + file + "/below cannot be made: ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldServeOnWhenTheStateDirectoryIsGone() throws Exception {
        Path state = RunningManager.state(directory);
        Path away = directory.resolve("away");
        try (RunningManager manager = open(Map.of());
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            Files.move(state, away);

            exchangeHost(site);

            assertWaitsWithAnAlarm(manager, site);
            Files.move(away, state);
            assertServedAtLast(manager, site);
        }
        assertThat(nodeIndices(state)).containsEntry(NODES, NEW_HOST);
    }

    /** What was dealt and cannot be kept is in no table: the newcomer waits, everybody else is served as before. */
    private static void assertWaitsWithAnAlarm(RunningManager manager, Site site) {
        byte[] before = site.plane(site.spine(0)).installed().entries();
        RunningManager.await("an alarm that says so").untilAsserted(() -> {
            assertThat(manager.notes(Kind.STATE_STORE)).singleElement().satisfies(note -> {
                assertThat(note.severity()).isEqualTo(Severity.ALARM);
                assertThat(note.text()).contains(" cannot be ").doesNotContain("\n");
            });
            assertThat(manager.<List<String>>ask(
                            state -> state.alarms().stream().map(Alarm::text).toList()))
                    .anyMatch(text -> text.endsWith("new hosts and switches wait"));
        });
        manager.awaitCalm("tables without the newcomer", state -> true);
        byte[] after = site.plane(site.spine(0)).installed().entries();
        assertThat(Arrays.copyOfRange(after, 1, NODES)).isEqualTo(Arrays.copyOfRange(before, 1, NODES));
        if (after.length > NODES) {
            assertThat(after[NODES] & 0xff).as("way to the newcomer").isEqualTo(LftSet.NO_ROUTE);
        }
    }

    private static void assertServedAtLast(RunningManager manager, Site site) {
        manager.awaitCalm("newcomer seen", state -> indexOf(Objects.requireNonNull(state.view()), NEW_HOST) == NODES);
        manager.awaitAllServed(site);
        manager.awaitValid(site);
    }

    @Test
    void shouldServeOnWhenTheDiskIsFull() throws Exception {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()))
                .as("exit code of mount, which needs root")
                .isZero();
        try {
            serveOnAFullDisk(disk);
        } finally {
            assertThat(run("umount", disk.toString())).as("exit code of umount").isZero();
        }
    }

    private void serveOnAFullDisk(Path disk) throws Exception {
        Path ballast = disk.resolve("ballast");
        try (RunningManager manager = open(Map.of("state-dir", disk.toString()));
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            fill(ballast);

            exchangeHost(site);

            assertWaitsWithAnAlarm(manager, site);
            Files.delete(ballast);
            assertServedAtLast(manager, site);
        }
        assertThat(nodeIndices(disk)).hasSize(NODES + 1);
    }

    static void fill(Path file) throws IOException {
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            out.write(page);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}

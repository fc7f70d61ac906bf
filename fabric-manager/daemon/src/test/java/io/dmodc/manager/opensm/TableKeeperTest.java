package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Push;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.opensm.Discovery.Changes;
import io.dmodc.manager.opensm.Discovery.PortEnd;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.LidMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes into a dump of what the core hands over; the test hands over, with the view and the tables of a manager that serves another subnet. */
class TableKeeperTest {
    @TempDir
    private Path directory = Path.of("");

    private volatile boolean computes;

    /** How often it was asked whether the core computes. */
    private final AtomicInteger asked = new AtomicInteger();

    private FakeSubnet served;
    private FakeSubnet subnet;
    private Troubles troubles;
    private TableKeeper keeper;
    private FabricView view;

    @BeforeEach
    void serve() throws Exception {
        served = new FakeSubnet(Files.createDirectory(directory.resolve("served")));
        served.start();
        served.awaitServed();
        view = served.view();
        subnet = new FakeSubnet(Files.createDirectory(directory.resolve("subnet")));
        troubles = new Troubles(served.loop());
        keeper = new TableKeeper(
                subnet.settings(),
                served.loop(),
                this::isComputing,
                troubles,
                new OpenSmMeters(System::nanoTime),
                times -> {});
        keeper.start();
        keeper.found(found(0));
        for (int s = 0; s < view.switchCount(); s++) {
            keeper.push(push(s, tables().row(s)));
        }
        keeper.pushed();
        served.await("first dump", () -> Files.exists(subnet.dump));
        served.await("calm", () -> keeper.calm());
    }

    @AfterEach
    void close() throws InterruptedException {
        if (keeper != null) {
            keeper.close();
        }
        served.close();
    }

    private boolean isComputing() {
        asked.incrementAndGet();
        return computes;
    }

    private LftSet tables() {
        return (LftSet) Objects.requireNonNull(served.now().tables());
    }

    /** With all LIDs by so much above those from 1 on. */
    private Discovery found(int above) throws IOException {
        byte[] text = new DrawnSubnet(FakeSubnet.PGFT).text(lids(above)).getBytes(StandardCharsets.UTF_8);
        return new Discovery(new DiscoveredSubnet(IbnetReader.read("drawn", new ByteArrayInputStream(text)), 0, 0), 0);
    }

    private LidMap lids(int above) {
        LidMap lids = new LidMap();
        LidMap first = new LidMap().completedFor(view);
        IntStream.range(0, view.switchCount())
                .mapToLong(view::switchGuid)
                .forEach(guid -> lids.put(guid, first.lidOf(guid) + above));
        IntStream.range(0, view.nodeCount())
                .mapToLong(view::nodeGuid)
                .forEach(guid -> lids.put(guid, first.lidOf(guid) + above));
        return lids;
    }

    private Push push(int s, LftRow row) {
        return new Push(0, new TableUpdate(view.switchGuid(s), 1, view.epoch(), true, 0, 0, new int[0], row, false));
    }

    /** The row that a leaf has, but for a node of another one, that is reached by the other uplink. */
    private LftRow moved(int leaf, int node) {
        byte[] entries = tables().row(leaf).toBytes();
        int other = entries[node] & 0xff;
        for (int port = 1; port <= view.portCount(leaf); port++) {
            if (view.peerSwitch(leaf, port) >= 0 && port != (entries[node] & 0xff)) {
                other = port;
            }
        }
        entries[node] = (byte) other;
        return LftRow.of(entries);
    }

    /** With all LIDs by so much above. */
    private int dumpedPort(int s, int node, int above) {
        OpenSmTables dumped = served.read(subnet.dump, lids(above));
        return dumped.nodeTables().port(s, node);
    }

    private void awaitAnother(Object file) throws Exception {
        served.await("another dump", () -> !subnet.dumpFile().equals(file));
    }

    /** The step is handed over so slowly that LIDs are dealt anew, and written, in the middle of it. */
    @Test
    void shouldWriteNoTableOfAStepWithoutTheOthers() throws Exception {
        int one = view.nodeSwitch(0);
        int other = view.nodeSwitch(view.nodeCount() - 1);
        LftRow oneRow = moved(one, view.nodeCount() - 1);
        LftRow otherRow = moved(other, 0);
        Object before = subnet.dumpFile();

        keeper.push(push(one, oneRow));
        keeper.found(found(100));
        awaitAnother(before);
        assertThat(dumpedPort(one, view.nodeCount() - 1, 100)).isEqualTo(tables().port(one, view.nodeCount() - 1));

        Object renumbered = subnet.dumpFile();
        keeper.push(push(other, otherRow));
        keeper.pushed();
        awaitAnother(renumbered);
        assertThat(dumpedPort(one, view.nodeCount() - 1, 100)).isEqualTo(oneRow.port(view.nodeCount() - 1));
        assertThat(dumpedPort(other, 0, 100)).isEqualTo(otherRow.port(0));
    }

    /** Nobody waits for a file that need not be written. */
    @Test
    void shouldEndTheAlarmOfADumpThatIsNotDueAnyMore() throws Exception {
        int leaf = view.nodeSwitch(0);
        Object before = subnet.dumpFile();
        Path fresh = subnet.dump.resolveSibling(
                "lfts.dump." + ProcessHandle.current().pid() + ".new");
        served.await("what is prepared", () -> Files.exists(fresh));
        Files.delete(fresh);
        Files.createDirectories(fresh.resolve("x"));
        keeper.push(push(leaf, moved(leaf, view.nodeCount() - 1)));
        keeper.pushed();
        served.await("alarm", () -> troubles.has(Troubles.Kind.FILE));

        keeper.push(push(leaf, tables().row(leaf)));
        keeper.pushed();
        served.await("end of alarm", () -> !troubles.has(Troubles.Kind.FILE));

        assertThat(subnet.dumpFile()).isEqualTo(before);
    }

    /** A dump of what is there already would cost OpenSM a sweep, and the tables that answer another one. */
    @Test
    void shouldWriteNoDumpWithoutALostSwitchWhileTheCoreComputesTables() throws Exception {
        Object before = subnet.dumpFile();
        int top = view.peerSwitch(view.nodeSwitch(0), view.portCount(view.nodeSwitch(0)));
        computes = true;
        asked.set(0);

        keeper.found(found(0).after(Changes.lost(Set.of(), Set.of(view.switchGuid(top))), 0, 0));
        served.await("the end of half a second", () -> asked.get() > 2);
        assertThat(subnet.dumpFile()).isEqualTo(before);

        computes = false;
        awaitAnother(before);
    }

    /** A dump without it would cost OpenSM a sweep, and give it no routes. */
    @Test
    void shouldWriteNoDumpWithoutASwitchThatIsBackWhileTheCoreComputesTables() throws Exception {
        int top = view.peerSwitch(view.nodeSwitch(0), view.portCount(view.nodeSwitch(0)));
        Object whole = subnet.dumpFile();
        keeper.found(found(0).after(Changes.lost(Set.of(), Set.of(view.switchGuid(top))), 0, 0));
        awaitAnother(whole);
        served.await("calm", () -> keeper.calm());
        Object without = subnet.dumpFile();
        computes = true;
        asked.set(0);

        keeper.found(found(0));
        served.await("the end of half a second", () -> asked.get() > 2);
        assertThat(subnet.dumpFile()).isEqualTo(without);

        computes = false;
        keeper.push(push(top, tables().row(top)));
        keeper.pushed();
        awaitAnother(without);
    }

    /** The core repeats what was not acknowledged: without what leads to the dead port that would be worse than OpenSM's own tables. */
    @Test
    void shouldNotReplaceADumpThatWasTakenAwayByTheSameTablesOnceMore() throws Exception {
        int leaf = view.nodeSwitch(0);
        int up = view.portCount(leaf);
        int top = view.peerSwitch(leaf, up);
        PortEnd near = new PortEnd(view.switchGuid(leaf), up);
        PortEnd far = new PortEnd(view.switchGuid(top), view.peerPort(leaf, up));
        keeper.found(found(0).after(Changes.lost(Set.of(near, far), Set.of()), 0, 0));
        served.await("removal", () -> troubles.has(Troubles.Kind.WITHDRAWN));

        keeper.push(push(leaf, tables().row(leaf)));
        keeper.pushed();
        served.await("calm", () -> keeper.calm());
        assertThat(subnet.dump).doesNotExist();

        keeper.push(push(leaf, moved(leaf, view.nodeCount() - 1)));
        keeper.pushed();
        served.await("a dump of other tables", () -> Files.exists(subnet.dump));
    }
}

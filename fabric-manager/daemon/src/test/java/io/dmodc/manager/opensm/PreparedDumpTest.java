package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.opensm.Discovery.Changes;
import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.manager.opensm.Discovery.PortEnd;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file holds after a write, prepared or not, and after one that does not come to its end. */
class PreparedDumpTest {
    private static final int STEPS = 60;

    @TempDir
    private Path directory = Path.of("");

    private final FabricView view = new DrawnSubnet("2;16,8;1,4;1,1").view();
    private final Random random = new Random(1);
    private Path path;
    private Path fresh;
    private DumpFile file;
    private PreparedDump dump;
    private Discovery whole;
    private Map<Long, LftRow> rows;

    @BeforeEach
    void begin() throws IOException {
        path = directory.resolve("lfts.dump");
        fresh = directory.resolve("lfts.dump." + ProcessHandle.current().pid() + ".new");
        file = new DumpFile(path);
        dump = new PreparedDump(file);
        whole = found(0);
        rows = rows();
    }

    /** With all LIDs so much above what they would be. */
    private Discovery found(int lidsAbove) throws IOException {
        LidMap dealt = new LidMap().completedFor(view);
        LidMap lids = new LidMap();
        for (int s = 0; s < view.switchCount(); s++) {
            lids.put(view.switchGuid(s), dealt.lidOf(view.switchGuid(s)) + lidsAbove);
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            lids.put(view.nodeGuid(node), dealt.lidOf(view.nodeGuid(node)) + lidsAbove);
        }
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view, lids, text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return new Discovery(new DiscoveredSubnet(IbnetReader.read("test", new ByteArrayInputStream(bytes)), 0, 0), 0);
    }

    /** Any ports, and no route to some. */
    private Map<Long, LftRow> rows() {
        Map<Long, LftRow> any = new HashMap<>();
        for (int s = 0; s < view.switchCount(); s++) {
            any.put(view.switchGuid(s), row(s));
        }
        return any;
    }

    private LftRow row(int s) {
        byte[] entries = new byte[view.nodeCount()];
        for (int node = 0; node < entries.length; node++) {
            entries[node] = (byte) anyPort(s);
        }
        return LftRow.of(entries);
    }

    private int anyPort(int s) {
        return random.nextInt(10) == 0 ? LftSet.NO_ROUTE : 1 + random.nextInt(view.portCount(s));
    }

    private DumpTables tables(@Nullable DumpTables before, Discovery found) {
        return new DumpTables(before, view, null, found, rows);
    }

    /** Some entries of some switches become others. */
    private void moveSome() {
        for (int count = random.nextInt(4); count >= 0; count--) {
            int s = random.nextInt(view.switchCount());
            byte[] entries = rows.get(view.switchGuid(s)).toBytes();
            int from = random.nextInt(entries.length);
            int to = Math.min(entries.length, from + 1 + random.nextInt(30));
            for (int node = from; node < to; node += 1 + random.nextInt(3)) {
                entries[node] = (byte) anyPort(s);
            }
            rows.put(view.switchGuid(s), LftRow.of(entries));
        }
    }

    /** The slow way: line by line, as OpenSM is to read it. */
    private String expected(Discovery found, DumpForm form) {
        StringBuilder text = new StringBuilder();
        for (FoundSwitch each : found.switches().values()) {
            text.append(String.format(
                    "Unicast lids [0x0-0x%x] of switch Lid %d guid %s ():\n",
                    found.lids().lidMax(), found.lids().lidOf(each.guid()), Guid.format(each.guid())));
            LftRow row = rows.get(each.guid());
            for (int s = 0; s < view.switchCount(); s++) {
                long guid = view.switchGuid(s);
                if (found.switches().containsKey(guid)) {
                    text.append(line(found, form, each, guid, guid == each.guid() ? 0 : LftSet.NO_ROUTE));
                }
            }
            for (int node = 0; node < view.nodeCount(); node++) {
                text.append(line(found, form, each, view.nodeGuid(node), row.port(node)));
            }
        }
        return text.toString();
    }

    private static String line(Discovery found, DumpForm form, FoundSwitch of, long guid, int port) {
        boolean leads = port != LftSet.NO_ROUTE && of.isUp(port);
        int lid = found.lids().lidOf(guid);
        String hex = "000" + Integer.toHexString(lid);
        String decimal = "00" + (leads ? port : LftSet.NO_ROUTE);
        return (leads ? "0x" : "#x") + hex.substring(hex.length() - 4) + " " + decimal.substring(decimal.length() - 3)
                + (form == DumpForm.WITH_GUIDS ? " portguid " + Guid.format(guid) + ":\n" : "\n");
    }

    @Test
    void shouldHoldWhatIsWrittenLineByLineWhateverWasPrepared() throws IOException {
        Discovery renumbered = found(7);
        Set<PortEnd> down = new HashSet<>();
        DumpTables last = null;
        int changed = 0;
        for (int step = 0; step < STEPS; step++) {
            moveSome();
            int s = random.nextInt(view.switchCount());
            PortEnd end = new PortEnd(view.switchGuid(s), 1 + random.nextInt(view.portCount(s)));
            if (!down.remove(end)) {
                down.add(end);
            }
            Set<Long> gone = random.nextInt(8) == 0 ? Set.of(view.switchGuid(s)) : Set.of();
            Discovery found = (random.nextInt(8) == 0 ? renumbered : whole).after(Changes.lost(down, gone), 0, 0);
            DumpTables next = tables(last, found);
            DumpForm form = random.nextInt(6) == 0 ? DumpForm.WITH_GUIDS : DumpForm.LIDS_ONLY;
            boolean change = form == DumpForm.LIDS_ONLY && file.isPrepared() && last != null && next.sameLayout(last);
            Object prepared = change ? Files.getAttribute(fresh, "unix:ino") : null;

            dump.write(next, form);

            assertThat(Files.readString(path)).as("step %d", step).isEqualTo(expected(found, form));
            assertThat(fresh).doesNotExist();
            assertThat(file.untouched()).isTrue();
            if (change) {
                assertThat(Files.getAttribute(path, "unix:ino")).isEqualTo(prepared);
            }
            changed += change ? 1 : 0;
            if (random.nextInt(2) > 0) {
                if (random.nextInt(3) == 0) {
                    dump.prepare(next, () -> false);
                }
                assertThat(dump.addGuids(next, () -> false)).isTrue();
                assertThat(path).hasContent(expected(found, DumpForm.WITH_GUIDS));
                assertThat(fresh).doesNotExist();
                assertThat(file.untouched()).isTrue();
            }
            if (random.nextInt(4) > 0) {
                dump.prepare(next, () -> false);
                assertThat(fresh).hasContent(expected(found, DumpForm.LIDS_ONLY));
            }
            last = next;
        }
        assertThat(changed).isBetween(STEPS / 4, 3 * STEPS / 4);
    }

    /** OpenSM reads as slowly as it likes. */
    @Test
    void shouldLeaveWhatSomebodyHasOpenAsItIs() throws IOException {
        DumpTables last = tables(null, whole);
        dump.write(last, DumpForm.LIDS_ONLY);
        String before = expected(whole, DumpForm.LIDS_ONLY);
        try (InputStream reader = Files.newInputStream(path)) {
            byte[] begun = reader.readNBytes(10);
            for (int step = 0; step < 3; step++) {
                dump.prepare(last, () -> false);
                Object prepared = Files.getAttribute(fresh, "unix:ino");
                rows = rows();
                last = tables(last, whole);
                dump.write(last, DumpForm.LIDS_ONLY);
                assertThat(Files.getAttribute(path, "unix:ino")).isEqualTo(prepared);
                assertThat(Files.readString(path)).isEqualTo(expected(whole, DumpForm.LIDS_ONLY));
            }
            assertThat(new String(begun, StandardCharsets.US_ASCII)
                            + new String(reader.readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo(before);
        }
    }

    /** What is large takes long to be freed, so that happens later, but never later than this says. */
    @Test
    void shouldKeepOnlyWhatAChangeReplacedUntilItIsFreed() throws IOException {
        DumpTables last = tables(null, whole);
        dump.write(last, DumpForm.LIDS_ONLY);
        for (int step = 0; step < 4; step++) {
            moveSome();
            dump.prepare(last, () -> false);
            last = tables(last, whole);
            dump.write(last, DumpForm.LIDS_ONLY);
            assertThat(FakeSubnet.openThoughReplaced(path)).isOne();
        }
        dump.freeReplaced();
        assertThat(FakeSubnet.openThoughReplaced(path)).isZero();

        dump.write(last, DumpForm.WITH_GUIDS);
        dump.write(last, DumpForm.LIDS_ONLY);
        assertThat(dump.addGuids(last, () -> false)).isTrue();
        assertThat(FakeSubnet.openThoughReplaced(path)).isZero();

        dump.prepare(last, () -> false);
        dump.write(last, DumpForm.LIDS_ONLY);
        assertThat(FakeSubnet.openThoughReplaced(path)).isOne();
        dump.discard();
        assertThat(FakeSubnet.openThoughReplaced(path)).isZero();
    }

    /** An interrupted thread cannot write: what is done until then stays as it is, as after a kill or on a full disk. */
    @Test
    void shouldKeepTheOldFileWhereverAWriteEnds() throws IOException {
        DumpTables before = tables(null, whole);
        dump.write(before, DumpForm.LIDS_ONLY);
        byte[] old = Files.readAllBytes(path);
        rows = rows();
        DumpTables next = tables(before, whole);
        List<FilePart> changes = new ArrayList<>();
        next.changesSince(before, DumpForm.LIDS_ONLY).forEach(changes::add);
        assertThat(changes).hasSizeGreaterThanOrEqualTo(view.switchCount());
        changes.add(new FilePart(0, new byte[0])); // All is written; what is left is the disk.

        for (int crash = 0; crash < changes.size(); crash++) {
            assertThat(file.prepare(before.sections(DumpForm.LIDS_ONLY), () -> false))
                    .isTrue();
            Iterable<FilePart> cut = interruptedAfter(changes, crash);
            assertThatThrownBy(() -> file.change(cut)).isInstanceOf(IOException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(path).hasBinaryContent(old);
            assertThat(fresh).doesNotExist();
        }
        assertThatThrownBy(() -> file.write(interruptedAfter(List.of(old, new byte[0]), 1)))
                .isInstanceOf(IOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(path).hasBinaryContent(old);

        dump.write(next, DumpForm.LIDS_ONLY);
        assertThat(Files.readString(path)).isEqualTo(expected(whole, DumpForm.LIDS_ONLY));
    }

    private static <T> Iterable<T> interruptedAfter(List<T> parts, int count) {
        return () -> parts.stream()
                .peek(part -> {
                    if (parts.indexOf(part) >= count) {
                        Thread.currentThread().interrupt();
                    }
                })
                .iterator();
    }

    /** As by a manager that was killed over it, or a second one. */
    @Test
    void shouldWriteAnewWhenSomebodyTouchedWhatWasPrepared() throws IOException {
        DumpTables before = tables(null, whole);
        dump.write(before, DumpForm.LIDS_ONLY);
        dump.prepare(before, () -> false);
        Files.writeString(fresh, "half");
        moveSome();
        DumpTables next = tables(before, whole);

        dump.write(next, DumpForm.LIDS_ONLY);

        assertThat(Files.readString(path)).isEqualTo(expected(whole, DumpForm.LIDS_ONLY));
        dump.prepare(next, () -> true);
        assertThat(fresh).doesNotExist();
        Files.createDirectories(fresh.resolve("in the way"));
        dump.prepare(next, () -> false);
        moveSome();
        assertThatThrownBy(() -> dump.write(tables(next, whole), DumpForm.LIDS_ONLY))
                .isInstanceOf(IOException.class);
        assertThat(path).isNotEmptyFile();
    }

    @Test
    void shouldLeaveAloneWhatAnotherManagerPrepares() throws IOException {
        List<byte[]> ours = List.of("ours".getBytes(StandardCharsets.US_ASCII));
        List<byte[]> theirs = List.of("theirs, longer".getBytes(StandardCharsets.US_ASCII));
        DumpFile one = new DumpFile(path, 1);
        DumpFile other = new DumpFile(path, 2);

        one.prepare(ours, () -> false);
        other.prepare(theirs, () -> false);
        assertThat(one.isPrepared()).isTrue();
        one.change(List.of(new FilePart(0, "O".getBytes(StandardCharsets.US_ASCII))));

        assertThat(path).hasContent("Ours");
        assertThat(other.isPrepared()).isTrue();
        other.change(List.of());
        assertThat(path).hasContent("theirs, longer");
    }

    /** No process has a number above 2^22. */
    @Test
    void shouldTakeAwayWhatProcessesLeftThatAreNoMore() throws IOException {
        Path left = Files.writeString(directory.resolve("lfts.dump." + (1 << 23) + ".new"), "half");
        Path alive = Files.writeString(directory.resolve("lfts.dump.1.new"), "whole");
        Path foreign = Files.writeString(directory.resolve("lfts.dump.old.new"), "whole");
        Path theirs = Files.createDirectory(directory.resolve("lfts.dump." + (1 << 24) + ".new"));

        file.discardLeft();

        assertThat(left).doesNotExist();
        assertThat(alive).exists();
        assertThat(foreign).exists();
        assertThat(theirs).exists();
    }
}

package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.opensm.Discovery.Changes;
import io.dmodc.routing.LftRow;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When OpenSM finds LIDs only, and when GUIDs, in the file that it loads. */
class KeptDumpTest {
    @TempDir
    private Path directory = Path.of("");

    private final FabricView view = new DrawnSubnet("2;4,4;1,2;1,1").view();
    private final Troubles troubles = new Troubles(FakeSubnet.restingLoop(() -> TimeUnit.HOURS.toNanos(1)));
    private final Map<Long, LftRow> rows = new HashMap<>();
    private Path path;
    private Path fresh;
    private KeptDump dump;
    private Discovery whole;

    @BeforeEach
    void begin() throws IOException {
        path = directory.resolve("lfts.dump");
        fresh = directory.resolve("lfts.dump." + ProcessHandle.current().pid() + ".new");
        dump = new KeptDump(path, troubles);
        whole = found(new LidMap());
        for (int s = 0; s < view.switchCount(); s++) {
            leadTo(s, 1);
        }
    }

    private void leadTo(int s, int port) {
        byte[] entries = new byte[view.nodeCount()];
        Arrays.fill(entries, (byte) port);
        rows.put(view.switchGuid(s), LftRow.of(entries));
    }

    /** With these LIDs, and for others the next ones. */
    private Discovery found(LidMap lids) throws IOException {
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view, lids, text);
        return found(text.toString());
    }

    private static Discovery found(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Discovery(new DiscoveredSubnet(IbnetReader.read("test", new ByteArrayInputStream(bytes)), 0, 0), 0);
    }

    private DumpTables tables(@Nullable DumpTables before, Discovery found) {
        return new DumpTables(before, view, null, found, rows);
    }

    /** Others than the last ones. */
    private DumpTables changed(DumpTables before, Discovery found) {
        LftRow last = rows.get(view.switchGuid(0));
        leadTo(0, last.port(0) == 1 ? 2 : 1);
        return tables(before, found);
    }

    private static String text(DumpTables tables, DumpForm form) {
        StringBuilder text = new StringBuilder();
        tables.sections(form).forEach(each -> text.append(new String(each, StandardCharsets.US_ASCII)));
        return text.toString();
    }

    private void assertHolds(DumpTables tables, DumpForm form) {
        assertThat(path).hasContent(text(tables, form));
    }

    @Test
    void shouldGiveOpenSmLidsOnlyUntilThereIsTimeToNameGuids() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        assertHolds(first, DumpForm.WITH_GUIDS);

        DumpTables next = first;
        for (int round = 0; round < 3; round++) {
            next = changed(next, whole);
            dump.write(next, true);
            assertHolds(next, DumpForm.LIDS_ONLY);
            assertThat(dump.isThere()).isTrue();

            dump.addGuids(() -> true);
            dump.prepare(() -> false);
            assertHolds(next, DumpForm.LIDS_ONLY);
            assertThat(fresh).doesNotExist();

            dump.addGuids(() -> false);
            dump.prepare(() -> false);
            assertThat(dump.wasRead()).isFalse();
            assertHolds(next, DumpForm.WITH_GUIDS);
            assertThat(fresh).hasContent(text(next, DumpForm.LIDS_ONLY));
            assertThat(dump.isThere()).isTrue();
        }
    }

    /** OpenSM may be about to deal others, and may be another one. */
    @Test
    void shouldNameGuidsWhereALidIsNewOrMeansSomethingElse() throws IOException {
        long host = view.nodeGuid(0);
        DumpTables without = tables(null, whole.after(Changes.lost(Set.of(), Set.of(view.switchGuid(1))), 0, 0));
        dump.write(without, true);
        DumpTables back = changed(without, whole);
        dump.write(back, true);
        assertHolds(back, DumpForm.WITH_GUIDS);

        LidMap other = new LidMap();
        other.put(host, 0x70);
        DumpTables dealtAnew = changed(back, found(other));
        dump.write(dealtAnew, true);
        assertHolds(dealtAnew, DumpForm.WITH_GUIDS);

        LidMap more = new LidMap();
        more.put(host, 0x70, 1);
        DumpTables second = changed(dealtAnew, found(more));
        dump.write(second, true);
        assertHolds(second, DumpForm.WITH_GUIDS);
    }

    @Test
    void shouldGiveLidsOnlyWhenASwitchIsLost() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);

        DumpTables next = changed(first, whole.after(Changes.lost(Set.of(), Set.of(view.switchGuid(1))), 0, 0));
        dump.write(next, true);

        assertThat(next.tables()).hasSize(view.switchCount() - 1);
        assertHolds(next, DumpForm.LIDS_ONLY);
    }

    @Test
    void shouldNameGuidsInADumpWithoutOneBefore() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        dump.write(changed(first, whole), true);
        dump.remove();
        dump.addGuids(() -> false);
        assertThat(path).doesNotExist();

        DumpTables next = changed(first, whole);
        dump.write(next, true);
        assertHolds(next, DumpForm.WITH_GUIDS);
    }

    /** An OpenSM that has dealt lower ones would end by it. */
    @Test
    void shouldNameGuidsWhereOpenSmMayHaveDealtLidsOrIsAway() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        DumpTables next = changed(first, whole);
        dump.write(next, false);
        assertHolds(next, DumpForm.WITH_GUIDS);

        for (Troubles.Kind away : List.of(Troubles.Kind.SIGNAL, Troubles.Kind.PRESENCE)) {
            troubles.set(away, "nobody is there");
            next = changed(next, whole);
            dump.write(next, true);
            assertHolds(next, DumpForm.WITH_GUIDS);
            troubles.clear(away);
        }
    }

    @Test
    void shouldLeaveAloneWhatSomebodyElseDoesWhileGuidsAreAdded() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        dump.write(changed(first, whole), true);

        dump.addGuids(() -> write("theirs"));
        assertThat(path).hasContent("theirs");
        assertThat(fresh).doesNotExist();
    }

    /** @return false: there is time for more */
    private boolean write(String text) {
        try {
            Files.writeString(path, text);
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a manager that was killed before there was time: OpenSM need not load it again. */
    @Test
    void shouldKnowItsOwnDumpWithoutGuidsAfterARestart() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        DumpTables last = changed(first, whole);
        dump.write(last, true);

        KeptDump after = new KeptDump(path, troubles);
        after.open();
        assertThat(after.holds(first)).isFalse();
        assertThat(after.holds(last)).isTrue();
        after.keep(last);
        assertHolds(last, DumpForm.LIDS_ONLY);
        after.addGuids(() -> false);

        assertHolds(last, DumpForm.WITH_GUIDS);
    }

    /** Whoever opened a pipe to read it would wait for somebody to write. */
    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldWriteOverAPipeThatIsInItsPlace() throws Exception {
        putPipe();
        dump.open();
        DumpTables first = tables(null, whole);
        assertThat(dump.holds(first)).isFalse();
        dump.write(first, true);
        assertHolds(first, DumpForm.WITH_GUIDS);

        dump.prepare(() -> false);
        Files.delete(path);
        putPipe();
        assertThat(dump.isThere()).isTrue();
        assertThat(troubles.has(Troubles.Kind.OVERWRITTEN)).isTrue();
        DumpTables next = changed(first, whole);
        dump.write(next, true);
        assertHolds(next, DumpForm.LIDS_ONLY);
    }

    /** It is no dump that uses a dead port, nor one that somebody else has written. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeverTakeAwayADirectoryThatIsInItsPlace(boolean isEmpty) throws Exception {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view, new LidMap(), text);
        Discovery lost = found(text.toString().replaceAll("(?m)^\\[1].*\n", ""));
        assertThat(dump.deadUse(lost)).isNotEmpty();
        Files.delete(path);
        Files.createDirectories(isEmpty ? path : path.resolve("theirs"));

        assertThat(dump.deadUse(lost)).isEmpty();
        assertThatThrownBy(dump::remove).hasMessage("is a directory");
        assertThatThrownBy(() -> dump.write(changed(first, whole), true))
                .hasMessage("a directory is in its place, which OpenSM takes for a dump without routes");
        assertThat(dump.isThere()).isFalse();

        assertThat(path).isDirectory();
        assertThat(troubles.has(Troubles.Kind.OVERWRITTEN)).isFalse();
    }

    private void putPipe() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
    }

    @Test
    void shouldLeaveAloneWhatSomebodyElseHasWrittenInstead() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        dump.write(changed(first, whole), true);
        Files.writeString(path, "theirs");

        dump.addGuids(() -> false);

        assertThat(path).hasContent("theirs");
        assertThat(fresh).doesNotExist();
        Files.delete(path);
        dump.addGuids(() -> false);
        assertThat(path).doesNotExist();
    }

    /** They are no less right than those with GUIDs, until OpenSM deals LIDs anew. */
    @Test
    void shouldKeepTheDumpAndTellWhenGuidsCannotBeNamed() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        DumpTables next = changed(first, whole);
        dump.write(next, true);
        Path inTheWay = Files.createDirectories(fresh.resolve("x"));

        assertThat(dump.addGuids(() -> false)).isFalse();

        assertHolds(next, DumpForm.LIDS_ONLY);
        assertThat(isWithoutGuids()).isTrue();

        Files.delete(inTheWay);
        Files.delete(fresh);
        dump.addGuids(() -> false);
        assertHolds(next, DumpForm.WITH_GUIDS);
        assertThat(isWithoutGuids()).isFalse();
    }

    private boolean isWithoutGuids() {
        return troubles.has(Troubles.Kind.WITHOUT_GUIDS);
    }

    /** Nothing is owed to a file that is gone, or is somebody else's, or was replaced. */
    @Test
    void shouldNotTellOfGuidsThatNoFileLacksAnyMore() throws IOException {
        dump.write(tables(null, whole), true);
        withoutGuids();
        Files.writeString(path, "theirs");
        dump.addGuids(() -> false);
        assertThat(isWithoutGuids()).isFalse();

        withoutGuids();
        dump.remove();
        dump.addGuids(() -> false);
        assertThat(isWithoutGuids()).isFalse();

        dump.write(tables(null, whole), true);
        withoutGuids();
        dump.write(changed(Objects.requireNonNull(dump.written()), whole), false);
        assertThat(isWithoutGuids()).isFalse();
    }

    /** The file that lies there has none, and that is told. */
    private void withoutGuids() throws IOException {
        dump.write(changed(Objects.requireNonNull(dump.written()), whole), true);
        Path inTheWay = Files.createDirectories(fresh.resolve("x"));
        dump.addGuids(() -> false);
        assertThat(isWithoutGuids()).isTrue();
        Files.delete(inTheWay);
        Files.delete(fresh);
    }

    /** Such a file lacks GUIDs as before, and gets them. */
    @Test
    void shouldKnowWhichFormTheFileHasWhenTheNextCannotBeWritten() throws IOException {
        DumpTables first = tables(null, whole);
        dump.write(first, true);
        DumpTables second = changed(first, whole);
        dump.write(second, true);
        Path inTheWay = Files.createDirectories(fresh.resolve("x"));

        assertThatThrownBy(() -> dump.write(changed(second, whole), false)).isInstanceOf(IOException.class);

        Files.delete(inTheWay);
        Files.delete(fresh);
        assertHolds(second, DumpForm.LIDS_ONLY);
        dump.addGuids(() -> false);
        assertHolds(second, DumpForm.WITH_GUIDS);
    }
}

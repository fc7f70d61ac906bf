package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Push;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.opensm.OpenSmLog.Kind;
import io.dmodc.manager.opensm.OpenSmLog.News;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the core hears while a dump is loaded: its loop stands still, and so does the clock. */
class DumpLoadingTest {
    @TempDir
    private Path directory = Path.of("");

    private long nowNanos = TimeUnit.HOURS.toNanos(1);

    private final FabricLoop loop = FakeSubnet.restingLoop(() -> nowNanos);

    private final List<LoadTimes> told = new ArrayList<>();
    private final PendingTables pending = new PendingTables(loop);
    private final DrawnSubnet drawn = new DrawnSubnet(FakeSubnet.PGFT);
    private final FabricView view = drawn.view();
    private final Troubles troubles = new Troubles(loop);
    private FakeSubnet subnet;
    private KeptDump dump;
    private Discovery found;

    @BeforeEach
    void drawSubnet() throws Exception {
        subnet = new FakeSubnet(directory);
        dump = new KeptDump(subnet.dump, troubles);
        byte[] text = drawn.text().getBytes(StandardCharsets.UTF_8);
        found = new Discovery(new DiscoveredSubnet(IbnetReader.read("drawn", new ByteArrayInputStream(text)), 0, 0), 0);
    }

    /** All of a step, as the core pushes them. */
    private Map<Long, LftRow> pushed() {
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        Map<Long, LftRow> rows = new HashMap<>();
        for (int s = 0; s < view.switchCount(); s++) {
            LftRow row = tables.row(s);
            rows.put(view.switchGuid(s), row);
            pending.add(new Push(
                    0, new TableUpdate(view.switchGuid(s), 1, view.epoch(), true, 0, 0, new int[0], row, false)));
        }
        return rows;
    }

    /** Begins to load the first dump, a moment after OpenSM has heard of a change. */
    private void begin(DumpLoading loading) throws Exception {
        loading.heard(new News(Kind.CHANGED, "", 1));
        DumpTables tables = new DumpTables(null, view, null, found, pushed());
        loading.aboutToWrite();
        dump.write(tables, false);
        loading.begin(true, found, nowNanos);
    }

    private DumpLoading loading() throws Exception {
        return loading(subnet.lookingAtSwitches(Duration.ofMinutes(1)));
    }

    private DumpLoading loading(OpenSmSettings settings) {
        OpenSmMeters meters = new OpenSmMeters(loop::nowNanos);
        return new DumpLoading(settings, loop, troubles, meters, pending, dump, told::add);
    }

    /** It would send each table once more, and all switches would be read once more for that. */
    @Test
    void shouldTellThatTablesAreWorkedOnAlsoWhileOpenSmIsWaitedFor() throws Exception {
        try (DumpLoading loading = loading()) {
            begin(loading);
            int told = loop.queued();
            assertThat(told).isEqualTo(view.switchCount());

            int seconds = 4;
            for (int i = 0; i < seconds; i++) {
                assertThat(loading.nextNanos() - nowNanos).isLessThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
                nowNanos += TimeUnit.SECONDS.toNanos(1);
                loading.step(found, () -> false);
            }

            assertThat(loop.queued()).isEqualTo((1 + seconds) * told);
            assertThat(pending.isEmpty()).isFalse();
        }
    }

    /** As that of the second round does, when those were read that it waits for. */
    @Test
    void shouldTellWhenTablesWereSentThatTheNextDumpReplaces() throws Exception {
        try (DumpLoading loading = loading()) {
            News sent = new News(Kind.CONFIGURED, "file", 0);
            loading.heard(sent);
            DumpTables tables = new DumpTables(null, view, null, found, pushed());
            nowNanos++;
            loading.aboutToWrite();
            dump.write(tables, false);
            loading.begin(true, found, nowNanos);
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            loading.heard(sent);
            loading.take(sent);
            long sentNanos = nowNanos;
            nowNanos++;

            begin(loading);

            assertThat(told).singleElement().satisfies(times -> {
                assertThat(times.configuredNanos()).isEqualTo(sentNanos);
                assertThat(times.readBackNanos()).isZero();
                assertThat(times.text()).endsWith("; the next dump came before all was read back");
            });
        }
    }

    /** No switch says what it holds, so all are read again and again: an OpenSM that is started meanwhile may deal other LIDs. */
    @Test
    void shouldNameGuidsInADumpThatIsLoadedAndTakesLongToReadBack() throws Exception {
        subnet.script("hup", "exit 0");
        try (DumpLoading loading = loading()) {
            begin(loading);
            Map<Long, LftRow> rows = pushed();
            rows.put(view.switchGuid(0), LftRow.of(new byte[view.nodeCount()]));
            loading.aboutToWrite();
            dump.write(new DumpTables(null, view, null, found, rows), true);
            loading.begin(true, found, nowNanos);
            News sent = new News(Kind.CONFIGURED, "file", 0);
            loading.take(sent); // It had opened the one before.
            loading.take(sent);

            passSeconds(loading, 10);
            assertThat(subnet.dump).content().doesNotContain(" portguid ");

            passSeconds(loading, 3);
            assertThat(subnet.dump).content().contains(" portguid ");
            assertThat(loading.isBusy()).isTrue();
        }
    }

    private void passSeconds(DumpLoading loading, int seconds) throws InterruptedException {
        for (int i = 0; i < seconds; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            loading.step(found, () -> false);
        }
    }

    /** It was of no tables. */
    @Test
    void shouldNotTellOfAComparisonThatTheNextDumpReplaces() throws Exception {
        try (DumpLoading loading = loading()) {
            troubles.set(Troubles.Kind.SIGNAL, "nobody was told");
            DumpTables tables = new DumpTables(null, view, null, found, pushed());
            dump.write(tables, false);
            loading.begin(false, found, nowNanos);
            loading.step(found, () -> false);
            assertThat(troubles.has(Troubles.Kind.SIGNAL)).as("told by now").isFalse();

            begin(loading);

            assertThat(told).isEmpty();
        }
    }

    /** It has other tables for the switches, and keeps them however often OpenSM is told here. */
    @Test
    void shouldTellOpenSmOnceWhileAnotherIsTheMasterAndReadAllWhenItIsBack() throws Exception {
        subnet.script("hup", "echo >>" + directory + "/hups");
        try (DumpLoading loading = loading()) {
            troubles.set(Troubles.Kind.PRESENCE, "another subnet manager is the master");
            DumpTables tables = new DumpTables(null, view, null, found, pushed());
            dump.write(tables, false);
            String other = Files.readString(subnet.dump).replaceAll("(0x[0-9a-f]{4}) [0-9]{3}", "$1 001");
            Files.writeString(directory.resolve("held"), other);
            loading.begin(true, found, nowNanos);
            nowNanos += TimeUnit.MINUTES.toNanos(1);
            loading.step(found, () -> false);
            assertThat(loading.isBusy()).isFalse();

            for (int i = 0; i < 3; i++) {
                assertThat(loading.verifyIsDue()).isFalse();
                nowNanos += TimeUnit.MINUTES.toNanos(1);
                assertThat(loading.verifyIsDue()).isTrue();
                loading.begin(false, found, nowNanos);
                loading.step(found, () -> false);
                assertThat(loading.isBusy()).isFalse();
            }
            assertThat(Files.readAllLines(directory.resolve("hups"))).hasSize(1);
            assertThat(troubles.has(Troubles.Kind.READ_BACK)).isFalse();
            assertThat(troubles.has(Troubles.Kind.NOT_LOADED)).isFalse();

            troubles.clear(Troubles.Kind.PRESENCE);
            assertThat(loading.verifyIsDue()).isTrue();
            loading.begin(false, found, nowNanos);
            loading.step(found, () -> false);
            assertThat(Files.readAllLines(directory.resolve("hups"))).hasSize(2);
        }
    }

    /** Somebody mends its pid file: while the dump is loaded, when that was given up, and when the dump was taken away. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldTellOpenSmAsSoonAsItsPidFileNamesIt(int when) throws Exception {
        Path pid = directory.resolve("pid");
        try (DumpLoading loading =
                loading(FakeSubnet.signallingBy(subnet.lookingAtSwitches(Duration.ofMinutes(1)), pid))) {
            dump.write(new DumpTables(null, view, null, found, pushed()), false);
            loading.begin(true, found, nowNanos);
            if (when == 1) {
                nowNanos += TimeUnit.MINUTES.toNanos(1);
                loading.step(found, () -> false);
                nowNanos++;
                assertThat(loading.isBusy()).isFalse();
                loading.tellIfMended();
                assertThat(loading.verifyIsDue()).isFalse();
            } else if (when == 2) {
                dump.remove();
                loading.withdrawn();
            }
            subnet.script("opensm", "trap 'echo got' HUP\necho up\nread line || :");
            Process opensm = new ProcessBuilder(directory.resolve("opensm").toString()).start();
            BufferedReader said = opensm.inputReader();
            assertThat(said.readLine()).isEqualTo("up");
            Files.writeString(pid, opensm.pid() + "\n");

            loading.tellIfMended();
            if (when == 1) {
                assertThat(loading.verifyIsDue()).isTrue();
                loading.begin(false, found, nowNanos);
                loading.step(found, () -> false);
            }

            opensm.getOutputStream().close();
            assertThat(said.readLine()).isEqualTo("got");
            opensm.waitFor();
            assertThat(troubles.has(Troubles.Kind.SIGNAL)).isFalse();
        }
    }

    /** In the midst of a sweep it would begin anew. */
    @ParameterizedTest
    @CsvSource({"0, 5", "2, 5", "9, 18"})
    void shouldWaitForTheSweepOfALargeFabricBeforeOpenSmIsTold(int sweepSeconds, int toldSeconds) throws Exception {
        try (DumpLoading loading = loading()) {
            if (sweepSeconds > 0) {
                loading.heard(new News(Kind.CHANGED, "", 1));
                nowNanos += TimeUnit.SECONDS.toNanos(sweepSeconds);
                loading.heard(new News(Kind.CONFIGURED, "file", 0));
                nowNanos += TimeUnit.HOURS.toNanos(1);
            }
            begin(loading);

            nowNanos += TimeUnit.SECONDS.toNanos(toldSeconds) - 1;
            loading.step(found, () -> false);
            assertThat(directory.resolve("held")).doesNotExist();
            nowNanos++;
            loading.step(found, () -> false);
            assertThat(directory.resolve("held")).exists();
        }
    }
}

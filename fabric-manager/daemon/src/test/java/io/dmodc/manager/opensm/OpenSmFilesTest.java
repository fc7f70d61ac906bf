package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.store.SmallDisk;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole manager against a subnet of scripts, and what others do to the files the two share. */
class OpenSmFilesTest {
    @TempDir
    private Path directory = Path.of("");

    private FakeSubnet subnet;

    @BeforeEach
    void start() throws IOException {
        subnet = new FakeSubnet(directory);
    }

    @AfterEach
    void close() throws InterruptedException {
        subnet.close();
    }

    private void serve() throws Exception {
        subnet.start();
        subnet.awaitServed();
    }

    private Path unfinished() {
        return subnet.dump.resolveSibling("lfts.dump." + ProcessHandle.current().pid() + ".new");
    }

    /** So that there is room for the next dump already; closed, as an open file keeps its room when it is deleted, and its disk busy. */
    private void awaitPrepared() throws InterruptedException {
        subnet.await(
                "what is prepared",
                () -> text(unfinished()).equals(FakeSubnet.withoutGuids(text(subnet.dump))) && !isOpen(unfinished()));
    }

    private static boolean isOpen(Path file) {
        try (Stream<Path> opened = Files.list(Path.of("/proc/self/fd"))) {
            return opened.anyMatch(each -> leadsTo(each, file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean leadsTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException e) {
            return false; // Closed meanwhile.
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return file.toString(); // Different from what any other holds.
        }
    }

    private void log(String line) throws IOException {
        Files.writeString(
                directory.resolve("opensm.log"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** A real full file system; it takes root to make one. */
    @Test
    void shouldKeepTheOldDumpWhenThereIsNoRoomForANewOneAndNoneIsPrepared() throws Exception {
        Path dumps = Objects.requireNonNull(subnet.dump.getParent());
        try (SmallDisk disk = SmallDisk.mount(dumps);
                FakeSubnet onIt = subnet) {
            OpenSmSettings usual = subnet.settings();
            subnet.start(FakeSubnet.withdrawingAfter(usual, Duration.ofMinutes(10)));
            subnet.awaitServed();
            long told = subnet.told();
            awaitPrepared();
            Path filler = disk.fill();
            subnet.cutUplink(subnet.view());
            subnet.await("lost cable", state -> subnet.view().linkCount() == 7);
            subnet.awaitServed();
            assertThat(subnet.holdsDesired()).isTrue();
            assertThat(subnet.told()).isEqualTo(told);

            awaitPrepared();
            byte[] before = Files.readAllBytes(subnet.dump);
            Files.delete(unfinished());
            disk.fill();
            subnet.mend();
            subnet.await("alarm", () -> subnet.opensmAlarm().contains("lfts.dump cannot be written: "));
            subnet.await("another try", () -> subnet.now().outstanding() > 0);
            assertThat(subnet.opensmAlarm()).contains("No space left on device");
            assertThat(subnet.told()).isEqualTo(told + 1);
            assertThat(Files.readAllBytes(subnet.dump)).isEqualTo(before);
            assertThat(unfinished()).doesNotExist();

            Files.delete(filler);
            subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
            subnet.awaitServed();
            assertThat(subnet.holdsDesired()).isTrue();
        }
    }

    /** It is due to be taken away all that time, and only then it could be: OpenSM would route by its next engine, for seconds. */
    @Test
    void shouldWriteTheNewDumpBeforeItTakesTheOldOneAwayWhenTheDiskTakesBothAgain() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(Objects.requireNonNull(subnet.dump.getParent()));
                FakeSubnet onIt = subnet) {
            serve();
            awaitPrepared(); // The kernel makes no file system read-only while a file on it is open for writing.
            disk.remount("ro");
            subnet.cutUplink(subnet.view());
            subnet.await("alarm", () -> subnet.opensmAlarm().contains("lfts.dump cannot be written: "));
            subnet.await("alarm", () -> subnet.opensmAlarm().contains("and cannot be removed: "));

            disk.remount("rw");
            subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
            subnet.awaitServed();

            assertThat(subnet.holdsDesired()).isTrue();
            assertThat(value(metrics(), "fabric_opensm_withdrawals_total")).isZero();
        }
    }

    /** There is room for a new dump only when the old one is gone: OpenSM is not to look for it before that is there. */
    @Test
    void shouldWriteTheNewDumpAtOnceWhenTheRemovalOfTheOldOneMadeRoom() throws Exception {
        Path without = directory.resolve("without");
        try (SmallDisk disk = SmallDisk.mount(Objects.requireNonNull(subnet.dump.getParent()));
                FakeSubnet onIt = subnet) {
            serve();
            awaitPrepared();
            Files.delete(unfinished());
            disk.fill();
            subnet.script(
                    "hup",
                    "cp " + subnet.dump + " " + directory + "/held.new || echo >>" + without + "\n" + "mv " + directory
                            + "/held.new " + directory + "/held");
            subnet.cutUplink(subnet.view());
            subnet.await("lost cable", state -> subnet.view().linkCount() == 7);
            subnet.awaitServed();
            subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());

            assertThat(subnet.holdsDesired()).isTrue();
            assertThat(value(metrics(), "fabric_opensm_withdrawals_total")).isOne();
            assertThat(without).doesNotExist();
        }
    }

    /** OpenSM goes on loading it, whoever wrote it. */
    @Test
    void shouldTakeAwayADumpOfAManagerBeforeThatUsesADeadPort() throws Exception {
        serve();
        FabricView view = subnet.view();
        subnet.close();
        subnet.cutUplink(view);
        Path inTheWay = Files.createDirectories(unfinished().resolve("x"));

        subnet.start();
        subnet.await("removal", () -> !Files.exists(subnet.dump));
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("it used a dead port, leaf"));

        Files.delete(inTheWay);
        Files.deleteIfExists(inTheWay.getParent()); // A write that fails just then takes it away, too.
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
        assertThat(subnet.holdsDesired()).isTrue();
    }

    @Test
    void shouldTakeAwayWhatAManagerBeforeWasKilledOver() throws Exception {
        serve();
        subnet.close();
        Files.writeString(unfinished(), "half a dump");

        serve();

        assertThat(subnet.holdsDesired()).isTrue();
        awaitPrepared();
        subnet.close();
        assertThat(unfinished()).doesNotExist();
    }

    /** Killed after the dump was in its place and before the SIGHUP. */
    @Test
    void shouldSignalAfterARestartWhenSwitchesDoNotHoldTheDump() throws Exception {
        serve();
        subnet.close();
        subnet.script("hup", "exit 0");
        subnet.cutUplink(subnet.planned());
        subnet.start();
        subnet.await("dump", () -> subnet.opensmAlarm().contains("do not hold what is written"));
        byte[] dump = Files.readAllBytes(subnet.dump);
        subnet.close();
        subnet.goodHup();

        subnet.start();
        subnet.awaitServed();

        assertThat(Files.readAllBytes(subnet.dump)).isEqualTo(dump);
        assertThat(subnet.holdsDesired()).isTrue();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
    }

    @Test
    void shouldWriteTheDumpAgainThatSomebodyTookAway() throws Exception {
        serve();
        byte[] before = Files.readAllBytes(subnet.dump);

        Files.delete(subnet.dump);
        log("Nov 26 03:00:00 [1] 0x02 -> osm_ucast_mgr_process: updn tables configured on all switches");
        subnet.await("dump", () -> Files.exists(subnet.dump));

        assertThat(Files.readAllBytes(subnet.dump)).isEqualTo(before);
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
    }

    /** As a second manager would. */
    @Test
    void shouldTellThatSomebodyElseWroteTheDump() throws Exception {
        serve();
        String before = Files.readString(subnet.dump);

        Files.writeString(subnet.dump, before + "# by somebody else\n");
        log("Nov 26 03:00:00 [1] 0x02 -> osm_ucast_mgr_process: file tables configured on all switches");
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("does another manager write it?"));

        Files.writeString(subnet.dump, before);
        log("Nov 26 03:00:01 [1] 0x02 -> osm_ucast_mgr_process: file tables configured on all switches");
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
    }

    /** OpenSM's own engine would route by tops that are no more. */
    @Test
    void shouldTellOnceThatAFileOfGuidsCannotBeWritten() throws Exception {
        serve();
        Path roots = directory.resolve("roots");
        subnet.await("roots", () -> Files.exists(roots));
        String whole = text(roots);
        Files.delete(roots);
        Files.createDirectory(roots);
        long told = subnet.told();

        subnet.cutUplink(subnet.view());
        subnet.await("alarm", () -> subnet.opensmAlarm().contains(roots + " cannot be written: Is a directory"));
        subnet.awaitServed();
        subnet.mend();
        subnet.await("cable back", state -> subnet.view().linkCount() == 8);
        subnet.awaitServed();
        assertThat(subnet.told()).isEqualTo(told + 1);

        Files.delete(roots);
        subnet.await("roots again", () -> text(roots).equals(whole));
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
    }

    /** More than a dump holds is no harm, but a device without an end would be. */
    @Test
    void shouldRefuseAFileOfDiscoveryThatIsNone() throws Exception {
        Path net = directory.resolve("net");
        OpenSmSettings usual = subnet.settings();
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("/dev/zero"));
        subnet.start(FakeSubnet.discoveringBy(usual, link));
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("link: no regular file"));

        Files.delete(link);
        Files.createSymbolicLink(link, net);
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
    }

    /** With OpenSM told of each change it would sweep for none by itself. */
    @Test
    void shouldTellOnceThatOpenSmsLogCannotBeRead() throws Exception {
        Path log = directory.resolve("opensm.log");
        Files.delete(log);
        Files.createDirectory(log);
        subnet.start(FakeSubnet.sweepingOnChange(subnet.settings()));
        subnet.await(
                "alarm",
                () -> subnet.opensmAlarm()
                        .contains("OpenSM's log cannot be read, " + log
                                + ": no regular file; OpenSM is told of no change"));
        subnet.awaitServed();

        Files.delete(log);
        Files.createFile(log);
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
    }

    @Test
    void shouldCountAndTimeWhatItDoes() throws Exception {
        serve();
        subnet.cutUplink(subnet.view());
        subnet.await("lost cable", state -> subnet.view().linkCount() == 7);
        subnet.awaitServed();

        String metrics = metrics();
        assertThat(value(metrics, "fabric_opensm_dumps_total")).isGreaterThanOrEqualTo(2);
        assertThat(value(metrics, "fabric_opensm_blocks_total")).isGreaterThanOrEqualTo(7);
        assertThat(value(metrics, "fabric_opensm_signals_total")).isGreaterThanOrEqualTo(2);
        assertThat(value(metrics, "fabric_opensm_signals_repeated_total")).isZero();
        assertThat(value(metrics, "fabric_opensm_withdrawals_total")).isZero();
        assertThat(value(metrics, "fabric_opensm_switches_differing")).isZero();
        assertThat(value(metrics, "fabric_opensm_switches_silent")).isZero();
        assertThat(value(metrics, "fabric_opensm_since_read_back_seconds")).isBetween(0.0, 20.0);
        assertThat(value(metrics, "fabric_opensm_notice_to_read_back_seconds_count"))
                .isEqualTo(1);
        assertThat(value(metrics, "fabric_opensm_notice_to_read_back_seconds_sum"))
                .isBetween(0.0, 20.0);

        subnet.script("hup", "exit 0");
        subnet.script("route", "echo silent >&2; exit 1");
        subnet.mend();
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("6 switches do not say what they hold"));
        assertThat(value(metrics(), "fabric_opensm_switches_silent")).isEqualTo(6);
        subnet.goodRoute();
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("do not hold what is written"));
        assertThat(value(metrics(), "fabric_opensm_differences_total")).isPositive();
        assertThat(value(metrics(), "fabric_opensm_signals_repeated_total")).isPositive();
        assertThat(value(metrics(), "fabric_opensm_switches_differing")).isPositive();
    }

    private String metrics() throws IOException, InterruptedException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create(subnet.administrators() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                .body();
    }

    private static double value(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name));
    }
}

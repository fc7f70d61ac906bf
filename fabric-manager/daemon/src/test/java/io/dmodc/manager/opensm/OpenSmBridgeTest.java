package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole manager against a subnet of scripts, and what becomes of it when these are as bad as they come. */
class OpenSmBridgeTest {
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

    private void awaitCut() throws Exception {
        subnet.await("lost cable", state -> state.view() != null && state.view().linkCount() == 7);
    }

    private String dump() throws IOException {
        return Files.readString(subnet.dump);
    }

    @Test
    void shouldWriteADumpThatOpenSmLoadsAndAcknowledgeWhatIsReadBack() throws Exception {
        serve();

        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(dump().lines().filter(line -> line.startsWith("Unicast")).count())
                .isEqualTo(6);
        assertThat(subnet.alarms()).isEmpty();
        assertThat(subnet.bridge().times()).singleElement().satisfies(times -> {
            assertThat(times.readBackNanos()).isGreaterThan(times.writtenNanos());
            assertThat(times.switches()).isEqualTo(6);
        });
    }

    @Test
    void shouldReachEverySwitchFromEverySwitch() throws Exception {
        serve();

        FabricView view = subnet.view();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int to = 0; to < view.switchCount(); to++) {
                int at = s;
                if (s != to && view.rank(s) == 1 && view.rank(to) == 1) {
                    continue; // No path joins these that climbs and then descends.
                }
                for (int hops = 0; at != to && hops < 3; hops++) {
                    at = view.peerSwitch(at, subnet.held().switchTables().port(at, to));
                }
                assertThat(at).isEqualTo(to);
            }
            assertThat(subnet.held().switchTables().port(s, s)).isZero();
        }
    }

    @Test
    void shouldWriteFilesOfGuidsBesideTheDump() throws Exception {
        Path left = Files.writeString(directory.resolve("nodes." + (1 << 23) + ".new"), "of a manager that was killed");
        serve();
        subnet.await("files", () -> Files.exists(directory.resolve("nodes")));

        assertThat(Files.readAllLines(directory.resolve("roots"))).hasSize(2);
        assertThat(Files.readAllLines(directory.resolve("nodes"))).hasSize(16);
        assertThat(Files.readString(directory.resolve("guid2lid")).split("\n\n"))
                .hasSize(22)
                .allMatch(line -> line.matches("0x[0-9a-f]{16} (0x[0-9a-f]{4}) \\1"));
        assertThat(left).doesNotExist();
    }

    @Test
    void shouldNameTheTopsThatAreLeftWhenOneIsLost() throws Exception {
        serve();
        subnet.await("roots", () -> Files.exists(directory.resolve("roots")));
        List<String> tops = Files.readAllLines(directory.resolve("roots"));

        subnet.kill(Guid.parse(tops.get(1)));

        Path roots = directory.resolve("roots");
        subnet.await("one top", () -> {
            try {
                return Files.readAllLines(roots).equals(tops.subList(0, 1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        subnet.mend();
        subnet.await("both tops", () -> subnet.holdsDesired() && subnet.view().linkCount() == 8);
    }

    @Test
    void shouldLeadAroundALostCableAndBack() throws Exception {
        serve();
        String whole = dump();

        subnet.cutUplink(subnet.view());
        awaitCut();
        subnet.awaitServed();
        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(dump()).isNotEqualTo(whole);

        subnet.mend();
        subnet.await("cable back", state -> state.view() != null && state.view().linkCount() == 8);
        subnet.awaitServed();
        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(dump()).isEqualTo(whole);
    }

    @Test
    void shouldSendASignalThatGotLostOnceMore() throws Exception {
        serve();
        subnet.script(
                "hup",
                "[ -e " + directory + "/lost ] && exec cp " + subnet.dump + " " + directory + "/held\n" + "touch "
                        + directory + "/lost");

        subnet.cutUplink(subnet.view());
        awaitCut();
        subnet.awaitServed();

        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(subnet.opensmAlarm()).isEmpty();
    }

    @Test
    void shouldNameSwitchAndLidWhenTheSignalIsLostForGood() throws Exception {
        serve();
        subnet.script("hup", "exit 0");

        subnet.cutUplink(subnet.view());
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("do not hold what is written"));
        assertThat(subnet.opensmAlarm())
                .containsPattern("leaf\\S* \\(0x[0-9a-f]{16}\\) LID \\d+ leads to port \\d+, written is");
        assertThat(subnet.now().outstanding()).isPositive();

        subnet.goodHup();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(subnet.told(LoggedEvent.Kind.AGENT_REFUSED))
                .as("one alarm for all")
                .isZero();
    }

    @Test
    void shouldNotTakeAnotherTableForAnAcknowledgement() throws Exception {
        subnet.script(
                "route",
                "awk -v head=\"switch Lid $1 guid\" '/^Unicast/ { on = index($0, head) } on' " + directory
                        + "/held | sed '/^0x0010/ s/ 00[0-9]/ 009/'");
        subnet.start();

        subnet.await("alarm", () -> subnet.opensmAlarm().contains("LID 16 leads to port 9, written is port"));
        assertThat(subnet.now().outstanding()).isPositive();

        subnet.goodRoute();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
    }

    /** Of the adapter's other port, look after look: a dump for that would take all routes from the switches that are there. */
    @Test
    void shouldNotTakeAnotherSubnetForThisOne() throws Exception {
        serve();
        String written = dump();
        subnet.script("discover", "exec sed 's/02f0/04f0/g; s/02c0/04c0/g' " + directory + "/net");

        subnet.await("alarm", () -> subnet.opensmAlarm().contains("none of the 6 that were there"));
        assertThat(subnet.now().switches()).hasSize(6);

        subnet.goodDiscover();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        assertThat(dump()).isEqualTo(written);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    @Test
    void shouldTellWhichSwitchesDoNotAnswerAndServeTheOthers() throws Exception {
        serve();
        subnet.script(
                "route",
                "[ $(($1 % 2)) = 0 ] && { echo 'no answer' >&2; exit 255; }\n"
                        + "exec awk -v head=\"switch Lid $1 guid\" '/^Unicast/ { on = index($0, head) } on' "
                        + directory
                        + "/held");

        subnet.cutUplink(subnet.view());
        awaitCut();
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("switches do not say what they hold"));
        assertThat(subnet.opensmAlarm()).contains("3 switches").contains("no answer");

        subnet.goodRoute();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.await("tables in force", () -> subnet.now().outstanding() == 0 && subnet.holdsDesired());
    }

    @Test
    void shouldReadAllSwitchesByOneCommand() throws Exception {
        subnet.script("routes", "exec cat " + directory + "/held");
        subnet.start(subnet.settings(directory + "/routes"));
        subnet.awaitServed();

        subnet.cutUplink(subnet.view());
        awaitCut();
        subnet.awaitServed();
        assertThat(subnet.holdsDesired()).isTrue();

        subnet.script("routes", "exec awk '/^Unicast/ { off = /Lid 2 guid/ } !off' " + directory + "/held");
        subnet.mend();
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("not among the switches that"));
        assertThat(subnet.opensmAlarm()).startsWith("1 switches do not say what they hold: leaf1 (");

        subnet.script("routes", "exec cat " + directory + "/held");
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
    }

    /** The tools leave out the highest LID where it is the first of a block, as the 64th is. */
    @Test
    void shouldNotMissTheEntryThatTheToolsDoNotRead() throws Exception {
        Path of64 = Files.createDirectory(directory.resolve("64"));
        subnet = new FakeSubnet(of64, new DrawnSubnet("2;7,7;1,8;1,1").text());
        subnet.script("routes", "exec awk '!/^0x0040 /' " + of64 + "/held");
        subnet.start(subnet.settings(of64 + "/routes"));
        subnet.awaitServed();

        assertThat(subnet.opensmAlarm()).isEmpty();
        assertThat(dump()).contains("\n0x0040 ");
    }

    /** It loads the dump by itself after changes; what was read before that counts no more. */
    @Test
    void shouldReadAgainWhatOpenSmSendsWhileAllAreRead() throws Exception {
        String sent = "-> osm_ucast_mgr_process: file tables configured on all switches\n-> SUBNET UP\n";
        String look = "-> log_trap_info: Received Generic Notice type:1 num:144\n";
        Path log = Files.writeString(directory.resolve("opensm.log"), "");
        subnet.start(subnet.lookingAtSwitches(Duration.ofSeconds(2)));
        subnet.awaitServed();
        subnet.await("calm", () -> subnet.bridge().calm());
        String last = Integer.toString(subnet.view().switchCount());
        Path asked = directory.resolve("asked");
        Path mute = Files.createFile(directory.resolve("mute" + last));
        String route = Files.readString(directory.resolve("route")).substring("#!/bin/sh\n".length());
        subnet.script("route", "echo $1 >>" + asked + "; [ -e " + directory + "/mute$1 ] && exit 1\n" + route);
        Files.writeString(log, sent + look, StandardOpenOption.APPEND);
        subnet.await(
                "all but one read",
                () -> lines(asked).stream().filter(last::equals).count() > 1);

        Path held = directory.resolve("held");
        Files.writeString(held, Files.readString(held).replaceAll("(?m)^(0x000a) 00[0-9]", "$1 001"));
        assertThat(subnet.holdsDesired()).isFalse();
        Path looks = directory.resolve("looks");
        subnet.script(
                "discover",
                "echo >>" + looks + "; [ $(wc -l <" + looks + ") = 1 ] || exit 1; exec cat " + directory + "/net");
        Files.writeString(log, sent + look, StandardOpenOption.APPEND);
        subnet.await("a look since then", () -> !lines(looks).isEmpty());
        Files.writeString(log, look, StandardOpenOption.APPEND);
        subnet.await("its end", () -> lines(looks).size() > 1);
        Files.delete(mute);

        subnet.await("the table again", subnet::holdsDesired);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldReadSwitchesWhenTheLogSaysThatOpenSmIsDone() throws Exception {
        Path log = Files.writeString(directory.resolve("opensm.log"), "");
        subnet.script(
                "hup",
                "cp " + subnet.dump + " " + directory
                        + "/held && echo '-> x: file tables configured on all switches' >>" + log
                        + " && echo '-> SUBNET UP' >>" + log);
        serve();

        subnet.cutUplink(subnet.view());
        awaitCut();
        subnet.awaitServed();

        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(subnet.bridge().times()).last().satisfies(times -> {
            assertThat(times.configuredNanos()).isPositive();
            assertThat(times.readBackNanos()).isGreaterThan(times.configuredNanos());
        });
    }

    @Test
    void shouldKeepTheFabricWhenItCannotBeLookedAt() throws Exception {
        serve();
        String before = dump();

        for (String bad :
                new String[] {"exit 1", "sleep 100", "true", "head -c 900 " + directory + "/net", "echo hello", "yes"
                }) {
            subnet.script("discover", bad);
            subnet.await("alarm for " + bad, () -> subnet.opensmAlarm().contains("cannot be looked at"));
            subnet.goodDiscover();
            subnet.await("end of alarm for " + bad, () -> subnet.opensmAlarm().isEmpty());
        }

        assertThat(dump()).isEqualTo(before);
        assertThat(subnet.now().alarms()).isEmpty();
    }

    /** One message each: not one for every look. */
    @Test
    void shouldTellOnceWhatGoesOn() throws Exception {
        serve();
        long before = subnet.told();
        subnet.script("discover", looked() + "exit 1");
        subnet.await("alarm", () -> !subnet.opensmAlarm().isEmpty());
        awaitLooks(5);

        assertThat(subnet.told()).isEqualTo(before + 1);
    }

    /** Nor one for every look when each has other words for it. */
    @Test
    void shouldTellOnceWhatIsSaidInOtherWordsEachTime() throws Exception {
        serve();
        long before = subnet.told();
        subnet.script(
                "discover", looked() + "head -c $((900 + $(wc -l <" + directory + "/looks))) " + directory + "/net");
        subnet.await("alarm", () -> !subnet.opensmAlarm().isEmpty());
        awaitLooks(5);

        assertThat(subnet.told()).isEqualTo(before + 1);
    }

    @Test
    void shouldNotBelieveOneLookThatLacksHalfTheFabric() throws Exception {
        serve();
        String before = dump();
        String half =
                Files.readString(directory.resolve("net")).lines().limit(20).reduce("", (a, b) -> a + b + "\n");
        assertThat(half).contains("Switch");
        String net = directory + "/net";
        // Only every second look lies.
        subnet.script(
                "discover",
                looked() + "if mkdir " + directory + "/odd 2>/dev/null; then\n" + lying(net) + "\nelse rmdir "
                        + directory + "/odd; exec cat " + net + "; fi");
        awaitLooks(6);

        assertThat(dump()).isEqualTo(before);
        assertThat(subnet.view().linkCount()).isEqualTo(8);
    }

    /** So many more are begun: all but the last have ended. */
    private void awaitLooks(int count) throws Exception {
        long before = looks();
        subnet.await(count + " looks", () -> looks() > before + count);
    }

    /** For the start of a script. */
    private String looked() {
        return "echo >>" + directory + "/looks\n";
    }

    private long looks() {
        try (var lines = Files.lines(directory.resolve("looks"))) {
            return lines.count();
        } catch (IOException e) {
            return 0; // None yet.
        }
    }

    /** All leaves lack their first uplink, on both sides. */
    private static String lying(String net) {
        return "exec sed -e '/^\\[5\\]/d' -e '/^Switch\\t4/,/^$/ { /^\\[/d }' " + net;
    }

    @Test
    void shouldTakeAwayAFileThatUsesADeadPortAndCannotBeReplaced() throws Exception {
        serve();
        Path prepared = subnet.dump.resolveSibling(
                "lfts.dump." + ProcessHandle.current().pid() + ".new");
        subnet.await(
                "what is prepared",
                () -> Files.exists(prepared) && subnet.bridge().calm());
        Files.delete(prepared);
        Path inTheWay = Files.createDirectories(prepared.resolve("x"));

        subnet.cutUplink(subnet.view());
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("cannot be written"));
        subnet.await("removal", () -> !Files.exists(subnet.dump));
        subnet.await("its alarm", () -> subnet.opensmAlarm().contains("it used a dead port"));

        Files.delete(inTheWay);
        Files.deleteIfExists(inTheWay.getParent()); // A write that fails just then takes it away, too.
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
        assertThat(subnet.holdsDesired()).isTrue();
    }

    @Test
    void shouldWaitForADirectoryThatIsNotThere() throws Exception {
        Files.delete(subnet.dump.getParent());
        subnet.start();
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("cannot be written"));

        Files.createDirectory(subnet.dump.getParent());
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
    }

    @Test
    void shouldTellThatOpenSmCannotBeTold() throws Exception {
        subnet.script("hup", "echo 'no such process' >&2; exit 1");
        Files.writeString(directory.resolve("held"), "");
        subnet.start();
        subnet.await("alarm", () -> subnet.opensmAlarm().contains("cannot be told"));
        assertThat(subnet.opensmAlarm()).contains("no such process");

        subnet.goodHup();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        subnet.awaitServed();
    }

    /** Long before it would be told once more. */
    @Test
    void shouldTellOpenSmWhenItsPidFileIsMended() throws Exception {
        Path pid = directory.resolve("pid");
        subnet.start(FakeSubnet.signallingBy(subnet.lookingAtSwitches(Duration.ofMinutes(1)), pid));
        subnet.await("alarm", () -> subnet.opensmAlarm().contains(pid + ": cannot be read (no such file)"));

        subnet.script("opensm", "trap " + directory + "/hup HUP\necho up\nread line || read line || :");
        Process opensm = new ProcessBuilder(directory.resolve("opensm").toString()).start();
        assertThat(opensm.inputReader().readLine()).isEqualTo("up");
        Files.writeString(pid, opensm.pid() + "\n");
        subnet.awaitServed();
        assertThat(subnet.opensmAlarm()).isEmpty();

        opensm.getOutputStream().close();
        opensm.waitFor();
    }

    @Test
    void shouldWriteTheLidsThatOpenSmDealsAnew() throws Exception {
        serve();
        assertThat(dump()).doesNotContain("0x0065 ");

        subnet.renumber(100);
        subnet.await("new LIDs", () -> subnet.read(subnet.dump).unknownGuids().isEmpty() && contains("0x0065 "));
        subnet.await("read back", () -> subnet.opensmAlarm().isEmpty() && subnet.holdsDesired());
        assertThat(dump()).doesNotContain("\n0x0001 ");
    }

    private boolean contains(String text) {
        try {
            return dump().contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldSignalNobodyAfterARestartWhenSwitchesHoldTheTables() throws Exception {
        serve();
        subnet.close();
        subnet.script("hup", "touch " + directory + "/told");

        subnet.start();
        subnet.awaitServed();

        assertThat(directory.resolve("told")).doesNotExist();
        assertThat(subnet.alarms()).isEmpty();
    }
}

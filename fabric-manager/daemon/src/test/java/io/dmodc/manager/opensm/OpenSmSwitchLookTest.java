package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole manager against a subnet of scripts, and an OpenSM that tells of a change, sweeps, and loads the dump by itself: the test is OpenSM. The
 * fabric is looked at every ten minutes only, so that all that happens is by the log.
 */
class OpenSmSwitchLookTest {
    @TempDir
    private Path directory = Path.of("");

    private FakeSubnet subnet;
    private FabricView whole;
    private Path log;

    @BeforeEach
    void serve() throws Exception {
        DrawnSubnet drawn = new DrawnSubnet("2;2,8;1,6;1,1");
        whole = drawn.view();
        String from = "# Initiated from node 02c0000000000000 port 02c0000000000001\n";
        subnet = new FakeSubnet(directory, from + drawn.text());
        log = Files.writeString(directory.resolve("opensm.log"), "");
        subnet.start(subnet.lookingAtSwitches());
        subnet.awaitServed();
        subnet.await(
                "the looks that are tried at the start", () -> lines("looked").size() == 8);
        Files.delete(directory.resolve("looked"));
        goodHup();
    }

    @AfterEach
    void close() throws InterruptedException {
        subnet.close();
    }

    private void goodHup() throws IOException {
        subnet.script(
                "hup",
                "echo >>" + directory + "/told; cp " + subnet.dump + " " + directory + "/held.new && mv " + directory
                        + "/held.new " + directory + "/held");
    }

    private void log(String line) throws IOException {
        Files.writeString(log, line + "\n", StandardOpenOption.APPEND);
    }

    private void linkChanged(int... lids) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int lid : lids) {
            lines.append(
                            "Nov 26 00:52:08 317184 [D8E5E6C0] 0x01 -> log_trap_info: Received Generic Notice type:1 num:128 (Link"
                                    + " state change) Producer:2 (Switch) from LID:")
                    .append(lid)
                    .append(" TID:0x0000000000000000\n");
        }
        Files.writeString(log, lines, StandardOpenOption.APPEND);
    }

    /** OpenSM loads the file once the tables for a lost switch are in it: on a machine that is busy the file is written without that switch before. */
    private void loadAll() throws Exception {
        subnet.await("all tables in the dump", subnet::dumpsDesired);
        load(dump());
    }

    /** OpenSM loads what the file holds, or what it has read of it already, sends it, and is done. */
    private void load(byte[] dump) throws IOException {
        Files.write(directory.resolve("held"), dump);
        log("-> osm_ucast_mgr_process: file tables configured on all switches");
        log("-> SUBNET UP");
    }

    private int leaf(int number) {
        int s = -1;
        for (int left = number; left >= 0; ) {
            s++;
            left -= whole.isLeaf(s) ? 1 : 0;
        }
        return s;
    }

    /** LIDs of the ends of the n-th cable of a leaf upward. */
    private int[] ends(int leaf, int uplink) {
        return new int[] {lid(leaf), lid(whole.peerSwitch(leaf, port(leaf, uplink)))};
    }

    private static int lid(int s) {
        return 1 + s;
    }

    private int port(int leaf, int uplink) {
        int port = 0;
        for (int left = uplink; left >= 0; ) {
            port++;
            left -= whole.peerSwitch(leaf, port) >= 0 ? 1 : 0;
        }
        return port;
    }

    private void cut(int leaf, int uplink) throws IOException {
        int port = port(leaf, uplink);
        subnet.cut(
                whole.switchGuid(leaf),
                port,
                whole.switchGuid(whole.peerSwitch(leaf, port)),
                whole.peerPort(leaf, port));
    }

    private byte[] dump() {
        try {
            return Files.readAllBytes(subnet.dump);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitAnother(Object file) throws Exception {
        subnet.await("another dump", () -> !subnet.dumpFile().equals(file));
    }

    private void awaitLinks(int count) throws Exception {
        subnet.await(
                count + " links", state -> state.view() != null && state.view().linkCount() == count);
        subnet.awaitServed();
    }

    private List<String> lines(String file) {
        Path path = directory.resolve(file);
        try {
            return Files.exists(path) ? Files.readAllLines(path) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void breakDiscovery() throws IOException {
        subnet.script("discover", "exit 1");
    }

    @Test
    void shouldHaveTheDumpReadyBeforeOpenSmLoadsItAndNotSignal() throws Exception {
        Object before = subnet.dumpFile();
        breakDiscovery(); // Nobody needs it until tables are in force.

        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        assertThat(lines("looked")).hasSize(2);
        load(dump());
        awaitLinks(47);

        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(lines("told")).isEmpty();
        assertThat(subnet.bridge().times()).last().satisfies(times -> {
            assertThat(times.signalledNanos()).isZero();
            assertThat(times.configuredNanos()).isPositive();
        });
        subnet.await("a look at all that fails", () -> subnet.opensmAlarm().contains("cannot be looked at"));
        subnet.goodDiscover();
        subnet.await("confirmed", () -> subnet.opensmAlarm().isEmpty());
        assertThat(subnet.view().linkCount()).isEqualTo(47);
        assertThat(lines("told")).isEmpty();
    }

    /** The cable that is lost is the one by which the leaf was reached. */
    @Test
    void shouldAskByAnotherPath() throws Exception {
        Object before = subnet.dumpFile();
        breakDiscovery();

        cut(leaf(3), 0);
        linkChanged(ends(leaf(3), 0));
        awaitAnother(before);
        load(dump());
        awaitLinks(47);

        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(lines("told")).isEmpty();
    }

    @Test
    void shouldTellOpenSmThatHadOpenedTheFileBefore() throws Exception {
        Object before = subnet.dumpFile();
        byte[] old;

        try (InputStream opened = Files.newInputStream(subnet.dump)) {
            cut(leaf(3), 1);
            linkChanged(ends(leaf(3), 1));
            awaitAnother(before);
            assertThat(lines("told")).isEmpty();
            old = opened.readAllBytes();
        }
        load(old);
        awaitLinks(47);

        assertThat(lines("told")).hasSize(1);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** Somebody else has read the new one. */
    @Test
    void shouldTellOpenSmWhenSwitchesHoldTheOldTablesNevertheless() throws Exception {
        Object before = subnet.dumpFile();
        byte[] old = dump();

        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        dump();
        load(old);
        awaitLinks(47);

        assertThat(lines("told")).hasSize(1);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    @Test
    void shouldTellOpenSmThatDoesNotSweep() throws Exception {
        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitLinks(47);

        assertThat(lines("told")).hasSize(1);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    @Test
    void shouldCorrectWhatItDidNotLookAt() throws Exception {
        Object before = subnet.dumpFile();

        subnet.cutBoth(cable(leaf(3), 1), cable(leaf(6), 2));
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        assertThat(subnet.view().linkCount()).isEqualTo(47);
        load(dump());
        awaitLinks(46);

        assertThat(lines("told")).hasSize(1);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** It is looked at as a whole, as something else has happened, too. */
    @Test
    void shouldAskNobodyWhetherASwitchIsLostWhoseNeighboursOpenSmsLogNames() throws Exception {
        int top = whole.peerSwitch(leaf(3), port(leaf(3), 1));
        int[] beside = IntStream.rangeClosed(1, whole.portCount(top))
                .map(port -> lid(whole.peerSwitch(top, port)))
                .toArray();
        subnet.kill(whole.switchGuid(top));

        linkChanged(IntStream.concat(IntStream.of(999), IntStream.of(beside)).toArray());
        awaitLinks(40);

        assertThat(directory.resolve("looked")).doesNotExist();
    }

    /** What discovery prints is of before the cable was lost. */
    @Test
    void shouldNotBelieveAnOldLookThatSwitchesContradict() throws Exception {
        Files.copy(directory.resolve("net"), directory.resolve("old"));
        subnet.script("discover", "exec cat " + directory + "/old");
        Object before = subnet.dumpFile();
        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);

        load(dump());

        subnet.await("alarm", () -> subnet.opensmAlarm().contains("is up in it, and its switch says that it is not"));
        assertThat(subnet.view().linkCount()).isEqualTo(47);
        assertThat(FakeSubnet.withoutGuids(Files.readString(subnet.dump)))
                .isEqualTo(FakeSubnet.withoutGuids(Files.readString(directory.resolve("held"))));
        assertThat(lines("told")).isEmpty();
        subnet.goodDiscover();
        subnet.await("an end of the alarm", () -> subnet.opensmAlarm().isEmpty());
        assertThat(subnet.view().linkCount()).isEqualTo(47);
    }

    /** However often discovery leaves it out. */
    @Test
    void shouldKeepASwitchThatAnswersThoughDiscoveryLeavesItOut() throws Exception {
        byte[] before = dump();
        subnet.kill(whole.switchGuid(leaf(3)));
        Files.copy(directory.resolve("net"), directory.resolve("part"));
        subnet.mend();
        subnet.script("discover", "exec cat " + directory + "/part");

        log("-> SUBNET UP");

        subnet.await("alarm", () -> subnet.opensmAlarm().contains("is not in it, and answers"));
        assertThat(dump()).isEqualTo(before);
        assertThat(subnet.view().linkCount()).isEqualTo(48);
        subnet.goodDiscover();
        subnet.await("an end of the alarm", () -> subnet.opensmAlarm().isEmpty());
        assertThat(dump()).isEqualTo(before);
    }

    /** It began before the cable was lost, and may know it or not. */
    @Test
    void shouldNotBelieveALookThatWasOvertaken() throws Exception {
        beOvertaken();
        Object mended = subnet.dumpFile();
        subnet.script("discover", "touch " + directory + "/confirmed; exec cat " + directory + "/net");
        Files.createFile(directory.resolve("end"));
        subnet.await("a look that confirms", () -> Files.exists(directory.resolve("confirmed")));

        assertThat(subnet.dumpFile()).isEqualTo(mended);
        assertThat(subnet.view().linkCount()).isEqualTo(47);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** Where a cable flaps, no look at all would count otherwise. */
    @Test
    void shouldAskNobodyWhileItLooksAgainAfterALookThatWasOvertaken() throws Exception {
        beOvertaken();
        subnet.script(
                "discover",
                "touch " + directory + "/again; while [ ! -e " + directory + "/end2 ]; do sleep 0.01; done; echo all >>"
                        + directory + "/looked; exec cat " + directory + "/net");
        Files.createFile(directory.resolve("end"));
        subnet.await("another look", () -> Files.exists(directory.resolve("again")));
        int looked = lines("looked").size();

        linkChanged(ends(leaf(3), 1));
        awaitRead();
        Files.createFile(directory.resolve("end2"));
        subnet.await("a look at who was named", () -> lines("looked").size() > looked + 1);

        assertThat(lines("looked").get(looked)).isEqualTo("all");
    }

    /** The log was read to its end, and what it names was asked if it is to be: the next file of its name cannot be opened, and the one after that is it again. */
    private void awaitRead() throws Exception {
        Path aside = Files.move(log, directory.resolve("aside"));
        Files.createDirectory(log);
        subnet.await("an alarm", () -> subnet.opensmAlarm().contains("log cannot be read"));
        Files.delete(log);
        Files.move(aside, log);
        subnet.await("its end", () -> !subnet.opensmAlarm().contains("log cannot be read"));
    }

    /** A look at all is under way until there is a file "end", and a cable was lost since it began. */
    private void beOvertaken() throws Exception {
        subnet.script(
                "discover",
                "cp " + directory + "/net " + directory + "/seen; touch " + directory + "/looking; while [ ! -e "
                        + directory + "/end ]; do sleep 0.01; done; exec cat " + directory + "/seen");
        log("-> SUBNET UP");
        subnet.await("a look", () -> Files.exists(directory.resolve("looking")));
        loseUplink();
    }

    /** It is gone, OpenSM's log says so, tables without it are there, and OpenSM has loaded them. */
    private void loseUplink() throws Exception {
        loseUplink(ends(leaf(3), 1));
    }

    private void loseUplink(int... named) throws Exception {
        Object before = subnet.dumpFile();
        cut(leaf(3), 1);
        linkChanged(named);
        awaitAnother(before);
        load(dump());
        awaitLinks(47);
    }

    private long[] cable(int leaf, int uplink) {
        int port = port(leaf, uplink);
        return new long[] {
            whole.switchGuid(leaf), port, whole.switchGuid(whole.peerSwitch(leaf, port)), whole.peerPort(leaf, port)
        };
    }

    @Test
    void shouldLookAtTheWholeFabricWhenASwitchDoesNotAnswer() throws Exception {
        subnet.script("look", "echo >>" + directory + "/looked; exit 1");

        loseUplink();

        assertThat(lines("looked")).isNotEmpty();
        assertThat(subnet.holdsDesired()).isTrue();
    }

    private void assertNamesGuids(boolean guids) {
        String text = new String(dump(), StandardCharsets.US_ASCII);
        assertThat(text.contains(" portguid ")).isEqualTo(guids);
    }

    @Test
    void shouldNameGuidsInTheDumpAgainWhenOpenSmHasLoadedIt() throws Exception {
        Object before = subnet.dumpFile();
        assertNamesGuids(true);
        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        assertNamesGuids(false);
        subnet.await("room of the dump before", () -> FakeSubnet.openThoughReplaced(subnet.dump) == 0);

        load(dump());
        awaitLinks(47);

        assertNamesGuids(true);
        assertThat(lines("told")).isEmpty();
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** It may have dealt LIDs that nobody has seen yet, and have no room for those that it had dealt before. */
    @Test
    void shouldNameGuidsAfterASweepUntilTheFabricWasLookedAt() throws Exception {
        subnet.script(
                "discover",
                "touch " + directory + "/looking; while [ ! -e " + directory + "/end ]; do sleep 0.01; done; exec cat "
                        + directory + "/net");
        log("-> SUBNET UP");
        subnet.await("a look", () -> Files.exists(directory.resolve("looking")));
        Object before = subnet.dumpFile();
        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        assertNamesGuids(true);

        Files.createFile(directory.resolve("end"));
        load(dump());
        awaitLinks(47);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** One that starts may deal others, long before this load is given up. */
    @Test
    void shouldNameGuidsAtOnceWhenOpenSmIsNotThereToLoadThem() throws Exception {
        subnet.script("hup", "exit 1");
        Object before = subnet.dumpFile();
        cut(leaf(3), 1);
        log("-> log_trap_info: Received Generic Notice type:1 num:129 (Local link integrity threshold reached)");
        awaitAnother(before);
        subnet.await("alarm", () -> !subnet.opensmAlarm().isEmpty());
        subnet.await("GUIDs", () -> new String(dump(), StandardCharsets.US_ASCII).contains(" portguid "));

        assertThat(subnet.bridge().calm()).isFalse();
        assertThat(subnet.opensmAlarm()).isNotEmpty();
    }

    /** It prints what its neighbour does. */
    @Test
    void shouldLookAtTheWholeFabricWhenAnotherSwitchAnswers() throws Exception {
        subnet.goodLook();
        String look = Files.readString(directory.resolve("look"));
        subnet.script("look", look.replace("path=\"$1\"", "path=0,1").substring("#!/bin/sh\n".length()));

        loseUplink();

        assertThat(lines("looked")).isNotEmpty();
        assertThat(subnet.holdsDesired()).isTrue();
    }

    @Test
    void shouldLookAtTheWholeFabricWhenTheLogNamesASwitchThatIsNotKnown() throws Exception {
        loseUplink(999);

        assertThat(lines("looked")).as("asked whether what was seen is so").hasSize(2);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** It is confirmed by a look at all, which is taken for nothing new. */
    @Test
    void shouldTellThatACableIsBackByItsEnds() throws Exception {
        loseUplink();
        breakDiscovery();
        Object before = subnet.dumpFile();

        subnet.mend();
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        load(dump());
        awaitLinks(48);
        assertThat(subnet.holdsDesired()).isTrue();
        long epoch = subnet.now().epoch();

        subnet.await("a look at all that fails", () -> subnet.opensmAlarm().contains("cannot be looked at"));
        subnet.goodDiscover();
        subnet.await("confirmed", () -> subnet.opensmAlarm().isEmpty());
        assertThat(subnet.now().epoch()).isEqualTo(epoch);
    }

    /** A cable is back, the tables of the first round are in the dump, and the first reading of a switch is noted with the dump that was there. */
    private Object bringBack(String route) throws Exception {
        loseUplink();
        subnet.script(
                "route",
                "echo \"$1 $(" + FakeSubnet.DUMP_FILE + " " + subnet.dump + ")\" >>" + directory + "/read\n" + route);
        Object before = subnet.dumpFile();
        subnet.mend();
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        return subnet.dumpFile();
    }

    private String goodRoute() throws IOException {
        subnet.goodRoute();
        return Files.readString(directory.resolve("route")).substring("#!/bin/sh\n".length());
    }

    /** LIDs of switches that were asked while this was the dump. */
    private List<Integer> readWith(Object dump) {
        return read(file -> file.equals(dump.toString()));
    }

    /** Likewise while it was not any more. */
    private List<Integer> readAfter(Object dump) {
        return read(file -> !file.equals(dump.toString()));
    }

    private List<Integer> read(Predicate<String> file) {
        return lines("read").stream()
                .map(line -> line.split(" "))
                .filter(line -> file.test(line[1]))
                .map(line -> Integer.parseInt(line[0]))
                .distinct()
                .toList();
    }

    /** The switch above has to know the way to the leaf before others send there by it: the rest is read when all tables are there. */
    @Test
    void shouldReadBetweenTwoRoundsOnlyWhomTheSecondWaitsFor() throws Exception {
        Object first = bringBack(goodRoute());
        load(dump());
        awaitAnother(first);
        awaitLinks(48);

        assertThat(readWith(first)).containsExactly(ends(leaf(3), 1)[1]);
        assertThat(readAfter(first)).hasSize(14);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** Nothing counts as in force that was not read. */
    @Test
    void shouldBeginNoRoundBeforeWhomItWaitsForHasAnswered() throws Exception {
        String route = goodRoute();
        int awaited = ends(leaf(3), 1)[1];
        Object first = bringBack("[ $1 = " + awaited + " ] && [ ! -e " + directory + "/answers ] && exit 1\n" + route);
        load(dump());
        subnet.await("a reading of all", () -> readWith(first).size() == 14);
        int read = lines("read").size();
        subnet.await("that it is asked again and again", () -> lines("read").size() > read + 1);
        assertThat(subnet.dumpFile()).isEqualTo(first);

        Files.createFile(directory.resolve("answers"));
        awaitAnother(first);
        awaitLinks(48);
        assertThat(subnet.holdsDesired()).isTrue();
    }

    /** OpenSM has swept, and what it swept for is not known yet: tables may be about to come, and whoever reads is in the way of who looks. */
    @Test
    void shouldReadNoSwitchBeforeTheFabricWasLookedAt() throws Exception {
        Path looking = directory.resolve("looking");
        Path end = directory.resolve("end");
        subnet.goodRoute();
        String route = Files.readString(directory.resolve("route"));
        subnet.script("route", "touch " + directory + "/read\n" + route.substring("#!/bin/sh\n".length()));
        subnet.script(
                "discover",
                "touch " + looking + "; while [ ! -e " + end + " ]; do sleep 0.01; done; exec cat " + directory
                        + "/net");

        load(dump());
        subnet.await("a look", () -> Files.exists(looking));
        assertThat(directory.resolve("read")).doesNotExist();

        Files.createFile(end);
        subnet.await("a reading", () -> Files.exists(directory.resolve("read")));
    }

    /** Switches that are asked meanwhile, and tables that wait for OpenSM, do not put it off. */
    @Test
    void shouldLookAtTheWholeFabricAgainAfterALookThatFailed() throws Exception {
        Path confirmed = directory.resolve("confirmed");
        breakDiscovery();
        linkChanged(999);
        subnet.await("a look that fails", () -> subnet.opensmAlarm().contains("cannot be looked at"));
        Object before = subnet.dumpFile();

        cut(leaf(3), 1);
        linkChanged(ends(leaf(3), 1));
        awaitAnother(before);
        subnet.script("discover", "touch " + confirmed + "; exec cat " + directory + "/net");
        subnet.await("a look", () -> Files.exists(confirmed));

        assertThat(lines("told")).isEmpty();
    }

    @Test
    void shouldTellThatASwitchIsGoneByAllItsNeighbours() throws Exception {
        Object before = subnet.dumpFile();
        breakDiscovery();
        int top = whole.peerSwitch(leaf(3), port(leaf(3), 1));

        subnet.kill(whole.switchGuid(top));
        linkChanged(lid(leaf(3)));
        awaitAnother(before);
        loadAll();
        awaitLinks(40);

        assertThat(new String(dump(), StandardCharsets.US_ASCII).split("Unicast lids"))
                .hasSize(1 + 13);
        assertThat(lines("told")).isEmpty();
        assertThat(subnet.holdsDesired()).isTrue();
    }
}

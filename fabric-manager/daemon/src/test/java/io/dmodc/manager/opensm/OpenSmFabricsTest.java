package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.ibnet.LidMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole manager against subnets of scripts that are cabled as real ones are. */
class OpenSmFabricsTest {
    @TempDir
    private Path directory = Path.of("");

    private final DrawnSubnet drawn = new DrawnSubnet(FakeSubnet.PGFT);
    private @Nullable FakeSubnet started;

    @AfterEach
    void close() throws InterruptedException {
        if (started != null) {
            started.close();
        }
    }

    private FakeSubnet served(String text) throws Exception {
        FakeSubnet subnet = new FakeSubnet(directory, text);
        started = subnet;
        subnet.start();
        subnet.awaitServed();
        return subnet;
    }

    private long leaf() {
        return switchOfRank(0);
    }

    private long top() {
        return switchOfRank(1);
    }

    private long switchOfRank(int rank) {
        FabricView view = drawn.view();
        int s = 0;
        while (view.rank(s) != rank) {
            s++;
        }
        return view.switchGuid(s);
    }

    /** Sections of a dump by the GUID in their head, without it: LIDs may be other ones. */
    private static Map<String, String> sections(Path dump) throws IOException {
        return Arrays.stream(Files.readString(dump).split("(?=Unicast)"))
                .collect(Collectors.toMap(
                        text -> text.replaceAll("(?s).* guid (0x[0-9a-f]{16}).*", "$1"),
                        text -> text.substring(text.indexOf('\n')),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    private static void assertReachable(FakeSubnet subnet, long fromGuid, long hostGuid) {
        FabricView view = subnet.view();
        int node = 0;
        while (view.nodeGuid(node) != hostGuid) {
            node++;
        }
        int at = view.switchOf(fromGuid);
        for (int hops = 0; hops < 5; hops++) {
            int port = subnet.held().nodeTables().port(at, node);
            assertThat(port).as("port of " + view.switchName(at)).isBetween(1, view.portCount(at));
            if (view.peerNode(at, port) == node) {
                return;
            }
            at = view.peerSwitch(at, port);
            assertThat(at).as("what port " + port + " leads to").isNotNegative();
        }
        throw new AssertionError("no end in 5 hops to " + Guid.format(hostGuid));
    }

    /** Ports of hosts have two LIDs each, as with lmc 1. */
    private String twoLidsEach() throws IOException {
        FabricView view = drawn.view();
        LidMap lids = new LidMap();
        for (int node = 0; node < view.nodeCount(); node++) {
            lids.put(view.nodeGuid(node), 0x100 + 2 * node, 1);
        }
        return drawn.text(lids);
    }

    @Test
    void shouldWriteAnEntryForEachLidOfAPort() throws Exception {
        FakeSubnet subnet = served(twoLidsEach());

        for (String section : sections(subnet.dump).values()) {
            Map<String, List<String>> byPort = section.lines()
                    .filter(line -> line.contains("portguid 0x02c0"))
                    .collect(Collectors.groupingBy(
                            line -> line.replaceAll(".*portguid (\\S+):.*", "$1"),
                            Collectors.mapping(line -> line.substring(7, 10), Collectors.toList())));
            assertThat(byPort)
                    .hasSize(16)
                    .allSatisfy((guid, ports) -> assertThat(ports).hasSize(2).containsOnly(ports.get(0)));
        }
        assertThat(subnet.opensmAlarm()).isEmpty();
        subnet.await("LIDs", () -> Files.exists(directory.resolve("guid2lid")));
        assertThat(Files.readString(directory.resolve("guid2lid"))).contains(" 0x0100 0x0101\n");
    }

    @Test
    void shouldCompareTheFurtherLidsOfAPortToo() throws Exception {
        FakeSubnet subnet = new FakeSubnet(directory, twoLidsEach());
        started = subnet;
        subnet.script(
                "route",
                "awk -v head=\"switch Lid $1 guid\" '/^Unicast/ { on = index($0, head) } on' " + directory
                        + "/held | sed '/^0x0101/ s/ 00[0-9]/ 009/'");
        subnet.start();

        subnet.await("alarm", () -> subnet.opensmAlarm().contains("LID 257 leads to port 9, written is port"));
    }

    /** SHARP: every switch has an adapter inside, and spines are no leaves for it. */
    @Test
    void shouldRouteToAggregationNodes() throws Exception {
        FabricView view = drawn.view();
        long[] inside = new long[view.switchCount()];
        for (int s = 0; s < inside.length; s++) {
            inside[s] =
                    drawn.addHost(view.switchGuid(s), "Mellanox Technologies Aggregation Node", Host.Kind.AGGREGATION);
        }

        FakeSubnet subnet = served(drawn.text());

        assertThat(subnet.alarms()).isEmpty();
        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(subnet.view().leafCount()).isEqualTo(4);
        for (int s = 0; s < view.switchCount(); s++) {
            for (int to = 0; to < view.switchCount(); to++) {
                boolean legal = s == to || view.rank(s) != 1 || view.rank(to) != 1;
                if (legal) {
                    assertReachable(subnet, view.switchGuid(s), inside[to]);
                }
            }
        }
    }

    @Test
    void shouldRouteToHostsOnUpperSwitches() throws Exception {
        long manager = drawn.addHost(top(), "subnet-manager", Host.Kind.HOST);

        FakeSubnet subnet = served(drawn.text());

        assertThat(subnet.opensmAlarm()).isEmpty();
        assertThat(subnet.view().leafCount()).isEqualTo(4);
        FabricView view = subnet.view();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.isLeaf(s)) {
                assertReachable(subnet, view.switchGuid(s), manager);
            }
        }
        assertReachable(subnet, top(), subnet.view().nodeGuid(0));
    }

    @Test
    void shouldServeTwoPartsAndLeaveAloneThatWithoutAFault() throws Exception {
        FakeSubnet subnet = served(drawn.twice().text());
        assertThat(subnet.opensmAlarm()).isEmpty();
        assertThat(subnet.view().partCount()).isEqualTo(2);
        assertThat(subnet.holdsDesired()).isTrue();
        Map<String, String> before = sections(subnet.dump);
        assertThat(before).hasSize(12);

        FabricView view = subnet.view();
        int leaf = view.switchOf(leaf());
        int port = 1;
        while (view.peerSwitch(leaf, port) < 0) {
            port++;
        }
        int above = view.peerSwitch(leaf, port);
        subnet.cut(leaf(), port, view.switchGuid(above), view.peerPort(leaf, port));
        subnet.await("lost cable", state -> subnet.view().linkCount() == 15);
        subnet.awaitServed();

        assertThat(subnet.holdsDesired()).isTrue();
        Map<String, String> after = sections(subnet.dump);
        assertThat(after).isNotEqualTo(before);
        after.forEach((guid, section) -> {
            if ((Long.parseUnsignedLong(guid.substring(2), 16) & DrawnSubnet.SECOND_PART) != 0) {
                assertThat(section).isEqualTo(before.get(guid));
            }
        });
    }

    @Test
    void shouldServePartsThatAreJoined() throws Exception {
        FakeSubnet subnet = served(drawn.twice().text());
        drawn.addCable(leaf(), top() + DrawnSubnet.SECOND_PART);
        drawn.addCable(leaf() + DrawnSubnet.SECOND_PART, top());

        subnet.put(drawn.text());
        subnet.await("cables between the parts", state -> subnet.view().linkCount() == 18);
        subnet.awaitServed();

        assertThat(subnet.view().partCount()).isEqualTo(1);
        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(subnet.opensmAlarm()).isEmpty();
        long far = subnet.view().nodeGuid(0) | DrawnSubnet.SECOND_PART;
        assertReachable(subnet, leaf(), far);
    }

    /** Its port is down then, and the entry for it must not count as one that loses packets. */
    @Test
    void shouldWriteADumpWithoutAHostThatIsSwitchedOff() throws Exception {
        FakeSubnet subnet = served(drawn.text());
        String host = hostDigits(subnet);
        String before = Files.readString(subnet.dump);
        String gone = entry(before, subnet, 0);

        subnet.put(without(host));
        subnet.await("a dump without it", () -> lacks(subnet.dump, gone));
        subnet.awaitServed();
        subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());

        subnet.put(drawn.text());
        subnet.await("the dump as it was", () -> readable(subnet.dump).equals(before));
        subnet.await("that in the switches", () -> subnet.holdsDesired());
    }

    /** What is drawn, without the host of these digits. */
    private String without(String host) throws IOException {
        return without(drawn.text(), host);
    }

    private static String without(String text, String host) {
        return text.replaceAll("(?m)^\\[\\d+]\t\"H-" + host + ".*\n", "")
                .replaceAll("(?s)vendid[^\n]*\n[^\n]*\n[^\n]*\ncaguid=0x" + host + ".*?\n\n", "");
    }

    /** {@code ibnetdiscover} leaves it out when one packet is lost, complains, and ends with 0. */
    @Test
    void shouldNotCutOffAHostThatOneLookLeavesOutWithAComplaint() throws Exception {
        FakeSubnet subnet = served(drawn.text());
        String gone = entry(Files.readString(subnet.dump), subnet, 0);
        Object before = subnet.dumpFile();
        Path lacking = Files.writeString(directory.resolve("lacking"), without(hostDigits(subnet)));
        Path looks = directory.resolve("looks");
        String lies = "echo 'umad (DR path 0,1 Attr 0x15:1) bad status 110' >&2; exec cat " + lacking;
        // Only the first of them lies; the next takes longer than a host that is lost stays in the dump.
        subnet.script(
                "discover",
                "echo >>" + looks + "; [ $(wc -l <" + looks + ") -gt 1 ] || { " + lies + "; }\nsleep 0.7; exec cat "
                        + directory + "/net");
        subnet.await("looks", () -> readable(looks).length() > 2);

        assertThat(subnet.dumpFile()).isEqualTo(before);
        subnet.script("discover", lies);
        subnet.await("a dump without it", () -> lacks(subnet.dump, gone));
    }

    /** Of a switch that hangs {@code ibnetdiscover} complains each time, while others come and go. */
    @Test
    void shouldBelieveThatAHostIsGoneWhichNoneOfManyLooksShows() throws Exception {
        FakeSubnet subnet = served(drawn.text());
        String before = readable(subnet.dump);
        String gone = entry(before, subnet, 0);

        eachLookLacksAnotherHost(subnet, without(hostDigits(subnet, 0)));
        subnet.await("a dump without it", () -> lacks(subnet.dump, gone));

        for (int other = 1; other <= 3; other++) {
            assertThat(readable(subnet.dump)).contains(entry(before, subnet, other));
        }
        subnet.awaitServed();
        assertThat(subnet.opensmAlarm()).isEmpty();
    }

    /** True if no line of it begins so, whether it names port GUIDs or LIDs only. */
    private static boolean lacks(Path dump, String entry) {
        String text = readable(dump);
        return !text.isEmpty() && !text.contains(entry);
    }

    /** How lines begin that lead to a node. */
    private static String entry(String dump, FakeSubnet subnet, int node) {
        String line = dump.lines()
                .filter(each ->
                        each.contains("portguid " + Guid.format(subnet.view().nodeGuid(node))))
                .findFirst()
                .orElseThrow();
        return "\n" + line.substring(0, line.indexOf(' ') + 1);
    }

    /** Packets are lost: what one look leaves out another one shows. */
    @Test
    void shouldCutOffNobodyWhomLooksLeaveOutInTurnAndSayNothing() throws Exception {
        FakeSubnet subnet = served(drawn.text());
        Object before = subnet.dumpFile();
        long told = subnet.told();

        eachLookLacksAnotherHost(subnet, drawn.text());
        subnet.await("looks", () -> readable(directory.resolve("looks")).length() >= 12);

        assertThat(subnet.dumpFile()).isEqualTo(before);
        assertThat(subnet.told()).isEqualTo(told);
    }

    private void eachLookLacksAnotherHost(FakeSubnet subnet, String text) throws Exception {
        for (int other = 0; other < 3; other++) {
            Files.writeString(directory.resolve("lacking" + other), without(text, hostDigits(subnet, 1 + other)));
        }
        Path looks = directory.resolve("looks");
        subnet.script(
                "discover",
                "echo >>" + looks + "; echo 'umad (DR path 0,1 Attr 0x11:0) bad status 110' >&2; exec cat " + directory
                        + "/lacking$(($(wc -l <" + looks + ") % 3))");
    }

    private static String hostDigits(FakeSubnet subnet) {
        return hostDigits(subnet, 0);
    }

    private static String hostDigits(FakeSubnet subnet, int node) {
        return Guid.digits(Objects.requireNonNull(subnet.view().host(node)).hostGuid());
    }

    private static String readable(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void shouldTakeASwitchWithMorePortsForAnotherOne() throws Exception {
        FakeSubnet subnet = served(drawn.text());
        long grown = leaf();
        long host = drawn.addHost(grown, "late", Host.Kind.HOST);

        subnet.put(drawn.text());
        subnet.await("the host", state -> subnet.view().nodeCount() == 17);
        subnet.awaitServed();

        assertThat(subnet.view().portCount(subnet.view().switchOf(grown))).isEqualTo(7);
        assertThat(subnet.holdsDesired()).isTrue();
        assertThat(subnet.opensmAlarm()).isEmpty();
        assertReachable(subnet, top(), host);
    }
}

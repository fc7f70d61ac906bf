package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A plane over a real kernel: a namespace with three ports, whose far ends are in another one. */
class LinuxPlaneTest {
    private static final BitSet NOTHING = new BitSet();

    private ThreePorts ports;
    private Namespaces net;

    @TempDir
    private Path state;

    @BeforeEach
    void build() throws IOException {
        ports = ThreePorts.open();
        net = ports.net;
    }

    @AfterEach
    void tearDown() throws IOException {
        if (ports != null) {
            ports.close();
        }
    }

    private PlaneRig rig(@Nullable Path stateDir) throws PlaneException, IOException {
        return ports.rig(stateDir, true);
    }

    private String routes() throws IOException {
        return net.in("s", "ip", "route", "show") + net.in("s", "ip", "-6", "route", "show");
    }

    @Test
    void shouldWriteEntriesAsRoutesOfBothFamilies() throws Exception {
        try (PlaneRig rig = rig(null)) {
            assertThat(rig.readBack()).isEqualTo(InstalledTable.NONE);
            rig.destinations(3, true);

            rig.install(1, 2, 255);

            assertThat(routes().lines()
                            .filter(line -> line.contains("201"))
                            .map(line -> line.replaceAll(" +", " ").strip()))
                    .containsExactlyInAnyOrder(
                            "10.100.0.1 via 169.254.0.1 dev p1 proto 201 onlink",
                            "10.100.0.2 via 169.254.0.1 dev p2 proto 201 onlink",
                            "fd00::1 via fe80::1 dev p1 proto 201 metric 1024 onlink pref medium",
                            "fd00::2 via fe80::1 dev p2 proto 201 metric 1024 onlink pref medium");
            assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent"))
                    .contains("169.254.0.1 dev p1 lladdr " + net.mac("far", "q1"))
                    .contains("fe80::1 dev p2 lladdr " + net.mac("far", "q2"));
        }
    }

    @Test
    void shouldWriteNothingAfterARestartWhenNothingDiffers() throws Exception {
        InstalledTable before;
        try (PlaneRig rig = rig(state)) {
            rig.readBack();
            rig.destinations(200, true);
            int[] ports = new int[200];
            Arrays.setAll(ports, d -> 1 + d % 3);
            rig.install(ports);
            before = rig.readBack();
        }

        try (PlaneRig rig = rig(state)) {
            long atStart = rig.plane.linesWritten();
            InstalledTable read = rig.readBack();
            assertThat(read.version()).isEqualTo(new TableVersion(1, 1));
            assertThat(read.entries()).isEqualTo(before.entries());
            rig.destinations(200, true);
            rig.tell(Alternatives.NONE);
            assertThat(rig.plane.linesWritten()).isEqualTo(atStart);
        }
    }

    @Test
    void shouldWriteDifferencesOnly() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(4, false);
            rig.install(1, 1, 2, 2);
            long before = rig.plane.linesWritten();

            rig.install(1, 3, 2, 255);

            assertThat(rig.plane.linesWritten() - before).isEqualTo(2); // one moved, one gone
            assertThat(routes()).contains("10.100.0.2 via 169.254.0.1 dev p3").doesNotContain("10.100.0.4 ");
        }
    }

    @Test
    void shouldTakeTheRouteOfAnOldAddressAway() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, false);
            rig.install(1, 2);
            Destination moved = new Destination(0x100, "node0", HostAddresses.parse(0, "10.100.7.7", null, null));
            rig.destinations(Destinations.of(2, d -> d == 0 ? moved : PlaneRig.destination(1, false)));

            rig.tell(Alternatives.NONE);

            assertThat(routes()).contains("10.100.7.7 via 169.254.0.1 dev p1").doesNotContain("10.100.0.1 ");
        }
    }

    @Test
    void shouldNameHostsOfOneAddressOnceAndLeaveItsRouteToTheLowest() throws Exception {
        try (Warnings warnings = new Warnings();
                PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(Destinations.of(
                    3,
                    d -> new Destination(
                            0x100 + d,
                            "node" + d,
                            PlaneRig.destination(Math.min(d, 1), false).addresses())));
            rig.install(2, 1, 2);
            long written = rig.plane.linesWritten();

            rig.install(2, 1, 1);
            rig.tell(Alternatives.NONE);
            rig.install(2, 1, 2);

            assertThat(routes()).contains("10.100.0.2 via 169.254.0.1 dev p1");
            assertThat(rig.plane.linesWritten()).as("nothing flaps").isEqualTo(written);
            assertThat(warnings.told())
                    .containsExactly("switch 0x0000000000000007: entry 1 (node1) gets the packets to 10.100.0.2,"
                            + " which is also said by entry 2 (node2); expected one host of an address");
            rig.install(2, 255, 2);
            assertThat(routes()).contains("10.100.0.2 via 169.254.0.1 dev p2");
        }
    }

    /** What the plane warns of meanwhile. */
    private static final class Warnings implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger(LinuxPlane.class);
        private final ListAppender<ILoggingEvent> log = new ListAppender<>();

        Warnings() {
            log.start();
            logger.addAppender(log);
        }

        List<String> told() {
            return log.list.stream()
                    .filter(event -> event.getLevel() == Level.WARN)
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }

        @Override
        public void close() {
            logger.detachAppender(log);
        }
    }

    /** Carrier stays, and nothing is looked at again for a minute. */
    @Test
    void shouldWriteTheNeighbourAgainAsSoonAsTheFarEndSaysAnotherMac() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(1, true);
            rig.install(1);
            long written = rig.plane.linesWritten();
            long began = System.nanoTime();

            rig.cabling.set(1, new FarEnd(new SwitchPort(0x21, 1), "02:00:00:00:00:99"));

            PlaneRig.eventually(
                    "the new one",
                    () -> assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent"))
                            .contains("169.254.0.1 dev p1 lladdr 02:00:00:00:00:99")
                            .contains("fe80::1 dev p1 lladdr 02:00:00:00:00:99"));
            assertThat(System.nanoTime() - began).isLessThan(KernelAudit.PERIOD_NANOS / 2);
            assertThat(rig.plane.linesWritten()).as("no route").isEqualTo(written);
        }
    }

    @Test
    void shouldRemoveLeftRoutesThatNoTableNamesOnceThereIsATable() throws Exception {
        net.in("s", "ip", "route", "add", "10.100.9.9/32", "via", "169.254.0.1", "dev", "p2", "onlink", "proto", "201");
        net.in("s", "ip", "route", "add", "10.100.0.1/32", "via", "169.254.0.1", "dev", "p2", "onlink", "proto", "201");
        net.in("s", "ip", "route", "add", "10.100.8.8/32", "dev", "p2", "proto", "static");
        try (PlaneRig rig = rig(null)) {
            assertThat(rig.readBack()).isEqualTo(InstalledTable.NONE);
            assertThat(routes()).contains("10.100.9.9");
            rig.destinations(1, false);

            rig.install(1);

            assertThat(routes())
                    .contains("10.100.0.1 via 169.254.0.1 dev p1")
                    .contains("10.100.8.8 dev p2")
                    .doesNotContain("10.100.9.9");
        }
    }

    @Test
    void shouldNeverTouchARouteOfSomebodyElse() throws Exception {
        net.in("s", "ip", "route", "add", "10.100.0.1/32", "dev", "p2", "proto", "static");
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(3, false);
            net.in("s", "ip", "route", "add", "10.100.0.2/32", "dev", "p2", "proto", "186", "metric", "7");

            assertThatThrownBy(() -> rig.install(1, 255, 3))
                    .isInstanceOf(PlaneException.class)
                    .hasMessage(
                            "entry 0, node0, 10.100.0.1: the kernel has a route of protocol 4 for it, which is not touched");
            assertThat(routes()).contains("10.100.0.1 dev p2 proto static", "10.100.0.3 via 169.254.0.1 dev p3");
            assertThat(rig.readBack().entries()).containsExactly(255, 255, 3);
            assertThatThrownBy(() -> rig.install(255, 1, 3)).hasMessageContaining("protocol 186 and metric 7");
            assertThat(routes()).contains("10.100.0.1 dev p2 proto static", "10.100.0.2 dev p2 proto bgp");
        }
    }

    /** Of so short frames the kernel takes neither the IPv6 route of host 0 nor the IPv6 neighbour of its port. */
    @Test
    void shouldHarmNothingElseWhereAPortTakesNoIpv6() throws Exception {
        net.in("s", "ip", "link", "set", "p1", "mtu", "1279");
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(3, true);

            assertThatThrownBy(() -> rig.install(1, 2, 3))
                    .isInstanceOf(PlaneException.class)
                    .hasMessageStartingWith("entry 0, node0, fd00::1: ");
            assertThat(rig.readBack().entries()).containsExactly(255, 2, 3);
            rig.plane.linesWritten(); // behind what a reading has written

            assertThat(routes())
                    .contains("10.100.0.1 via 169.254.0.1 dev p1", "fd00::2 via fe80::1 dev p2")
                    .doesNotContain("fd00::1 ");
            assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent"))
                    .contains("169.254.0.1 dev p1 lladdr " + net.mac("far", "q1"))
                    .contains("169.254.0.1 dev p3 lladdr " + net.mac("far", "q3"))
                    .contains("fe80::1 dev p3 lladdr " + net.mac("far", "q3"));
            rig.install(255, 2, 3);
            assertThat(routes()).doesNotContain("10.100.0.1 ");
        }
    }

    @Test
    void shouldWriteAgainWhatAPortLostWhileItWasDown() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, true);
            rig.install(1, 2);

            net.in("s", "ip", "link", "set", "p1", "down");
            PlaneRig.eventually(
                    "port 1 is down",
                    () -> assertThat(rig.plane.portState(1).up()).isFalse());
            assertThat(rig.readBack().entries()).containsExactly(1, 2);
            assertThat(routes()).doesNotContain("10.100.0.1 ");
            net.in("s", "ip", "link", "set", "p1", "up");

            PlaneRig.eventually(
                    "routes are back",
                    () -> assertThat(routes())
                            .contains("10.100.0.1 via 169.254.0.1 dev p1", "fd00::1 via fe80::1 dev p1"));
            assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent")).contains("169.254.0.1 dev p1 lladdr");
        }
    }

    /** The kernel takes all neighbours of such an interface away, permanent ones too, and says nothing of them. */
    @Test
    void shouldWriteTheNeighboursAgainWhereAPortGetsAnotherAddress() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, false);
            rig.install(1, 2);
            String neighbour = "169.254.0.1 dev p1 lladdr " + net.mac("far", "q1");
            assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent")).contains(neighbour);
            net.in("s", "ip", "route", "del", "10.100.0.2/32", "proto", "201");

            net.in("s", "ip", "link", "set", "p1", "address", "02:00:00:00:00:77");

            PlaneRig.eventually(
                    "it is back",
                    () -> assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent"))
                            .contains(neighbour));
            assertThat(routes())
                    .as("it did not wait for an audit, which writes this, too")
                    .doesNotContain("10.100.0.2 ");
        }
    }

    @Test
    void shouldFollowAnInterfaceThatIsRenamedOrDeletedAndMadeAgain() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, false);
            rig.install(1, 2);

            net.in("s", "ip", "link", "set", "p1", "down");
            net.in("s", "ip", "link", "set", "p1", "name", "old1");
            net.in("s", "ip", "link", "del", "p2");
            PlaneRig.eventually(
                    "both are down",
                    () -> assertThat(rig.plane.ports()).noneMatch(port -> port.number() < 3 && port.up()));
            net.cable("s", "p1", "far", "r1");
            net.cable("s", "p2", "far", "q2");
            rig.cabling.set(1, new FarEnd(new SwitchPort(0x21, 1), net.mac("far", "r1")));
            rig.cabling.set(2, new FarEnd(new SwitchPort(0x22, 1), net.mac("far", "q2")));

            PlaneRig.eventually(
                    "routes are back",
                    () -> assertThat(routes())
                            .contains("10.100.0.1 via 169.254.0.1 dev p1", "10.100.0.2 via 169.254.0.1 dev p2"));
            PlaneRig.eventually(
                    "with their neighbours",
                    () -> assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent"))
                            .contains(
                                    "dev p1 lladdr " + net.mac("far", "r1"), "dev p2 lladdr " + net.mac("far", "q2")));
        }
    }

    @Test
    void shouldHoldEntriesOfAPortWithoutInterfaceUntilThereIsOne() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, false);
            rig.install(4, 1);
            assertThat(rig.readBack().entries()).containsExactly(4, 1);
            assertThat(rig.plane.portState(4).up()).isFalse();

            net.cable("s", "p4", "far", "q4");

            PlaneRig.eventually(
                    "it is written", () -> assertThat(routes()).contains("10.100.0.1 via 169.254.0.1 dev p4"));
        }
    }

    @Test
    void shouldWatchInterfacesAgainWhenTheMonitorEnded() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(1, false);
            rig.install(1);
            List<ProcessHandle> monitors = ProcessHandle.current()
                    .descendants()
                    .filter(child -> child.info().commandLine().orElse("").endsWith("monitor link"))
                    .toList();
            assertThat(monitors).hasSize(1);

            monitors.get(0).destroyForcibly();
            monitors.get(0).onExit().join();
            net.in("s", "ip", "link", "set", "p1", "down");
            net.in("s", "ip", "link", "set", "p1", "up");

            PlaneRig.eventually(
                    "what was missed is found",
                    () -> assertThat(routes()).contains("10.100.0.1 via 169.254.0.1 dev p1"));
            net.in("far", "ip", "link", "set", "q1", "down");
            PlaneRig.eventually(
                    "news is heard again",
                    () -> assertThat(rig.plane.portState(1).up()).isFalse());
        }
    }

    /** As overlooked news does, and a minute: all interfaces, routes and settings are looked at. */
    private static void audit() {
        List<ProcessHandle> monitors = ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().commandLine().orElse("").endsWith("monitor link"))
                .toList();
        assertThat(monitors).hasSize(1);
        monitors.get(0).destroyForcibly();
    }

    @Test
    void shouldTellThatSomebodyElseTookTheRouteOfAnEntry() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(LinuxPlane.class);
        logger.addAppender(log);
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, false);
            rig.install(1, 2);
            net.in("s", "ip", "route", "replace", "10.100.0.1/32", "dev", "p2", "proto", "static");

            audit();

            assertThat(rig.losses.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isNotNull();
            net.in("s", "ip", "route", "del", "10.100.0.2/32", "proto", "201");
            PlaneRig.eventually("another audit", LinuxPlaneTest::audit);
            PlaneRig.eventually(
                    "what else is missing is written by it",
                    () -> assertThat(routes()).contains("10.100.0.2 "));
            rig.plane.linesWritten(); // behind what it writes
            assertThat(rig.losses).as("once").isEmpty();
            assertThat(rig.readBack().entries()).containsExactly(255, 2);
            assertThat(routes()).contains("10.100.0.1 dev p2 proto static");
            assertThat(log.list)
                    .filteredOn(event -> event.getFormattedMessage().contains("10.100.0.1"))
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "switch 0x0000000000000007: entry 0, 10.100.0.1: the kernel has a route of protocol 4"
                                    + " for it, which is not touched");
        } finally {
            logger.detachAppender(log);
        }
    }

    /** As routing daemons write them. Of IPv4 none comes before ours. */
    @Test
    void shouldTellThatTheRouteOfSomebodyElseComesBeforeThatOfAnEntry() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            rig.destinations(2, true);
            rig.install(1, 2);
            net.in("s", "ip", "-6", "route", "add", "fd00::1/128", "dev", "p2", "proto", "186", "metric", "20");
            net.in("s", "ip", "route", "add", "10.100.0.2/32", "dev", "p2", "proto", "186", "metric", "20");

            audit();

            assertThat(rig.losses.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isNotNull();
            assertThat(rig.readBack().entries()).containsExactly(255, 2);
            rig.plane.linesWritten(); // behind what a reading has written
            assertThat(routes())
                    .contains("fd00::1 dev p2 proto bgp metric 20", "10.100.0.2 via 169.254.0.1 dev p2")
                    .doesNotContain("fd00::1 via ");
        }
    }

    @Test
    void shouldForwardAgainWhenSomebodyTurnedThatOff() throws Exception {
        try (PlaneRig rig = rig(null)) {
            rig.readBack();
            for (String setting : List.of("ip_forward=0", "conf.p1.rp_filter=1")) {
                net.in("s", "sysctl", "-q", "-w", "net.ipv4." + setting);
            }

            audit();

            PlaneRig.eventually(
                    "it forwards",
                    () -> assertThat(net.in("s", "sysctl", "-n", "net.ipv4.ip_forward", "net.ipv4.conf.p1.rp_filter"))
                            .isEqualTo("1\n0\n"));
        }
    }

    @Test
    void shouldTakeOursAwayAndNothingElse() throws Exception {
        LinuxSettings settings = new LinuxSettings(7, "s7", 4, "p", 201, true, state, net.command("s"));
        try (PlaneRig rig = rig(state)) {
            rig.readBack();
            rig.destinations(300, true);
            int[] ports = new int[300];
            Arrays.setAll(ports, d -> 1 + d % 2);
            rig.install(ports);

            assertThatThrownBy(() -> RouteFlush.run(settings))
                    .isInstanceOf(PlaneException.class)
                    .hasMessageContaining(" is locked: expected no other agent that runs");
        }
        net.in("s", "ip", "route", "add", "10.101.0.1/32", "dev", "p2", "proto", "static");
        net.in("s", "ip", "neigh", "add", "10.101.0.1", "lladdr", "02:00:00:00:00:01", "dev", "p2", "nud", "permanent");

        assertThat(RouteFlush.run(settings)).isEqualTo(new RouteFlush.Removed(600, 6));

        assertThat(routes()).doesNotContain(" 201 ").contains("10.101.0.1 dev p2 proto static");
        assertThat(net.in("s", "ip", "neigh", "show", "nud", "permanent").lines())
                .singleElement()
                .asString()
                .startsWith("10.101.0.1 ");
        assertThat(state.resolve("linux-table")).doesNotExist();
        assertThat(RouteFlush.run(settings)).isEqualTo(new RouteFlush.Removed(0, 0));
    }

    @Test
    void shouldSayOnceThatATableCannotBeRemembered() throws Exception {
        try (Warnings warnings = new Warnings();
                PlaneRig rig = rig(state)) {
            rig.readBack();
            rig.destinations(3, false);
            rig.install(1, 2, 3);
            Path inTheWay = Files.createDirectory(state.resolve("linux-table.new"));

            rig.install(2, 2, 3);
            rig.install(1, 2, 3);

            String line = "switch 0x0000000000000007: a restart will begin with an older table, or none: "
                    + state.resolve("linux-table") + ": cannot be written: java.nio.file.FileSystemException: "
                    + inTheWay
                    + ": Is a directory";
            assertThat(warnings.told()).containsExactly(line);
            Files.delete(inTheWay);
            rig.install(3, 2, 3);
            Files.createDirectory(inTheWay);
            rig.install(2, 2, 3);
            assertThat(warnings.told()).containsExactly(line, line);
        }
    }

    @Test
    void shouldSayAtTheStartThatNoPortHasAnInterface() throws Exception {
        LinuxSettings strange = new LinuxSettings(7, "s7", 4, "zz", 201, true, null, net.command("s"));
        try (Warnings warnings = new Warnings()) {
            rig(null).close();
            assertThat(warnings.told()).as("with interfaces").isEmpty();

            LinuxPlane.open(strange, new TableCabling()).close();

            assertThat(warnings.told())
                    .containsExactly("switch 0x0000000000000007: no interface zz1..zz4 is there;"
                            + " expected plane.interface-prefix of this switch's ports");
        }
    }

    @Test
    void shouldBeTheOnlyOneOfItsStateDirectory() throws Exception {
        try (PlaneRig first = rig(state)) {
            assertThatThrownBy(() -> rig(state))
                    .isInstanceOf(PlaneException.class)
                    .hasMessageStartingWith(state.resolve("linux-table.lock") + " is locked: ");
            assertThat(first.readBack()).isEqualTo(InstalledTable.NONE);
        }
        rig(state).close();
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        assertThatThrownBy(() -> new PlaneRig(List.of("/nonexistent/prefix"), 4, null))
                .isInstanceOf(PlaneException.class)
                .hasMessageStartingWith("Cannot run program \"/nonexistent/prefix\"");
        List<String> powerless = new ArrayList<>(net.command("s"));
        powerless.addAll(List.of("setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin"));
        assertThatThrownBy(() -> new PlaneRig(powerless, 4, null))
                .isInstanceOf(PlaneException.class)
                .hasMessage("ip may not change routes: needs CAP_NET_ADMIN");
    }

    /** How to run what stands in front of ip: a script, which gets ip and its arguments. */
    private List<String> through(String name, String script) throws IOException {
        Path wrapper = Files.writeString(state.resolve(name), script);
        assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        List<String> command = new ArrayList<>(net.command("s"));
        command.add(wrapper.toString());
        return command;
    }

    @Test
    void shouldReadTheKernelAgainWhenTheProgramEndedInTheMiddle() throws Exception {
        Path flag = state.resolve("end");
        // Ends in the middle of a batch when it is asked to: every line goes to ip until the file is there.
        List<String> command = through(
                "ip-that-ends",
                "#!/bin/sh\nif [ \"$2\" = -force ]; then shift; (while read -r line; do"
                        + " if [ -e " + flag + " ]; then rm " + flag + "; exit 3; fi; echo \"$line\"; done)"
                        + " | ip \"$@\"; else exec \"$@\"; fi\n");
        try (PlaneRig rig = new PlaneRig(command, 4, null)) {
            rig.readBack();
            rig.destinations(3, false);
            rig.install(1, 2, 3);
            Files.createFile(flag);

            assertThatThrownBy(() -> rig.install(2, 2, 3))
                    .isInstanceOf(PlaneException.class)
                    .hasMessageStartingWith("what the kernel holds is not known: ip ended");
            assertThat(rig.readBack().entries()).containsExactly(1, 2, 3);
            rig.install(2, 2, 3);

            assertThat(routes()).contains("10.100.0.1 via 169.254.0.1 dev p2");
        }
    }

    /** Three times ip takes as long as it takes, once a second while a neighbour is refused. */
    @Test
    void shouldRepairWhileTheKernelIsRead() throws Exception {
        Path hang = state.resolve("hang");
        Path hanging = state.resolve("hanging");
        List<String> command = through(
                "ip-that-hangs",
                "#!/bin/sh\ncase \"$*\" in *'route show'*) if [ -e " + hang + " ]; then echo $$ > " + hanging
                        + "; while [ -e " + hang + " ]; do sleep 0.02; done; fi ;; esac; exec \"$@\"\n");
        net.in("s", "ip", "link", "set", "p3", "mtu", "1279"); // takes no IPv6 neighbour
        try (PlaneRig rig = new PlaneRig(command, 4, null)) {
            ports.plugIn(rig);
            rig.readBack();
            rig.destinations(1, true);
            rig.install(1);
            rig.tell(rig.alternatives(1, 2));
            Files.createFile(hang);
            PlaneRig.eventually("the kernel is read", () -> assertThat(hanging).isNotEmptyFile());
            long reading = Long.parseLong(Files.readString(hanging).strip());

            net.in("far", "ip", "link", "set", "q1", "down");

            PlaneRig.eventually(
                    "the repair",
                    () -> assertThat(routes()).contains("10.100.0.1 via 169.254.0.1 dev p2 proto 201 onlink"));
            assertThat(ProcessHandle.of(reading)).as("who reads").isPresent();
            Files.delete(hang);
        }
    }

    /** As an interface that has just been made; of who is at the other end nothing is known, so that no neighbour is refused either. */
    @Test
    void shouldWriteAnIpv6RouteAsSoonAsItsPortTakesOne() throws Exception {
        net.in("s", "ip", "link", "set", "p1", "mtu", "1279");
        try (PlaneRig rig = rig(null)) {
            rig.cabling.farEnds.remove(1);
            rig.readBack();
            rig.destinations(Destinations.of(
                    1, d -> new Destination(0x100, "node0", HostAddresses.parse(0, null, "fd00::1", null))));
            assertThatThrownBy(() -> rig.install(1)).hasMessageContaining("fd00::1: ");
            long began = System.nanoTime();

            net.in("s", "ip", "link", "set", "p1", "mtu", "1500");

            PlaneRig.eventually("it is written", () -> assertThat(routes()).contains("fd00::1 via fe80::1 dev p1"));
            assertThat(System.nanoTime() - began).isLessThan(KernelAudit.PERIOD_NANOS / 2);
        }
    }

    /** Where two children write a large table, and the second ends at once, the next try is by one. */
    @Test
    void shouldWriteALargeTableByOneChildWhereThereCanBeNoSecond() throws Exception {
        Path only = state.resolve("only");
        List<String> command = through(
                "one-ip",
                "#!/bin/sh\ncase \"$*\" in *-batch*) if kill -0 $(cat " + only
                        + ") 2>/dev/null; then echo no room; exit 1; fi; " + "echo $$ >" + only
                        + " ;; esac; exec \"$@\"\n");
        try (PlaneRig rig = new PlaneRig(command, 4, null)) {
            this.ports.plugIn(rig);
            rig.readBack();
            rig.destinations(2 * RoutesWriter.LARGE, false);
            int[] ports = new int[2 * RoutesWriter.LARGE];
            Arrays.fill(ports, 1);
            if (Runtime.getRuntime().availableProcessors() > 1) {
                assertThatThrownBy(() -> rig.install(ports)).hasMessageContaining("no room");
            }
            rig.readBack();

            rig.install(ports);

            assertThat(rig.readBack().entries()).hasSize(ports.length).containsOnly(1);
        }
    }

    @Test
    void shouldWriteTwentyThousandRoutes() throws Exception {
        try (PlaneRig rig = rig(state)) {
            rig.readBack();
            int count = 20_000;
            rig.destinations(count, false);
            byte[] entries = new byte[count];
            for (int round = 0; round < PlaneRig.LARGE_ROUNDS; round++) {
                for (int d = 0; d < count; d++) {
                    entries[d] = (byte) (1 + (d + round) % 3);
                }
                int[] told = {0, 0};
                long start = System.nanoTime();
                rig.install(Alternatives.NONE, NOTHING, entries.clone(), (done, total) -> {
                    assertThat(done).isGreaterThan(told[0]).isLessThanOrEqualTo(total);
                    told[0] = done;
                    told[1] = total;
                });
                long nanos = System.nanoTime() - start;
                assertThat(told).containsExactly(count, count);
                System.out.printf(
                        "%d routes %s in %d ms: %,d routes/s%n",
                        count, round == 0 ? "added" : "replaced", nanos / 1_000_000, count * 1_000_000_000L / nanos);
            }
            long start = System.nanoTime();
            assertThat(rig.readBack().entries()).isEqualTo(entries);
            System.out.printf("read back in %d ms%n", (System.nanoTime() - start) / 1_000_000);
            List<ProcessHandle> children = ProcessHandle.current()
                    .descendants()
                    .filter(child -> child.info().commandLine().orElse("").endsWith("ip -force -batch -"))
                    .toList();
            assertThat(children).as("without one that helped").hasSize(1);
            String[] pages = Files.readString(Path.of("/proc/" + children.get(0).pid() + "/statm"))
                    .split(" ", -1);
            assertThat(Long.parseLong(pages[1]) * 4096)
                    .as("bytes that ip keeps")
                    .isLessThan(48 << 20);
        }
    }
}

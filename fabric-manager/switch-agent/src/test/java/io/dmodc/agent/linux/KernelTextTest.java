package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.HostAddresses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ip} writes, as iproute2 6.1 wrote it, and what it is told. */
class KernelTextTest {
    private static final LinuxSettings SETTINGS = new LinuxSettings(1, "s", 36, "swp", 201, true, null, List.of());

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static KernelRoutes routes(String json) throws IOException {
        return KernelRoutes.none().routes(bytes(json), SETTINGS);
    }

    private static RouteAddress address(String text) {
        RouteAddress address = Objects.requireNonNull(RouteAddress.parse(text), text);
        assertThat(address).hasToString(text);
        return address;
    }

    @Test
    void shouldTellOurRoutesFromOthers() throws IOException {
        KernelRoutes read = routes("""
                [{"dst":"default","gateway":"172.30.0.1","dev":"eth0","protocol":"3","flags":[]},
                 {"dst":"10.100.0.0/16","dev":"swp1","protocol":"201","scope":"253","flags":[]},
                 {"dst":"10.100.0.1","gateway":"169.254.0.1","dev":"swp3","protocol":"201","flags":["onlink"]},
                 {"dst":"10.100.0.2","gateway":"169.254.0.1","dev":"swp4","protocol":"201","flags":["dead","onlink","linkdown"]},
                 {"dst":"10.100.0.3","gateway":"169.254.0.1","dev":"old7","protocol":"201","flags":["onlink"]},
                 {"dst":"10.100.0.4","dev":"swp5","protocol":"201","scope":"253","flags":[]},
                 {"dst":"10.100.0.5","dev":"swp5","protocol":"4","scope":"253","flags":[]},
                 {"dst":"10.100.0.6","gateway":"169.254.0.1","dev":"swp6","protocol":"201","metric":50,"flags":["onlink"]},
                 {"dst":"10.100.0.1","gateway":"169.254.0.1","dev":"swp4","protocol":"201","metric":20001,"flags":["onlink"]},
                 {"dst":"10.100.0.3","gateway":"169.254.0.1","dev":"old8","protocol":"201","metric":20001,"flags":["onlink"]},
                 {"dst":"10.100.0.8","gateway":"169.254.0.1","dev":"swp4","protocol":"186","metric":20001,"flags":["onlink"]},
                 {"dst":"fd00::1","gateway":"fe80::1","dev":"swp35","protocol":"201","metric":20001,"flags":["onlink"],"pref":"medium"},
                 {"dst":"10.100.0.7","protocol":"186","metric":20,"flags":[],
                  "nexthops":[{"gateway":"10.0.0.1","dev":"swp1","weight":1,"flags":[]}]},
                 {"dst":"fd00::1","gateway":"fe80::1","dev":"swp36","protocol":"201","metric":1024,"flags":["onlink"],"pref":"medium"}]
                """);

        assertThat(read.ours())
                .isEqualTo(Map.of(
                        address("10.100.0.1"), 3,
                        address("10.100.0.2"), 4,
                        address("10.100.0.3"), RouteBook.STRAY,
                        address("10.100.0.4"), RouteBook.STRAY,
                        address("fd00::1"), 36));
        assertThat(read.standing())
                .isEqualTo(Map.of(
                        address("10.100.0.1"), 4,
                        address("10.100.0.3"), RouteBook.STRAY,
                        address("fd00::1"), 35));
        assertThat(read.foreign())
                .isEqualTo(Map.of(
                        address("10.100.0.8"), "a route of protocol 186 and metric 20001",
                        address("10.100.0.5"), "a route of protocol 4",
                        address("10.100.0.6"), "a route of protocol 201 and metric 50",
                        address("10.100.0.7"), "a route of protocol 186 and metric 20"));
    }

    @Test
    void shouldReadNothingFromNothing() throws IOException {
        assertThat(routes("").ours()).isEmpty();
        assertThat(routes("[]").ours()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{\"dst\":\"10.0.0.1\"", "{}", "[{\"flags\":[\"a\"", "Error", "[{\"dst\":"})
    void shouldNotTakeAPartForTheWhole(String text) {
        assertThatThrownBy(() -> routes(text)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldReadTheNeighboursOfPortsAlone() throws IOException {
        KernelRoutes read = KernelRoutes.none().neighbours(bytes("""
                                [{"dst":"169.254.0.1","dev":"swp1","lladdr":"02:00:00:00:00:01","state":["PERMANENT"]},
                                 {"dst":"fe80::1","dev":"swp2","lladdr":"02:00:00:00:00:02","state":["PERMANENT"]},
                                 {"dst":"169.254.0.1","dev":"eth0","lladdr":"02:00:00:00:00:03","state":["PERMANENT"]},
                                 {"dst":"10.0.0.9","dev":"swp1","lladdr":"02:00:00:00:00:04","state":["PERMANENT"]}]
                                """), SETTINGS);

        assertThat(read.neighbours())
                .isEqualTo(Map.of(
                        new NextHops.Key(1, NextHops.IPV4), "02:00:00:00:00:01",
                        new NextHops.Key(2, NextHops.IPV6), "02:00:00:00:00:02"));
    }

    @Test
    void shouldUnderstandWhatTheMonitorWrites() {
        String mac = "\\    link/ether 82:63:b8:46:5d:5a brd ff:ff:ff:ff:ff:ff link-netns hpy";
        String rest = " mtu 1500 qdisc noqueue state DOWN group default " + mac;

        assertThat(LinkState.parse("2: p1@if2: <BROADCAST,MULTICAST,UP,LOWER_UP>" + rest))
                .isEqualTo(new LinkState(2, "p1", true, true, true, "82:63:b8:46:5d:5a"));
        assertThat(LinkState.parse("2: p1@if2: <NO-CARRIER,BROADCAST,MULTICAST,UP>" + rest))
                .isEqualTo(new LinkState(2, "p1", true, true, false, "82:63:b8:46:5d:5a"));
        assertThat(LinkState.parse("13: swp12: <BROADCAST,MULTICAST>" + rest))
                .isEqualTo(new LinkState(13, "swp12", true, false, false, "82:63:b8:46:5d:5a"));
        assertThat(LinkState.parse("Deleted 3: p2@NONE: <BROADCAST,MULTICAST>" + rest))
                .isEqualTo(new LinkState(3, "p2", false, false, false, "82:63:b8:46:5d:5a"));
        assertThat(LinkState.parse(
                        "Deleted 3: p2@q2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 master br0 state UP " + mac))
                .as("taken off a bridge, and there as before")
                .isNull();
        assertThat(LinkState.parse("    link/ether 82:63:b8:46:5d:5a brd ff:ff:ff:ff:ff:ff"))
                .isNull();
        assertThat(LinkState.parse("Dump was interrupted and may be inconsistent."))
                .isNull();
        assertThat(LinkState.parse("")).isNull();
    }

    @Test
    void shouldReadInterfaces() throws IOException {
        assertThat(LinkState.read(bytes("""
                        [{"ifindex":1,"ifname":"lo","flags":["LOOPBACK"],"mtu":65536},
                         {"ifindex":2,"link_index":2,"ifname":"p1","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"address":"82:63:b8:46:5d:5a"},
                         {"ifindex":3,"ifname":"p2","flags":["NO-CARRIER","BROADCAST","MULTICAST","UP"]}]
                        """)))
                .containsExactly(
                        new LinkState(1, "lo", true, false, false, ""),
                        new LinkState(2, "p1", true, true, true, "82:63:b8:46:5d:5a"),
                        new LinkState(3, "p2", true, true, false, ""));
    }

    @Test
    void shouldRouteToAddressesOfOneHostAlone() {
        for (String none : List.of("127.0.0.1", "169.254.0.1", "224.0.0.5", "255.255.255.255", "0.0.0.7")) {
            assertThat(RouteAddress.of(HostAddresses.parse(0, none, null, null)))
                    .as(none)
                    .isEmpty();
        }
        for (String none : List.of("fe80::1", "ff02::1", "::1", "::ffff:10.0.0.1")) {
            assertThat(RouteAddress.of(HostAddresses.parse(0, null, none, null)))
                    .as(none)
                    .isEmpty();
        }
        assertThat(RouteAddress.of(HostAddresses.parse(0, "10.0.0.7", "fd00::7", null)))
                .containsExactly(address("10.0.0.7"), address("fd00::7"));
        assertThat(RouteAddress.parse("10.0.0.0/24")).isNull();
        assertThat(RouteAddress.parse("default")).isNull();
        assertThat(RouteAddress.parse("")).isNull();
    }

    @Test
    void shouldTellTheKernelEachRouteInALine() {
        StringBuilder lines = new StringBuilder();
        RouteOp.own(RouteOp.Kind.ADD, address("10.0.0.7"), 3).appendTo(lines, SETTINGS);
        RouteOp.own(RouteOp.Kind.REPLACE, address("fd00::7"), 4).appendTo(lines, SETTINGS);
        RouteOp.own(RouteOp.Kind.DELETE, address("10.0.0.7"), 3).appendTo(lines, SETTINGS);
        RouteOp.standing(RouteOp.Kind.ADD, address("fd00::7"), 5).appendTo(lines, SETTINGS);
        RouteOp.standing(RouteOp.Kind.DELETE, address("10.0.0.7"), 5).appendTo(lines, SETTINGS);

        assertThat(lines.toString()).isEqualTo("""
                        route add 10.0.0.7/32 via 169.254.0.1 dev swp3 onlink proto 201
                        route replace fd00::7/128 via fe80::1 dev swp4 onlink proto 201
                        route del 10.0.0.7/32 proto 201
                        route add fd00::7/128 via fe80::1 dev swp5 onlink metric 20001 proto 201
                        route del 10.0.0.7/32 metric 20001 proto 201
                        """);
    }

    @Test
    void shouldKnowPortsByTheNamesOfTheirInterfaces() {
        assertThat(List.of("swp1", "swp36")).extracting(SETTINGS::portOf).containsExactly(1, 36);
        assertThat(List.of("swp0", "swp37", "swp01", "swp", "eth1", "swp1s0", "swp9999999999", "wp1"))
                .extracting(SETTINGS::portOf)
                .containsOnly(0);
        assertThatThrownBy(() -> LinuxSettings.checkPrefix("swp2"))
                .hasMessageStartingWith("interface-prefix: 'swp2'; expected a letter");
        assertThatThrownBy(() -> LinuxSettings.checkPrefix("a prefix")).isInstanceOf(IllegalArgumentException.class);
        LinuxSettings.checkPrefix("p");
    }
}

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

/** What {@code ip} writes, as iproute2 6.1 wrote it, and what it is told. */
class KernelTextTest {
    private static final LinuxSettings SETTINGS = new LinuxSettings(1, "s", 36, "swp", 201, true, null, List.of());

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static KernelRoutes routes(String text) throws IOException {
        return KernelRoutes.none().routes(bytes(text), SETTINGS);
    }

    private static RouteAddress address(String text) {
        RouteAddress address = Objects.requireNonNull(RouteAddress.parse(text), text);
        assertThat(address).hasToString(text);
        return address;
    }

    @Test
    void shouldTellOurRoutesFromOthers() throws IOException {
        KernelRoutes read = routes("""
                default via 172.30.0.1 dev eth0 proto 3\s
                10.100.0.0/16 dev swp1 proto 201 scope 253\s
                10.100.0.1 via 169.254.0.1 dev swp3 proto 201 onlink\s
                10.100.0.2 via 169.254.0.1 dev swp4 proto 201 dead onlink linkdown\s
                10.100.0.3 via 169.254.0.1 dev old7 proto 201 onlink\s
                10.100.0.4 dev swp5 proto 201 scope 253\s
                10.100.0.5 dev swp5 proto 4 scope 253\s
                10.100.0.6 via 169.254.0.1 dev swp6 proto 201 metric 50 onlink\s
                10.100.0.1 via 169.254.0.1 dev swp4 proto 201 metric 20001 onlink\s
                10.100.0.3 via 169.254.0.1 dev old8 proto 201 metric 20001 onlink\s
                10.100.0.8 via 169.254.0.1 dev swp4 proto 186 metric 20001 onlink\s
                10.100.0.7 proto 186 metric 20\s
                \tnexthop via 10.0.0.1 dev swp1 weight 1\s
                \tnexthop via 10.0.0.2 dev swp2 weight 3\s
                7 10.100.0.9 metric 9999\s
                10.100.0.10 via inet6 fe80::1 dev swp7 proto 201\s
                10.100.0.11 tos 0x08 via 172.16.0.9 dev proto src 10.100.0.12 mtu lock 1400\s
                """);
        read.routes(bytes("""
                fd00::1 via fe80::1 dev swp35 proto 201 metric 20001 onlink pref medium
                fd00::1 via fe80::1 dev swp36 proto 201 metric 1024 onlink pref medium
                fd00::2 metric 1024 pref medium
                \tnexthop via fe80::1 dev swp1 weight 1\s
                6 fd00::9 dev lo proto 4 metric 1024 pref medium
                fd00::10 dev swp1 metric 1024 expires 499sec pref medium
                """), SETTINGS);

        assertThat(read.ours())
                .isEqualTo(Map.of(
                        address("10.100.0.1"),
                        3,
                        address("10.100.0.2"),
                        4,
                        address("10.100.0.3"),
                        RouteBook.STRAY,
                        address("10.100.0.4"),
                        RouteBook.STRAY,
                        address("10.100.0.10"),
                        RouteBook.STRAY,
                        address("fd00::1"),
                        36));
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
                        address("10.100.0.7"), "a route of protocol 186 and metric 20",
                        address("10.100.0.9"), "a route of protocol unknown and metric 9999",
                        address("10.100.0.11"), "a route of protocol unknown",
                        address("fd00::2"), "a route of protocol unknown",
                        address("fd00::9"), "a route of protocol 4",
                        address("fd00::10"), "a route of protocol unknown"));
    }

    @Test
    void shouldReadNothingFromNothing() throws IOException {
        assertThat(routes("").ours()).isEmpty();
        assertThat(routes(" \n\n").ours()).isEmpty();
    }

    @Test
    void shouldReadTheNeighboursOfPortsAlone() throws IOException {
        KernelRoutes read = KernelRoutes.none().neighbours(bytes("""
                                169.254.0.1 dev swp1 lladdr 02:00:00:00:00:01 PERMANENT\s
                                fe80::1 dev swp2 lladdr 02:00:00:00:00:02 PERMANENT\s
                                169.254.0.1 dev eth0 lladdr 02:00:00:00:00:03 PERMANENT\s
                                10.0.0.9 dev swp1 lladdr 02:00:00:00:00:04 PERMANENT\s
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
                        1: lo: <LOOPBACK> mtu 65536 qdisc noop state DOWN mode DEFAULT group default qlen 1000\\    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
                        2: p1@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default qlen 1000\\    link/ether 82:63:b8:46:5d:5a brd ff:ff:ff:ff:ff:ff link-netnsid 0
                        3: p2@p3: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state LOWERLAYERDOWN mode DEFAULT group default qlen 1000\\    link/ether 76:c1:c9:23:fc:4a brd ff:ff:ff:ff:ff:ff
                        4: sit0@NONE: <NOARP> mtu 1480 qdisc noop state DOWN mode DEFAULT group default qlen 1000\\    link/sit 0.0.0.0 brd 0.0.0.0
                        """)))
                .containsExactly(
                        new LinkState(1, "lo", true, false, false, ""),
                        new LinkState(2, "p1", true, true, true, "82:63:b8:46:5d:5a"),
                        new LinkState(3, "p2", true, true, false, "76:c1:c9:23:fc:4a"),
                        new LinkState(4, "sit0", true, false, false, ""));
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

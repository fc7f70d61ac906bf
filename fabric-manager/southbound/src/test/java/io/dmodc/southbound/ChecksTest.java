package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.dmodc.southbound.proto.SwitchNeighbour;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TableState;
import io.dmodc.southbound.proto.TransitReport;
import io.dmodc.southbound.proto.Welcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChecksTest {
    private static final long GUID = 0x2c90_0000_0000_0010L;

    private static Optional<Refusal> hello(Consumer<Hello.Builder> change) {
        Hello.Builder hello = Hello.newBuilder()
                .setProtocolMin(2)
                .setProtocolMax(2)
                .setSwitchGuid(GUID)
                .setName("leaf0")
                .setPortCount(36);
        change.accept(hello);
        return HelloCheck.refusal(hello.build());
    }

    private static void assertRefused(Optional<Refusal> refusal, Reason reason, String text) {
        assertThat(refusal).hasValueSatisfying(refused -> {
            assertThat(refused.getReason()).isEqualTo(reason);
            assertThat(refused.getText()).contains(text);
        });
    }

    @Test
    void shouldTakeAProperHello() {
        assertThat(hello(hello -> {})).isEmpty();
        assertThat(hello(hello -> hello.setProtocolMax(9))).isEmpty();
        assertThat(hello(hello -> hello.setProtocolMin(0))).isEmpty();
        assertThat(hello(hello -> hello.setPortCount(254))).isEmpty();
    }

    @Test
    void shouldKeepTheGuidsOfManagersFromSwitches() {
        long manager = SouthboundProtocol.managerGuid(0);

        assertThat(Long.toHexString(manager)).isEqualTo("ff4d475200000000");
        assertRefused(
                hello(hello -> hello.setSwitchGuid(manager)),
                Reason.INVALID_HELLO,
                "switch 0xff4d475200000000: this GUID is kept for managers; expected the GUID of the switch");
        assertThat(SouthboundProtocol.isManagerGuid(SouthboundProtocol.managerGuid(-1)))
                .isTrue();
        assertThat(hello(hello -> hello.setSwitchGuid(manager - 1))).isEmpty();
        assertThat(hello(hello -> hello.setSwitchGuid(manager + (1L << 32)))).isEmpty();
    }

    @Test
    void shouldChooseTheHighestCommonVersion() {
        assertThat(HelloCheck.version(
                        Hello.newBuilder().setProtocolMin(1).setProtocolMax(-1).build()))
                .isEqualTo(2);
        assertThat(HelloCheck.version(
                        Hello.newBuilder().setProtocolMin(1).setProtocolMax(1).build()))
                .as("version 1 is spoken no more")
                .isZero();
        assertThat(HelloCheck.version(
                        Hello.newBuilder().setProtocolMin(3).setProtocolMax(4).build()))
                .isZero();
        assertThat(HelloCheck.version(
                        Hello.newBuilder().setProtocolMin(3).setProtocolMax(1).build()))
                .isZero();
    }

    @Test
    void shouldRefuseAHelloOutOfRange() {
        assertRefused(
                hello(h -> h.setProtocolMin(1).setProtocolMax(1)), Reason.WRONG_VERSION, "versions 1..1, manager 2..2");
        assertRefused(hello(h -> h.setProtocolMax(0)), Reason.WRONG_VERSION, "versions 2..0");
        assertRefused(hello(h -> h.setSwitchGuid(0)), Reason.INVALID_HELLO, "switch guid 0");
        assertRefused(hello(h -> h.setName("é".repeat(33))), Reason.INVALID_HELLO, "name of 66 bytes, more than 64");
        assertRefused(
                hello(h -> h.setPortCount(0)),
                Reason.INVALID_HELLO,
                "switch 0x2c90000000000010: 0 ports; expected 1..254");
        assertRefused(hello(h -> h.setPortCount(255)), Reason.INVALID_HELLO, "255 ports");
        assertRefused(hello(h -> h.setPortCount(-1)), Reason.INVALID_HELLO, "4294967295 ports");
        assertRefused(
                hello(h -> h.setTable(TableState.newBuilder().setEntryCount(1 << 20))),
                Reason.INVALID_HELLO,
                "table of 1048576");
        assertRefused(
                hello(h -> h.setDetector(Endpoint.newBuilder().setAddress(ByteString.copyFrom(new byte[5])))),
                Reason.INVALID_HELLO,
                "address of 5 bytes");
        assertRefused(
                hello(h -> h.setDetector(Endpoint.newBuilder().setPort(70_000))), Reason.INVALID_HELLO, "port 70000");
        assertRefused(
                hello(h -> h.setMembershipEpoch(-1)),
                Reason.INVALID_HELLO,
                "membership of epoch 18446744073709551615; expected 0..2^63-1");
    }

    private static TableState table(long leaderEpoch, long fabricEpoch) {
        return TableState.newBuilder()
                .setLeaderEpoch(leaderEpoch)
                .setFabricEpoch(fabricEpoch)
                .build();
    }

    @Test
    void shouldTakeEpochsUpToTheirBoundsAndNoneAbove() {
        long leader = SouthboundProtocol.MAX_LEADER_EPOCH;
        long fabric = SouthboundProtocol.MAX_FABRIC_EPOCH;

        assertThat(hello(h -> h.setLeaderEpoch(leader).setTable(table(leader, fabric))))
                .isEmpty();
        assertThat(leader << 32).as("where its ring's epochs start").isPositive();
        assertRefused(
                hello(h -> h.setLeaderEpoch(leader + 1)),
                Reason.INVALID_HELLO,
                "switch 0x2c90000000000010: leader epoch 2147483648; expected 0..2147483647");
        assertRefused(
                hello(h -> h.setTable(table(-1, 0))),
                Reason.INVALID_HELLO,
                "table of leader epoch 18446744073709551615; expected 0..2147483647");
        assertRefused(
                hello(h -> h.setTable(table(1, Long.MAX_VALUE))),
                Reason.INVALID_HELLO,
                "table of fabric epoch 9223372036854775807; expected 0..4611686018427387904");
    }

    private static Optional<Refusal> entries(int ports, Integer... indices) {
        return ReportCheck.refusal(
                TableRefusal.newBuilder()
                        .setLeaderEpoch(1)
                        .setFabricEpoch(2)
                        .addAllEntry(List.of(indices))
                        .setPort(ByteString.copyFrom(new byte[ports]))
                        .build(),
                GUID);
    }

    @Test
    void shouldRefuseEntriesThatAreNoneOfATable() {
        Integer[] most = IntStream.range(0, 256).boxed().toArray(Integer[]::new);
        Integer[] more = IntStream.range(0, 257).boxed().toArray(Integer[]::new);

        assertThat(entries(256, most)).isEmpty();
        assertThat(entries(2, 0, SouthboundProtocol.MAX_ENTRIES - 1)).isEmpty();
        for (Optional<Refusal> refused : List.of(
                entries(257, more),
                entries(1, SouthboundProtocol.MAX_ENTRIES),
                entries(1, -1),
                entries(2, 4, 4),
                entries(2, 5, 4),
                entries(1, 4, 5))) {
            assertRefused(refused, Reason.INVALID_REPORT, "expected at most 256, ascending below 524288");
        }
    }

    @Test
    void shouldRefuseAnswersToTablesWithEpochsOutOfRange() {
        long high = SouthboundProtocol.MAX_FABRIC_EPOCH + 1;
        TableAck ack = TableAck.newBuilder().setLeaderEpoch(1).setFabricEpoch(2).build();
        TableRefusal refusal =
                TableRefusal.newBuilder().setLeaderEpoch(1).setFabricEpoch(2).build();

        assertThat(ReportCheck.refusal(ack, GUID)).isEmpty();
        assertThat(ReportCheck.refusal(refusal, GUID)).isEmpty();
        assertRefused(
                ReportCheck.refusal(ack.toBuilder().setFabricEpoch(high).build(), GUID),
                Reason.INVALID_REPORT,
                "acknowledges a table of fabric epoch 4611686018427387905");
        assertRefused(
                ReportCheck.refusal(refusal.toBuilder().setLeaderEpoch(1L << 31).build(), GUID),
                Reason.INVALID_REPORT,
                "refuses a table of leader epoch 2147483648");
        assertRefused(
                ReportCheck.refusal(refusal.toBuilder().setTable(table(0, high)).build(), GUID),
                Reason.INVALID_REPORT,
                "holds a table of fabric epoch 4611686018427387905");
        assertRefused(
                ReportCheck.refusal(
                        refusal.toBuilder()
                                .setTable(TableState.newBuilder().setEntryCount(-1))
                                .build(),
                        GUID),
                Reason.INVALID_REPORT,
                "holds a table of 4294967295 entries, more than 524288");
    }

    private static Optional<Refusal> report(Port... ports) {
        PortReport report = PortReport.newBuilder()
                .setSequence(5)
                .addAllPorts(java.util.List.of(ports))
                .build();
        return ReportCheck.refusal(report, GUID, 36, 4);
    }

    private static Port port(int number) {
        return Port.newBuilder().setNumber(number).setUp(true).build();
    }

    private static Port toSwitch(int number, long guid, int port) {
        return port(number).toBuilder()
                .setSwitchNeighbour(SwitchNeighbour.newBuilder().setGuid(guid).setPort(port))
                .build();
    }

    private static Port toHost(HostNeighbour.Builder host) {
        return port(1).toBuilder().setHostNeighbour(host).build();
    }

    @Test
    void shouldTakeAProperReport() {
        assertThat(report(port(1), toSwitch(36, 7, 254), toSwitch(2, GUID, 3))).isEmpty();
        assertThat(report(toHost(HostNeighbour.newBuilder().setPortGuid(9).setHostPort(1))))
                .isEmpty();
    }

    @Test
    void shouldRefuseAReportOutOfRange() {
        assertRefused(report(port(37)), Reason.INVALID_REPORT, "switch 0x2c90000000000010: port 37 is outside 1..36");
        assertRefused(report(port(0)), Reason.INVALID_REPORT, "port 0 is outside 1..36");
        assertRefused(report(port(-1)), Reason.INVALID_REPORT, "port 4294967295 is outside 1..36");
        assertRefused(
                report(port(1).toBuilder().setHelloValue(3).build()),
                Reason.INVALID_REPORT,
                "port 1: unknown state of hellos 3");
        assertRefused(
                report(port(1).toBuilder().setMegabits(100_000_001).build()),
                Reason.INVALID_REPORT,
                "port 1: 100000001 Mbit/s are outside 0..100000000");
        assertRefused(
                report(port(1).toBuilder().setMegabits(-1).build()),
                Reason.INVALID_REPORT,
                "port 1: 4294967295 Mbit/s are outside 0..100000000");
        assertRefused(
                report(port(1).toBuilder().setLanes(256).build()),
                Reason.INVALID_REPORT,
                "port 1: 256 lanes are outside 0..255");
        assertRefused(report(port(2), port(2)), Reason.INVALID_REPORT, "port 2 is listed twice");
        assertRefused(report(toSwitch(1, 0, 1)), Reason.INVALID_REPORT, "port 1: neighbour switch without GUID");
        assertRefused(report(toSwitch(1, 7, 255)), Reason.INVALID_REPORT, "port 1: neighbour port 255");
        assertRefused(report(toSwitch(1, GUID, 1)), Reason.INVALID_REPORT, "port 1: is its own neighbour");
        assertRefused(report(toHost(HostNeighbour.newBuilder())), Reason.INVALID_REPORT, "host without port GUID");
        assertRefused(
                report(toHost(HostNeighbour.newBuilder().setPortGuid(1).setName("x".repeat(65)))),
                Reason.INVALID_REPORT,
                "name of 65 bytes");
        assertRefused(
                ReportCheck.refusal(PortReport.newBuilder().setSequence(5).build(), GUID, 36, 3),
                Reason.INVALID_REPORT,
                "port report 5 after 3");
    }

    private static Optional<Refusal> addresses(Consumer<Addresses.Builder> change) {
        Addresses.Builder addresses = Addresses.newBuilder();
        change.accept(addresses);
        return report(toHost(HostNeighbour.newBuilder().setPortGuid(9).setAddresses(addresses)));
    }

    private static ByteString bytes(int count) {
        return ByteString.copyFrom(new byte[count]);
    }

    @Test
    void shouldTakeAddressesOfAHostAsFarAsThereAreAny() {
        assertThat(addresses(a -> {})).isEmpty();
        assertThat(addresses(a -> a.setLid(1))).isEmpty();
        assertThat(addresses(a -> a.setLid(49_151).setIpv4(bytes(4)))).isEmpty();
        assertThat(addresses(a -> a.setIpv6(bytes(16)).setMac(bytes(6)))).isEmpty();
    }

    @Test
    void shouldRefuseAddressesOutOfRange() {
        assertRefused(
                addresses(a -> a.setLid(49_152)),
                Reason.INVALID_REPORT,
                "switch 0x2c90000000000010: port 1: host LID 49152 is outside 0..49151");
        assertRefused(addresses(a -> a.setLid(-1)), Reason.INVALID_REPORT, "host LID 4294967295 is outside");
        for (int count : new int[] {1, 3, 5, 16}) {
            assertRefused(
                    addresses(a -> a.setIpv4(bytes(count))),
                    Reason.INVALID_REPORT,
                    "port 1: host IPv4 address of " + count + " bytes; expected 0 or 4");
        }
        for (int count : new int[] {4, 15, 17}) {
            assertRefused(
                    addresses(a -> a.setIpv6(bytes(count))),
                    Reason.INVALID_REPORT,
                    "port 1: host IPv6 address of " + count + " bytes; expected 0 or 16");
        }
        for (int count : new int[] {5, 7, 8}) {
            assertRefused(
                    addresses(a -> a.setMac(bytes(count))),
                    Reason.INVALID_REPORT,
                    "port 1: host MAC address of " + count + " bytes; expected 0 or 6");
        }
    }

    /** A report of all ports there can be, each with the longest neighbour, fits where a manager allows least. */
    @Test
    void shouldFitTheLongestReportIntoTheShortestFrame() {
        HostNeighbour.Builder host = HostNeighbour.newBuilder()
                .setPortGuid(-1)
                .setHostGuid(-1)
                .setHostPort(254)
                .setName("x".repeat(64))
                .setAddresses(Addresses.newBuilder()
                        .setLid(49_151)
                        .setIpv4(bytes(4))
                        .setIpv6(bytes(16))
                        .setMac(bytes(6)));
        PortReport.Builder report = PortReport.newBuilder().setSequence(1).setComplete(true);
        for (int port = 1; port <= SouthboundProtocol.MAX_PORTS; port++) {
            report.addPorts(Port.newBuilder()
                    .setNumber(port)
                    .setUp(true)
                    .setHello(Port.Hello.UNHEARD)
                    .setHostNeighbour(host));
        }

        assertThat(ReportCheck.refusal(report.build(), GUID, 254, 0)).isEmpty();
        assertThat(report.build().getSerializedSize()).isLessThan(SouthboundProtocol.MIN_MAX_FRAME_BYTES - 64);
    }

    @Test
    void shouldRefuseAFaultReportOutOfRange() {
        FaultReport good = FaultReport.newBuilder()
                .setSequence(1)
                .setKind(FaultReport.Kind.AGENT_SILENT)
                .setSubjectGuid(1)
                .setObserverGuid(2)
                .build();

        assertThat(ReportCheck.refusal(good, GUID)).isEmpty();
        assertRefused(
                ReportCheck.refusal(good.toBuilder().setSubjectGuid(0).build(), GUID),
                Reason.INVALID_REPORT,
                "without");
        assertRefused(
                ReportCheck.refusal(good.toBuilder().setKindValue(9).build(), GUID), Reason.INVALID_REPORT, "kind 9");
        assertRefused(
                ReportCheck.refusal(good.toBuilder().setSequence(0).build(), GUID),
                Reason.INVALID_REPORT,
                "fault report 0 of a silence of 0 ns; expected 1..2^63-1 and 0..2^63-1");
        assertRefused(
                ReportCheck.refusal(good.toBuilder().setSilenceNanos(-1).build(), GUID),
                Reason.INVALID_REPORT,
                "a silence of 18446744073709551615 ns");
        assertThat(ReportCheck.refusal(good.toBuilder().setHops(16_400).build(), GUID))
                .isEmpty();
        assertRefused(
                ReportCheck.refusal(good.toBuilder().setHops(16_401).build(), GUID),
                Reason.INVALID_REPORT,
                "over 16401 hops; expected 0..16400");
    }

    @Test
    void shouldRefuseATransitReportOutOfRange() {
        TransitReport good = TransitReport.newBuilder()
                .setNumber(1)
                .setSent(5)
                .setAnswered(5)
                .build();
        assertThat(ReportCheck.refusal(good, GUID)).isEmpty();
        assertThat(ReportCheck.refusal(good.toBuilder().setSent(255).build(), GUID))
                .isEmpty();
        for (TransitReport bad : List.of(
                good.toBuilder().setNumber(0).build(),
                good.toBuilder().setNumber(-1).build(),
                good.toBuilder().setSent(256).build(),
                good.toBuilder().setSent(-1).build(),
                good.toBuilder().setAnswered(6).build(),
                good.toBuilder().setAnswered(-1).build())) {
            assertRefused(
                    ReportCheck.refusal(bad, GUID),
                    Reason.INVALID_REPORT,
                    "hellos answered; expected a number above 0 and 0..sent of 0..255");
        }
    }

    private static final Endpoint SOMEWHERE = Endpoint.newBuilder()
            .setAddress(ByteString.copyFrom(new byte[] {10, 0, 0, 7}))
            .setPort(7471)
            .build();

    @Test
    void shouldRefuseReportsOfHearingOutOfRange() {
        FaultReport.Builder deaf = FaultReport.newBuilder()
                .setSequence(1)
                .setKind(FaultReport.Kind.HEARS_NOBODY)
                .setSubjectGuid(GUID)
                .setObserverGuid(GUID);
        assertThat(ReportCheck.refusal(deaf.build(), GUID)).isEmpty();
        assertThat(ReportCheck.refusal(
                        deaf.setKind(FaultReport.Kind.HEARS_AGAIN).build(), GUID))
                .isEmpty();
        assertRefused(
                ReportCheck.refusal(deaf.clone().setSubjectGuid(GUID + 1).build(), GUID),
                Reason.INVALID_REPORT,
                "hears; expected itself");
        assertRefused(
                ReportCheck.refusal(deaf.clone().setObserverGuid(GUID + 1).build(), GUID),
                Reason.INVALID_REPORT,
                "hears; expected itself");

        FaultReport.Builder foreign = FaultReport.newBuilder()
                .setSequence(1)
                .setKind(FaultReport.Kind.FOREIGN_SOURCE)
                .setSubjectGuid(GUID + 1)
                .setObserverGuid(GUID)
                .setExpected(SOMEWHERE)
                .setActual(SOMEWHERE);
        assertThat(ReportCheck.refusal(foreign.build(), GUID)).isEmpty();
        assertRefused(
                ReportCheck.refusal(foreign.clone().setSubjectGuid(GUID).build(), GUID),
                Reason.INVALID_REPORT,
                "expected itself, from another");
        assertRefused(
                ReportCheck.refusal(foreign.clone().setObserverGuid(GUID + 2).build(), GUID),
                Reason.INVALID_REPORT,
                "expected itself, from another");
        assertRefused(
                ReportCheck.refusal(foreign.clone().clearActual().build(), GUID),
                Reason.INVALID_REPORT,
                "foreign source: detector address of 0 bytes; expected 4 or 16");
        assertRefused(
                ReportCheck.refusal(
                        foreign.clone()
                                .setExpected(SOMEWHERE.toBuilder().setPort(65_536))
                                .build(),
                        GUID),
                Reason.INVALID_REPORT,
                "foreign source: detector port 65536 is outside 1..65535");
    }

    /** A name can neither begin a line of the log nor turn what stands behind it around. */
    @Test
    void shouldShowTextsOfPeersAsPrintableOnes() {
        String proper = "leaf-0 Mellanox/größe 东京 🙂";
        assertThat(BoundedText.printable(proper)).isSameAs(proper);
        assertThat(BoundedText.printable("a\nb\tc\u001b[31m\u2028\u202e\u0000\ud800\ue000"))
                .isEqualTo("a?b?c?[31m?????");
        assertThat(BoundedText.printable("")).isEmpty();
    }

    @Test
    void shouldCheckWhatAManagerSays() {
        Welcome welcome = Welcome.newBuilder()
                .setProtocol(2)
                .setKeepAliveMillis(2000)
                .setMaxFrameBytes(1 << 20)
                .build();

        assertThat(ManagerCheck.invalid(welcome)).isEmpty();
        assertThat(ManagerCheck.invalid(welcome.toBuilder().setProtocol(3).build()))
                .hasValue("Welcome chooses version 3; expected 2..2");
        assertThat(ManagerCheck.invalid(
                        welcome.toBuilder().setKeepAliveMillis(1).build()))
                .hasValue("Welcome asks for keep-alives every 1 ms; expected 100..60000");
        assertThat(ManagerCheck.invalid(welcome.toBuilder().setMaxFrameBytes(9).build()))
                .hasValue("Welcome allows frames of 9 bytes; expected 65536 or more");
        assertThat(ManagerCheck.invalid(
                        welcome.toBuilder().setLeaderEpoch(1L << 31).build()))
                .hasValue("Welcome with leader epoch 2147483648; expected 0..2147483647");
        assertThat(ManagerCheck.invalid(TablePush.newBuilder()
                        .setLeaderEpoch(1)
                        .setFabricEpoch(SouthboundProtocol.MAX_FABRIC_EPOCH)
                        .build()))
                .isEmpty();
        assertThat(ManagerCheck.invalid(
                        TablePush.newBuilder().setFabricEpoch(-1).build()))
                .hasValue("table of fabric epoch 18446744073709551615; expected 0..4611686018427387904");
    }

    @Test
    void shouldCheckAMembership() {
        Endpoint address = Endpoint.newBuilder()
                .setAddress(ByteString.copyFrom(new byte[4]))
                .setPort(9)
                .build();
        Membership good = Membership.newBuilder()
                .setHeartbeatNanos(1)
                .setSuspicionNanos(2)
                .addMembers(Member.newBuilder().setGuid(GUID).setDetector(address))
                .build();

        assertThat(ManagerCheck.invalid(good)).isEmpty();
        assertThat(ManagerCheck.invalid(good.toBuilder().setSuspicionNanos(1).build()))
                .hasValue("Membership with heartbeat 1 ns and suspicion 1 ns; expected 0 < heartbeat < suspicion");
        assertThat(ManagerCheck.invalid(good.toBuilder().setAskingWidth(65).build()))
                .hasValue("Membership with asking width 65; expected 0..64");
        assertThat(ManagerCheck.invalid(good.toBuilder().setOpinions(-1).build()))
                .hasValue("Membership with 4294967295 opinions; expected 0..4");
        assertThat(ManagerCheck.invalid(good.toBuilder().setOverlayValue(2).build()))
                .hasValue("Membership with unknown overlay 2");
        assertThat(ManagerCheck.invalid(good.toBuilder()
                        .setAskingWidth(64)
                        .setOpinions(4)
                        .setOverlay(Membership.Overlay.HYPERCUBE)
                        .build()))
                .isEmpty();
        assertThat(ManagerCheck.invalid(
                        good.toBuilder().setEpoch(5).setBaseEpoch(4).addEdit(1).build()))
                .isEmpty();
        assertThat(ManagerCheck.invalid(
                        good.toBuilder().setEpoch(5).setBaseEpoch(5).build()))
                .hasValue("Membership of epoch 5 as a difference against 5; expected an earlier one");
        assertThat(ManagerCheck.invalid(
                        good.toBuilder().setEpoch(5).setBaseEpoch(-1).build()))
                .hasValue(
                        "Membership of epoch 5 as a difference against 18446744073709551615; expected an earlier one");
        assertThat(ManagerCheck.invalid(good.toBuilder().addEdit(1).build()))
                .hasValue("Membership with an edit of nothing; expected a base epoch");
        assertThat(ManagerCheck.invalid(good.toBuilder()
                        .addMembers(Member.newBuilder().setDetector(address))
                        .build()))
                .hasValue("member without GUID");
        assertThat(ManagerCheck.invalid(good.toBuilder()
                        .addMembers(Member.newBuilder().setGuid(3))
                        .build()))
                .hasValue("member 0x0000000000000003: detector address of 0 bytes; expected 4 or 16");
    }

    @Test
    void shouldBoundWhatASwitchRepaired() {
        LocalRepair fits = LocalRepair.newBuilder()
                .setPort(36)
                .setMoved(SouthboundProtocol.MAX_ENTRIES)
                .build();
        assertThat(ReportCheck.refusal(fits, 7, 36)).isEmpty();
        assertThat(ReportCheck.refusal(LocalRepair.newBuilder().setPort(1).build(), 7, 36))
                .isEmpty();
        assertThat(List.of(
                        fits.toBuilder().setPort(0).build(),
                        fits.toBuilder().setPort(37).build(),
                        fits.toBuilder().setMoved(-1).build(),
                        fits.toBuilder()
                                .setStranded(SouthboundProtocol.MAX_ENTRIES + 1)
                                .build()))
                .allSatisfy(bad -> assertThat(ReportCheck.refusal(bad, 7, 36))
                        .hasValueSatisfying(
                                refusal -> assertThat(refusal.getReason()).isEqualTo(Refusal.Reason.INVALID_REPORT)));
        assertThat(ReportCheck.refusal(fits.toBuilder().setPort(37).build(), 7, 36)
                        .orElseThrow()
                        .getText())
                .isEqualTo(
                        "switch 0x0000000000000007: repair at port 37: 524288 entries moved, 0 not; expected a port of"
                                + " 1..36 and 0..524288 entries");
    }
}

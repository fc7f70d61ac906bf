package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentCore.Identity;
import io.dmodc.agent.AgentEffect.Connect;
import io.dmodc.agent.AgentEffect.ConnectAfter;
import io.dmodc.agent.AgentEffect.DecodeMembership;
import io.dmodc.agent.AgentEffect.Disconnect;
import io.dmodc.agent.AgentEffect.Install;
import io.dmodc.agent.AgentEffect.JoinRing;
import io.dmodc.agent.AgentEffect.Note;
import io.dmodc.agent.AgentEffect.OverdueAfter;
import io.dmodc.agent.AgentEffect.ReadPorts;
import io.dmodc.agent.AgentEffect.ReadTable;
import io.dmodc.agent.AgentEffect.RetryAfter;
import io.dmodc.agent.AgentEffect.Send;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.PortState;
import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import io.dmodc.southbound.ReportCheck;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultAck;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.SwitchNeighbour;
import io.dmodc.southbound.proto.TableProgress;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import io.dmodc.southbound.proto.TransitQuery;
import io.dmodc.southbound.proto.TransitReport;
import io.dmodc.southbound.proto.Welcome;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class AgentCoreTest {
    private static final long GUID = 0x10;
    private static final TableVersion NEXT = new TableVersion(1, 6);
    private static final OverdueAfter PATIENCE = new OverdueAfter(AgentCore.INSTALL_PATIENCE_NANOS, NEXT);

    private final AgentCore core = core(1);

    private static AgentCore core(long seed) {
        Identity identity = new Identity(
                GUID, "leaf0", 4, Endpoint.newBuilder().setPort(9000).build(), true);
        AgentCore core = new AgentCore(identity, 7, PlaneCapabilities.INDICES, new SplittableRandom(seed));
        assertThat(core.step(new AgentEvent.PlaneDue())).containsExactly(new ReadTable());
        core.step(new AgentEvent.TableRead(InstalledTable.NONE));
        return core;
    }

    private static PortState port(int number, boolean up) {
        return new PortState(number, up, new SwitchPort(0x20, number));
    }

    private static ManagerFrame welcome(long leaderEpoch) {
        return ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(leaderEpoch)
                        .setKeepAliveMillis(2000)
                        .setMaxFrameBytes(1 << 20))
                .build();
    }

    private static ManagerFrame push(TablePush push) {
        return ManagerFrame.newBuilder().setTablePush(push).build();
    }

    private static TablePush table(long leaderEpoch, long fabricEpoch, int length, int port) {
        byte[] table = new byte[length];
        java.util.Arrays.fill(table, (byte) port);
        return TableCodec.push(
                new TableVersion(leaderEpoch, fabricEpoch),
                RunEncoder.complete(length, TableDigest.of(table))
                        .run(0, length, 1, 0, new byte[] {(byte) port})
                        .table());
    }

    private static TablePush changed(TablePush push, UnaryOperator<PortTable.Builder> how) {
        PortTable routes = how.apply(push.getTables(0).getRoutes().toBuilder()).build();
        return TableCodec.push(FrameBuilder.version(push), routes);
    }

    private static FaultReport news(long subject) {
        return FaultReport.newBuilder()
                .setKind(FaultReport.Kind.AGENT_SILENT)
                .setSubjectGuid(subject)
                .setObserverGuid(GUID)
                .build();
    }

    private List<AgentEffect> receive(ManagerFrame frame) {
        return core.step(new AgentEvent.Received(frame));
    }

    private static List<AgentFrame> sent(List<AgentEffect> effects) {
        return effects.stream()
                .filter(Send.class::isInstance)
                .map(effect -> ((Send) effect).frame())
                .toList();
    }

    private static AgentFrame onlySent(List<AgentEffect> effects) {
        assertThat(sent(effects)).hasSize(1);
        return sent(effects).get(0);
    }

    private Hello greet() {
        assertThat(core.step(new AgentEvent.ConnectDue())).containsExactly(new Connect());
        return onlySent(core.step(new AgentEvent.Connected())).getHello();
    }

    private void serve() {
        greet();
        assertThat(receive(welcome(1))).contains(new ReadPorts(List.of()));
        core.step(new AgentEvent.PortsRead(List.of(port(1, true), PortState.unplugged(2))));
    }

    private AgentFrame install(TablePush push) {
        List<AgentEffect> effects = receive(push(push));
        assertThat(effects).singleElement().isInstanceOf(Install.class);
        return onlySent(core.step(new AgentEvent.Installed(
                ((Install) effects.get(0)).change().table().version())));
    }

    @Test
    void shouldSayHelloFirst() {
        Hello hello = greet();

        assertThat(hello.getSwitchGuid()).isEqualTo(GUID);
        assertThat(hello.getName()).isEqualTo("leaf0");
        assertThat(hello.getPortCount()).isEqualTo(4);
        assertThat(hello.getIncarnation()).isEqualTo(7);
        assertThat(hello.getDetector().getPort()).isEqualTo(9000);
        assertThat(hello.getTable().getEntryCount()).isZero();
    }

    @Test
    void shouldReportTheAddressesOfAHostAndThenOthers() {
        HostAddresses known = HostAddresses.parse(12, "10.0.0.7", null, "02:00:00:00:00:07");
        HostAddresses more = HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07");
        serve();

        HostNeighbour first = reported(new HostPort(0x99, 0x98, 1, "node0", known));
        HostNeighbour second = reported(new HostPort(0x99, 0x98, 1, "node0", more));
        HostNeighbour nothing = reported(new HostPort(0x99, 0x98, 1, "node0"));

        assertThat(first.getPortGuid()).isEqualTo(0x99);
        assertThat(first.getAddresses())
                .isEqualTo(Addresses.newBuilder()
                        .setLid(12)
                        .setIpv4(ByteString.fromHex("0a000007"))
                        .setMac(ByteString.fromHex("020000000007"))
                        .build());
        assertThat(second.getAddresses().getIpv6()).isEqualTo(ByteString.fromHex("fd000000000000000000000000000007"));
        assertThat(nothing.hasAddresses()).isFalse();
    }

    /** What the manager is told when this is at port 2 now. */
    private HostNeighbour reported(HostPort host) {
        AgentFrame change = onlySent(core.step(new AgentEvent.PortsChanged(List.of(new PortState(2, true, host)))));
        assertThat(ReportCheck.refusal(
                        change.getPortReport(), GUID, 4, change.getPortReport().getSequence() - 1))
                .isEmpty();
        return change.getPortReport().getPorts(0).getHostNeighbour();
    }

    @Test
    void shouldReportAllPortsAfterWelcomeAndThenChanges() {
        greet();
        receive(welcome(1));

        AgentFrame all = onlySent(core.step(new AgentEvent.PortsRead(List.of(port(1, true), PortState.unplugged(2)))));
        AgentFrame change = onlySent(core.step(new AgentEvent.PortsChanged(List.of(port(1, false)))));

        assertThat(all.getPortReport().getComplete()).isTrue();
        assertThat(all.getPortReport().getSequence()).isEqualTo(1);
        assertThat(all.getPortReport().getPortsList()).singleElement().satisfies(port -> {
            assertThat(port.getUp()).isTrue();
            assertThat(port.getSwitchNeighbour().getGuid()).isEqualTo(0x20);
        });
        assertThat(change.getPortReport().getComplete()).isFalse();
        assertThat(change.getPortReport().getSequence()).isEqualTo(2);
        assertThat(change.getPortReport().getPorts(0).getUp()).isFalse();
    }

    @Test
    void shouldReadPortsFromTheHardwareWhenAsked() {
        serve();

        assertThat(receive(ManagerFrame.newBuilder()
                        .setPortQuery(PortQuery.getDefaultInstance())
                        .build()))
                .containsExactly(new ReadPorts(List.of()));
    }

    @Test
    void shouldSayWhatALinkWasTrainedToAsFarAsThePlaneKnows() {
        serve();

        AgentFrame report = onlySent(core.step(new AgentEvent.PortsChanged(
                List.of(new PortState(1, true, new SwitchPort(0x20, 1), new LinkRate(100_000, 4)), port(2, true)))));

        assertThat(report.getPortReport().getPortsList())
                .extracting(port -> port.getMegabits() + ":" + port.getLanes())
                .containsExactly("100000:4", "0:0");
        assertThat(report.getPortReport().getPorts(1).toByteArray())
                .as("as agents of before these fields")
                .isEqualTo(Port.newBuilder()
                        .setNumber(2)
                        .setUp(true)
                        .setSwitchNeighbour(
                                SwitchNeighbour.newBuilder().setGuid(0x20).setPort(2))
                        .build()
                        .toByteArray());
    }

    @Test
    void shouldSendOnlyTheLastStateOfPortsThatFlappedWhileNothingCouldBeSent() {
        serve();
        core.step(new AgentEvent.Writable(false));
        for (int i = 0; i < 100; i++) {
            assertThat(core.step(new AgentEvent.PortsChanged(List.of(port(1, i % 2 == 0), port(3, true)))))
                    .isEmpty();
        }

        AgentFrame report = onlySent(core.step(new AgentEvent.Writable(true)));

        assertThat(report.getPortReport().getSequence()).isEqualTo(2);
        assertThat(report.getPortReport().getPortsList())
                .extracting(port -> port.getNumber() + ":" + port.getUp())
                .containsExactly("1:false", "3:true");
    }

    @Test
    void shouldAcknowledgeATableOnlyWhenThePlaneHasIt() {
        serve();

        AgentFrame ack = install(table(1, 5, 100, 3));

        byte[] table = core.installed().entries();
        assertThat(table).hasSize(100).containsOnly(3);
        assertThat(ack.getTableAck().getFabricEpoch()).isEqualTo(5);
        assertThat(ack.getTableAck().getDigest()).isEqualTo(TableDigest.of(table));
    }

    @Test
    void shouldApplyADifference() {
        serve();
        install(table(1, 5, 100, 3));
        byte[] after = core.installed().entries().clone();
        after[70] = 9;
        RunEncoder difference = RunEncoder.difference(
                        100, new int[] {1}, TableDigest.of(core.installed().entries()), TableDigest.of(after))
                .run(0, 70, 1, 0, new byte[] {3})
                .run(70, 71, 1, 0, new byte[] {9})
                .run(71, 100, 1, 0, new byte[] {3});

        install(TableCodec.push(new TableVersion(1, 6), difference.table()));

        assertThat(core.installed()).satisfies(table -> {
            assertThat(table.version()).isEqualTo(new TableVersion(1, 6));
            assertThat(table.entries()).isEqualTo(after);
        });
    }

    @Test
    void shouldApplyRunsAndPatterns() {
        serve();
        byte[] table = new byte[1000];
        for (int i = 0; i < table.length; i++) {
            table[i] = (byte) (i < 600 ? i / 2 % 3 + 1 : 4);
        }
        RunEncoder encoder = RunEncoder.complete(1000, TableDigest.of(table))
                .run(0, 600, 2, 0, new byte[] {1, 2, 3})
                .run(600, 1000, 1, 0, new byte[] {4});

        AgentFrame ack = install(TableCodec.push(new TableVersion(1, 5), encoder.table()));

        assertThat(ack.getTableAck().getDigest()).isEqualTo(TableDigest.of(table));
        assertThat(core.installed().entries()).isEqualTo(table);
    }

    @Test
    void shouldKeepTheTableWhenThePlaneFails() {
        serve();
        install(table(1, 5, 100, 3));
        receive(push(table(1, 6, 100, 4)));

        AgentFrame refusal =
                onlySent(core.step(new AgentEvent.InstallFailed(new TableVersion(1, 6), "hardware said no")));

        assertThat(refusal.getTableRefusal().getReason()).isEqualTo(Reason.PLANE_FAILED);
        assertThat(refusal.getTableRefusal().getText()).isEqualTo("hardware said no");
        assertThat(refusal.getTableRefusal().getTable().getFabricEpoch()).isEqualTo(5);
        assertThat(core.installed().entries()).containsOnly(3);
    }

    @Test
    void shouldRefuseTablesItMustNotApply() {
        serve();
        install(table(4, 5, 100, 3));
        TablePush wrongBase = changed(table(4, 6, 100, 4), routes -> routes.setComplete(false));
        TablePush wrongResult = changed(table(4, 6, 100, 4), routes -> routes.setResultDigest(1));

        assertThat(onlySent(receive(push(table(3, 9, 100, 4))))
                        .getTableRefusal()
                        .getReason())
                .isEqualTo(Reason.OLD_LEADER);
        assertThat(onlySent(receive(push(wrongBase))).getTableRefusal().getReason())
                .isEqualTo(Reason.BASE_MISMATCH);
        assertThat(onlySent(receive(push(wrongResult))).getTableRefusal().getReason())
                .isEqualTo(Reason.DIGEST_MISMATCH);
        assertThat(core.installed().version()).isEqualTo(new TableVersion(4, 5));
    }

    @Test
    void shouldTakeTheNewestPushWhenTheOneBeforeIsInForce() {
        serve();
        receive(push(table(1, 5, 100, 3)));

        assertThat(receive(push(table(1, 6, 100, 4)))).isEmpty();
        assertThat(receive(push(table(1, 7, 100, 5)))).isEmpty();
        List<AgentEffect> effects = core.step(new AgentEvent.Installed(new TableVersion(1, 5)));

        assertThat(onlySent(effects).getTableAck().getFabricEpoch()).isEqualTo(5);
        assertThat(effects)
                .filteredOn(Install.class::isInstance)
                .singleElement()
                .satisfies(
                        effect -> assertThat(((Install) effect).change().table().version())
                                .isEqualTo(new TableVersion(1, 7)));
    }

    @Test
    void shouldAcknowledgeOnceWhatIsPushedAgainWhileItIsBeingInstalled() {
        serve();
        receive(push(table(1, 5, 100, 3)));

        assertThat(sent(receive(push(table(1, 5, 100, 3))))).isEmpty();
        assertThat(sent(receive(push(table(1, 5, 100, 3))))).isEmpty();

        AgentFrame answer = onlySent(core.step(new AgentEvent.Installed(new TableVersion(1, 5))));
        assertThat(answer.getTableAck().getFabricEpoch()).isEqualTo(5);
        assertThat(onlySent(receive(push(table(1, 5, 100, 3)))).hasTableAck())
                .as("its acknowledgement was lost")
                .isTrue();
    }

    @Test
    void shouldTellProgressWithinTheBoundsOfTheProtocolInWhateverThePlaneCounts() {
        serve();
        receive(push(table(1, 5, 8, 3)));
        TableVersion version = new TableVersion(1, 5);

        assertThat(core.step(new AgentEvent.InstallProgressed(version, -1, 100)))
                .isEmpty();
        TableProgress half = onlySent(core.step(
                        new AgentEvent.InstallProgressed(version, Integer.MAX_VALUE / 2 + 1, Integer.MAX_VALUE)))
                .getTableProgress();

        assertThat(half.getDone()).isEqualTo(SouthboundProtocol.MAX_ENTRIES / 2);
        assertThat(ReportCheck.refusal(half, GUID)).isEmpty();
    }

    @Test
    void shouldTellALossRightAfterTheWelcomeThatItsHelloKnewNothingOf() {
        greet();
        core.step(new AgentEvent.TableLost());
        core.step(new AgentEvent.TableRead(new InstalledTable(TableVersion.NONE, new byte[] {1})));

        AgentFrame lost = onlySent(receive(welcome(1)));

        assertThat(lost.getTableLost().getTable().getEntryCount()).isEqualTo(1);
    }

    @Test
    void shouldNotGreetBeforeItIsKnownWhatTheSwitchForwardsWith() {
        serve();
        core.step(new AgentEvent.TableLost());
        core.step(new AgentEvent.Disconnected("lost"));

        assertThat(core.step(new AgentEvent.ConnectDue()))
                .containsExactly(new OverdueAfter(AgentCore.INSTALL_PATIENCE_NANOS, TableVersion.NONE));
        assertThat(core.step(new AgentEvent.InstallOverdue(TableVersion.NONE)))
                .singleElement()
                .isInstanceOf(Note.class);

        assertThat(core.step(new AgentEvent.TableRead(InstalledTable.NONE))).contains(new Connect());
    }

    @Test
    void shouldEndASessionThatSaysUnaskedWhatIndicesStandFor() {
        serve();

        assertThat(receive(ManagerFrame.newBuilder()
                        .setDestinations(Destinations.getDefaultInstance())
                        .build()))
                .containsExactly(new Disconnect("unasked destinations"));
        assertThat(core.step(new AgentEvent.Disconnected("unasked destinations")))
                .filteredOn(ConnectAfter.class::isInstance)
                .singleElement()
                .satisfies(wait -> assertThat(((ConnectAfter) wait).nanos())
                        .as("trying soon cannot help")
                        .isBetween(5_000_000_000L, 10_000_000_000L));
    }

    /** Version 1.5 is in force, {@link #NEXT} is on its way there, and the session breaks. */
    private void loseTheSessionWhileATableIsUnderWay() {
        serve();
        install(table(1, 5, 100, 3));
        receive(push(table(1, 6, 100, 4)));
        core.step(new AgentEvent.Disconnected("lost"));
    }

    private List<AgentEffect> waitTooLong() {
        core.step(new AgentEvent.ConnectDue());
        return core.step(new AgentEvent.InstallOverdue(NEXT));
    }

    private Hello hello() {
        return onlySent(core.step(new AgentEvent.Connected())).getHello();
    }

    @Test
    void shouldGreetWithTheNextTableWhenItIsInForce() {
        loseTheSessionWhileATableIsUnderWay();

        assertThat(core.step(new AgentEvent.ConnectDue())).containsExactly(PATIENCE);
        assertThat(core.step(new AgentEvent.ConnectDue())).as("one wait").isEmpty();
        assertThat(core.step(new AgentEvent.Installed(NEXT))).containsExactly(new Connect());

        assertThat(hello().getTable().getFabricEpoch()).isEqualTo(6);
        assertThat(sent(receive(welcome(1)))).as("the Hello said it").isEmpty();
    }

    @Test
    void shouldGreetWithTheOldTableWhenThePlaneDidNotTakeTheNext() {
        loseTheSessionWhileATableIsUnderWay();
        core.step(new AgentEvent.ConnectDue());

        assertThat(core.step(new AgentEvent.InstallFailed(NEXT, "hardware said no")))
                .contains(new Connect());

        assertThat(hello().getTable().getFabricEpoch()).isEqualTo(5);
    }

    @Test
    void shouldNotWaitForAPlaneForEverNorTwice() {
        loseTheSessionWhileATableIsUnderWay();

        assertThat(waitTooLong()).contains(new Connect());
        assertThat(hello().getTable().getFabricEpoch()).isEqualTo(5);
        core.step(new AgentEvent.Disconnected("lost again"));

        assertThat(core.step(new AgentEvent.ConnectDue())).containsExactly(new Connect());
    }

    /** What it said of the table in force would not be true for long. */
    @Test
    void shouldWaitForAPlaneThatWritesOnButNotForEver() {
        loseTheSessionWhileATableIsUnderWay();
        core.step(new AgentEvent.ConnectDue());

        for (int i = 1; i < AgentCore.INSTALL_PATIENCES_MAX; i++) {
            core.step(new AgentEvent.InstallProgressed(NEXT, i, 100));
            assertThat(core.step(new AgentEvent.InstallOverdue(NEXT))).containsExactly(PATIENCE);
        }
        core.step(new AgentEvent.InstallProgressed(NEXT, 99, 100));

        assertThat(core.step(new AgentEvent.InstallOverdue(NEXT))).contains(new Connect());
    }

    @Test
    void shouldNotWaitForAPlaneThatStopsWriting() {
        loseTheSessionWhileATableIsUnderWay();
        core.step(new AgentEvent.InstallProgressed(NEXT, 1, 100));

        assertThat(waitTooLong()).contains(new Connect());
    }

    @Test
    void shouldWaitForTheNextTableAgainAfterOneThatTookTooLong() {
        loseTheSessionWhileATableIsUnderWay();
        waitTooLong();
        hello();
        core.step(new AgentEvent.Installed(NEXT));
        receive(welcome(1));
        receive(push(table(1, 7, 100, 5)));
        core.step(new AgentEvent.Disconnected("lost again"));

        assertThat(core.step(new AgentEvent.ConnectDue()))
                .containsExactly(new OverdueAfter(AgentCore.INSTALL_PATIENCE_NANOS, new TableVersion(1, 7)));
        assertThat(core.step(new AgentEvent.InstallOverdue(NEXT)))
                .as("it was about an older one")
                .isEmpty();
    }

    @Test
    void shouldTellAfterTheWelcomeWhatCameIntoForceAfterTheHello() {
        loseTheSessionWhileATableIsUnderWay();
        waitTooLong();
        hello();

        assertThat(core.step(new AgentEvent.Installed(NEXT)))
                .as("not before the Welcome")
                .isEmpty();
        List<AgentEffect> welcomed = receive(welcome(1));

        assertThat(onlySent(welcomed).getTableAck().getFabricEpoch()).isEqualTo(6);
        assertThat(welcomed.indexOf(new ReadPorts(List.of())))
                .as("the complete port report is first")
                .isLessThan(welcomed.indexOf(new Send(onlySent(welcomed))));
    }

    @Test
    void shouldTellInTheNextSessionWhatCameIntoForceDuringIt() {
        loseTheSessionWhileATableIsUnderWay();
        waitTooLong();
        hello();
        assertThat(sent(receive(welcome(1)))).isEmpty();

        AgentFrame ack = onlySent(core.step(new AgentEvent.Installed(NEXT)));

        assertThat(ack.getTableAck().getFabricEpoch()).isEqualTo(6);
    }

    @Test
    void shouldSayOnceWhatTheNextHelloSays() {
        loseTheSessionWhileATableIsUnderWay();
        waitTooLong();
        hello();
        core.step(new AgentEvent.Installed(NEXT));
        core.step(new AgentEvent.Disconnected("lost before the Welcome"));

        assertThat(greet().getTable().getFabricEpoch()).isEqualTo(6);
        assertThat(sent(receive(welcome(1)))).isEmpty();
    }

    @Test
    void shouldObeyAHigherLeaderWhoseFabricEpochIsLower() {
        serve();
        install(table(1, 1_000_000, 100, 3));

        AgentFrame answer = install(table(2, 1, 100, 4));

        assertThat(answer.getTableAck().getLeaderEpoch()).isEqualTo(2);
        assertThat(core.installed().version()).isEqualTo(new TableVersion(2, 1));
        assertThat(refusalOf(table(1, 1_000_001, 100, 3)).getReason()).isEqualTo(Reason.OLD_LEADER);
    }

    @Test
    void shouldRefuseATableOfAnEpochOutOfRange() {
        serve();
        install(table(1, 5, 100, 3));

        TableRefusal leader = refusalOf(table(1L << 31, 6, 100, 4));
        TableRefusal fabric = refusalOf(table(1, Long.MIN_VALUE, 100, 4));

        assertThat(leader.getReason()).isEqualTo(Reason.MALFORMED);
        assertThat(leader.getText()).isEqualTo("table of leader epoch 2147483648; expected 0..2147483647");
        assertThat(fabric.getText())
                .isEqualTo("table of fabric epoch 9223372036854775808; expected 0..4611686018427387904");
        assertThat(core.installed().version()).isEqualTo(new TableVersion(1, 5));
        assertThat(install(table(1, 6, 100, 4)).hasTableAck()).isTrue();
    }

    @Test
    void shouldLeaveAManagerWhoseLeaderEpochIsOutOfRange() {
        greet();

        assertThat(receive(welcome(1L << 31)))
                .containsExactly(new Disconnect("Welcome with leader epoch 2147483648; expected 0..2147483647"));
    }

    @Test
    void shouldLeaveAManagerThatIsNoLongerTheLeader() {
        serve();
        install(table(4, 5, 100, 3));
        core.step(new AgentEvent.Disconnected("lost"));
        greet();

        assertThat(receive(welcome(3)))
                .containsExactly(new Disconnect("manager has leader epoch 3, this switch obeyed 4"));
    }

    @Test
    void shouldKeepTheTableAndSayItAgainAfterTheManagerWasLost() {
        serve();
        install(table(1, 5, 100, 3));

        assertThat(core.step(new AgentEvent.Disconnected("lost"))).anyMatch(ConnectAfter.class::isInstance);
        Hello hello = greet();

        assertThat(hello.getTable().getFabricEpoch()).isEqualTo(5);
        assertThat(hello.getTable().getDigest())
                .isEqualTo(TableDigest.of(core.installed().entries()));
    }

    @Test
    void shouldWaitLongerAfterEachFailureAndStartAnewAfterSuccess() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            core.step(new AgentEvent.ConnectDue());
            waits.add(waitOf(core.step(new AgentEvent.Disconnected("nobody there"))));
        }

        for (int i = 0; i < waits.size(); i++) {
            long ceiling = Math.min(Backoff.MIN_NANOS << i, Backoff.MAX_NANOS);
            assertThat(waits.get(i)).isBetween(ceiling / 2, ceiling);
        }
        serve();
        assertThat(waitOf(core.step(new AgentEvent.Disconnected("lost")))).isLessThanOrEqualTo(Backoff.MIN_NANOS);
    }

    private static long waitOf(List<AgentEffect> effects) {
        return effects.stream()
                .filter(ConnectAfter.class::isInstance)
                .mapToLong(effect -> ((ConnectAfter) effect).nanos())
                .sum();
    }

    @Test
    void shouldSpreadWaitsByItsSeed() {
        List<Long> waits = new ArrayList<>();
        for (long seed = 0; seed < 20; seed++) {
            AgentCore other = core(seed);
            other.step(new AgentEvent.ConnectDue());
            waits.add(waitOf(other.step(new AgentEvent.Disconnected("nobody there"))));
        }

        assertThat(waits).doesNotHaveDuplicates();
    }

    @Test
    void shouldGiveWayWhenRefusedForWhatWillNotChangeSoon() {
        greet();
        ManagerFrame refusal = ManagerFrame.newBuilder()
                .setRefusal(Refusal.newBuilder()
                        .setReason(Refusal.Reason.WRONG_VERSION)
                        .setText("too old"))
                .build();

        assertThat(receive(refusal)).containsExactly(new Disconnect("refused, WRONG_VERSION: too old"));
        assertThat(waitOf(core.step(new AgentEvent.Disconnected("refused"))))
                .isBetween(5_000_000_000L, 10_000_000_000L);
    }

    @Test
    void shouldBreakOffWhenTheManagerSpeaksOutOfTurn() {
        greet();
        assertThat(receive(push(table(1, 1, 10, 1)))).containsExactly(new Disconnect("TABLE_PUSH before Welcome"));
        core.step(new AgentEvent.Disconnected("out of turn"));

        greet();
        assertThat(receive(welcome(1).toBuilder()
                        .setWelcome(Welcome.newBuilder().setProtocol(2))
                        .build()))
                .singleElement()
                .isInstanceOf(Disconnect.class);
        core.step(new AgentEvent.Disconnected("bad welcome"));

        serve();
        assertThat(receive(welcome(1))).containsExactly(new Disconnect("a second Welcome"));
    }

    @Test
    void shouldRepeatFaultsUntilAcknowledged() {
        serve();

        List<AgentEffect> first = core.step(new AgentEvent.RingNews(news(0x30)));
        core.step(new AgentEvent.RingNews(news(0x40)));
        List<AgentEffect> again = core.step(new AgentEvent.RetryDue());
        receive(ManagerFrame.newBuilder()
                .setFaultAck(FaultAck.newBuilder().setSequence(1))
                .build());
        AgentFrame rest = onlySent(core.step(new AgentEvent.RetryDue()));

        assertThat(first).contains(new RetryAfter(FaultReporting.RETRY_NANOS));
        assertThat(sent(again))
                .extracting(frame -> frame.getFaultReport().getSequence())
                .containsExactly(1L, 2L);
        assertThat(rest.getFaultReport().getSubjectGuid()).isEqualTo(0x40);
        receive(ManagerFrame.newBuilder()
                .setFaultAck(FaultAck.newBuilder().setSequence(2))
                .build());
        assertThat(core.step(new AgentEvent.RetryDue())).isEmpty();
    }

    private List<AgentEffect> acknowledge(long sequence) {
        return receive(ManagerFrame.newBuilder()
                .setFaultAck(FaultAck.newBuilder().setSequence(sequence))
                .build());
    }

    private static ManagerFrame transitQuery(long number) {
        return ManagerFrame.newBuilder()
                .setTransitQuery(TransitQuery.newBuilder()
                        .setNumber(number)
                        .setPort(4)
                        .setThere(7)
                        .setBack(9))
                .build();
    }

    @Test
    void shouldAskThroughNeighboursForTheManagerOfThisSessionOnly() {
        greet();
        receive(welcome(1));
        assertThat(receive(transitQuery(17))).containsExactly(new AgentEffect.AskThrough(17, 4, 7, 9));
        TransitReport report =
                onlySent(core.step(new AgentEvent.AskedThrough(17, 5, 3))).getTransitReport();
        assertThat(ReportCheck.refusal(report, GUID)).isEmpty();
        assertThat(report.getAnswered()).isEqualTo(3);
        assertThat(core.step(new AgentEvent.AskedThrough(17, 5, 3)))
                .as("told once")
                .isEmpty();

        receive(transitQuery(18));
        core.step(new AgentEvent.Disconnected("cut"));
        greet();
        receive(welcome(1));
        assertThat(core.step(new AgentEvent.AskedThrough(18, 5, 3))).isEmpty();
    }

    /** Another manager counts from one again. */
    @Test
    void shouldNotTellWhatAnotherManagerAskedUnderTheSameNumber() {
        greet();
        receive(welcome(1));
        receive(transitQuery(1));
        core.step(new AgentEvent.Disconnected("cut"));
        greet();
        receive(welcome(2));

        AgentFrame refused = onlySent(receive(transitQuery(1)));
        assertThat(refused.getTransitReport().getSent()).isZero();
        assertThat(core.step(new AgentEvent.AskedThrough(1, 5, 5))).isEmpty();

        assertThat(receive(transitQuery(1))).containsExactly(new AgentEffect.AskThrough(1, 4, 7, 9));
        assertThat(onlySent(core.step(new AgentEvent.AskedThrough(1, 5, 0)))
                        .getTransitReport()
                        .getSent())
                .isEqualTo(5);
    }

    @Test
    void shouldBoundTheQuestionsOfAllSessionsTogether() {
        for (int session = 0; session < 4; session++) {
            greet();
            receive(welcome(1));
            for (int number = 1; number <= AgentCore.QUESTIONS_MAX / 4; number++) {
                assertThat(receive(transitQuery(100 * session + number)))
                        .hasAtLeastOneElementOfType(AgentEffect.AskThrough.class);
            }
            core.step(new AgentEvent.Disconnected("cut"));
        }
        greet();
        receive(welcome(1));

        assertThat(onlySent(receive(transitQuery(1000))).getTransitReport().getSent())
                .isZero();
    }

    @Test
    void shouldAskABoundedNumberOfQuestionsAtATime() {
        greet();
        receive(welcome(1));
        for (int number = 1; number <= AgentCore.QUESTIONS_MAX; number++) {
            assertThat(receive(transitQuery(number))).hasAtLeastOneElementOfType(AgentEffect.AskThrough.class);
        }

        AgentFrame refused = onlySent(receive(transitQuery(1000)));

        assertThat(refused.getTransitReport().getNumber()).isEqualTo(1000);
        assertThat(refused.getTransitReport().getSent()).isZero();
        core.step(new AgentEvent.AskedThrough(1, 5, 5));
        assertThat(receive(transitQuery(1001))).containsExactly(new AgentEffect.AskThrough(1001, 4, 7, 9));
    }

    private ManagerFrame repairWelcome() {
        ManagerFrame welcome = welcome(1);
        return welcome.toBuilder()
                .setWelcome(welcome.getWelcome().toBuilder().setRepairReports(true))
                .build();
    }

    private static List<LocalRepair> repairs(List<AgentEffect> effects) {
        return sent(effects).stream()
                .filter(AgentFrame::hasLocalRepair)
                .map(AgentFrame::getLocalRepair)
                .toList();
    }

    @Test
    void shouldTellWhatTheSwitchRepairedToAManagerThatTakesIt() {
        greet();
        receive(welcome(1));
        assertThat(core.step(new AgentEvent.Repaired(2, 7, 1))).isEmpty();
        core.step(new AgentEvent.Repaired(3, 4, 0));
        core.step(new AgentEvent.Repaired(3, 0, 0));
        core.step(new AgentEvent.Disconnected("cut"));
        greet();

        LocalRepair standing =
                LocalRepair.newBuilder().setPort(2).setMoved(7).setStranded(1).build();
        assertThat(repairs(receive(repairWelcome()))).as("what holds yet").containsExactly(standing);
        assertThat(repairs(core.step(new AgentEvent.Repaired(2, 0, 0))))
                .containsExactly(LocalRepair.newBuilder().setPort(2).build());
        assertThat(core.step(new AgentEvent.Repaired(2, 0, 0))).isEmpty();
        assertThat(ReportCheck.refusal(standing, 0x10, 4)).isEmpty();
    }

    /** A cable that flaps while the manager reads nothing. */
    @Test
    void shouldTellOnlyTheLastRepairOfAPortWhenTheConnectionTakesBytesAgain() {
        greet();
        receive(repairWelcome());
        core.step(new AgentEvent.Writable(false));
        for (int flap = 0; flap < 1000; flap++) {
            assertThat(core.step(new AgentEvent.Repaired(2, 7, 1))).isEmpty();
            assertThat(core.step(new AgentEvent.Repaired(2, 0, 0))).isEmpty();
            assertThat(core.step(new AgentEvent.Repaired(3, flap + 1, 0))).isEmpty();
        }

        assertThat(repairs(core.step(new AgentEvent.Writable(true))))
                .containsExactly(
                        LocalRepair.newBuilder().setPort(2).build(),
                        LocalRepair.newBuilder().setPort(3).setMoved(1000).build());
        core.step(new AgentEvent.Writable(false));
        core.step(new AgentEvent.Repaired(2, 7, 1));
        core.step(new AgentEvent.Disconnected("cut"));
        greet();
        receive(welcome(1));
        core.step(new AgentEvent.Writable(false));
        assertThat(core.step(new AgentEvent.Writable(true)))
                .as("to one that does not take it")
                .isEmpty();
    }

    private ManagerFrame hearingWelcome() {
        ManagerFrame welcome = welcome(1);
        return welcome.toBuilder()
                .setWelcome(welcome.getWelcome().toBuilder().setHearingReports(true))
                .build();
    }

    private static List<FaultReport.Kind> kinds(List<AgentEffect> effects) {
        return sent(effects).stream()
                .filter(AgentFrame::hasFaultReport)
                .map(frame -> frame.getFaultReport().getKind())
                .toList();
    }

    @Test
    void shouldSayInEachSessionThatItHearsNobody() {
        greet();
        receive(hearingWelcome());
        AgentFrame first = onlySent(core.step(new AgentEvent.RingDeaf(true)));
        core.step(new AgentEvent.Disconnected("cut"));
        greet();

        assertThat(first.getFaultReport().getKind()).isEqualTo(FaultReport.Kind.HEARS_NOBODY);
        assertThat(ReportCheck.refusal(
                        first.getFaultReport(), first.getFaultReport().getSubjectGuid()))
                .isEmpty();
        assertThat(kinds(receive(hearingWelcome())))
                .as("once, though the first was not acknowledged")
                .containsExactly(FaultReport.Kind.HEARS_NOBODY);
        assertThat(kinds(core.step(new AgentEvent.RingDeaf(false)))).containsExactly(FaultReport.Kind.HEARS_AGAIN);
        assertThat(kinds(core.step(new AgentEvent.RetryDue())))
                .as("only how it is now is told again")
                .containsExactly(FaultReport.Kind.HEARS_AGAIN);
        core.step(new AgentEvent.Disconnected("cut"));
        greet();
        assertThat(kinds(receive(hearingWelcome()))).as("it hears").isEmpty();
    }

    @Test
    void shouldTellAManagerOfAnEarlierReleaseNothingItDoesNotKnow() {
        FaultReport foreign =
                news(0x50).toBuilder().setKind(FaultReport.Kind.FOREIGN_SOURCE).build();
        core.step(new AgentEvent.RingDeaf(true));
        core.step(new AgentEvent.RingNews(foreign));
        core.step(new AgentEvent.RingNews(news(0x51)));
        greet();

        assertThat(kinds(receive(welcome(1)))).containsExactly(FaultReport.Kind.AGENT_SILENT);
        assertThat(kinds(core.step(new AgentEvent.RingNews(foreign)))).isEmpty();
        assertThat(kinds(core.step(new AgentEvent.RingDeaf(false)))).isEmpty();
        core.step(new AgentEvent.Disconnected("cut"));
        core.step(new AgentEvent.RingNews(foreign));
        core.step(new AgentEvent.RingDeaf(true));
        greet();
        assertThat(kinds(receive(hearingWelcome())))
                .containsExactly(
                        FaultReport.Kind.AGENT_SILENT, FaultReport.Kind.FOREIGN_SOURCE, FaultReport.Kind.HEARS_NOBODY);
    }

    /** A manager that answers nothing is sent 32 reports at most each time, ever more slowly. */
    @Test
    void shouldRepeatABoundedNumberOfFaultsEverMoreSlowly() {
        serve();
        List<AgentEffect> effects = new ArrayList<>();
        for (int i = 0; i < FaultQueue.MAX_REPORTS; i++) {
            effects.addAll(core.step(new AgentEvent.RingNews(news(0x1000 + i))));
        }
        assertThat(sent(effects)).hasSize(FaultQueue.UNDER_WAY_MAX);
        List<Long> waits = new ArrayList<>();
        long frames = 0;
        long nanos = 0;
        while (nanos < 60_000_000_000L) {
            waits.add(effects.stream()
                    .filter(RetryAfter.class::isInstance)
                    .mapToLong(effect -> ((RetryAfter) effect).nanos())
                    .sum());
            nanos += waits.get(waits.size() - 1);
            effects = core.step(new AgentEvent.RetryDue());
            frames += sent(effects).size();
        }

        assertThat(waits).startsWith(500_000_000L, 1_000_000_000L, 2_000_000_000L, 4_000_000_000L, 8_000_000_000L);
        assertThat(waits).last().isEqualTo(FaultReporting.RETRY_MAX_NANOS);
        assertThat(frames).as("in a minute").isLessThanOrEqualTo(12 * FaultQueue.UNDER_WAY_MAX);

        assertThat(sent(acknowledge(1))).as("the next one").hasSize(1);
        assertThat(core.step(new AgentEvent.RetryDue()))
                .as("begins anew after an answer")
                .contains(new RetryAfter(2 * FaultReporting.RETRY_NANOS));
    }

    @Test
    void shouldKeepFaultsForTheNextSessionAndDropTheOldestAtTheBound() {
        for (int i = 0; i < FaultQueue.MAX_REPORTS + 3; i++) {
            assertThat(core.step(new AgentEvent.RingNews(news(i + 1)))).isEmpty();
        }
        greet();

        List<AgentFrame> faults = new ArrayList<>(sent(receive(welcome(1))));
        assertThat(faults).hasSize(FaultQueue.UNDER_WAY_MAX);
        for (int i = 0; i < faults.size(); i++) {
            faults.addAll(sent(acknowledge(faults.get(i).getFaultReport().getSequence())));
        }

        assertThat(faults).hasSize(FaultQueue.MAX_REPORTS);
        assertThat(faults)
                .extracting(frame -> frame.getFaultReport().getSequence())
                .isSorted()
                .startsWith(4L);
        assertThat(core.droppedFaults()).isEqualTo(3);
    }

    @Test
    void shouldHaveAMembershipDecodedByTheShell() {
        serve();
        ByteString bytes = ByteString.copyFromUtf8("whatever it is");

        assertThat(receive(ManagerFrame.newBuilder().setMembership(bytes).build()))
                .containsExactly(new DecodeMembership(bytes, null));
        assertThat(core.step(new AgentEvent.MembershipRefused("garbage", false)))
                .containsExactly(new Note(true, "ignored: garbage"));
    }

    @Test
    void shouldJoinTheRingOnceForEachNewerMembership() {
        serve();
        RingMembership ring = ring(5, 0x20, GUID);

        assertThat(join(ring)).containsExactly(new JoinRing(ring, 1));
        assertThat(join(ring)).isEmpty();
        assertThat(join(ring(4, GUID))).isEmpty();
        assertThat(join(ring(6, 0x20)))
                .containsExactly(
                        new Note(true, "ignored: membership epoch 6, cluster 1, 1 slots without 0x0000000000000010"));
        assertThat(join(ring(6, GUID))).hasSize(1);
    }

    @Test
    void shouldSayWhichRingItHoldsAndLetDifferencesStandOnTheNewestTold() {
        assertThat(greet().getMembershipDifferences()).isTrue();
        receive(welcome(1));
        join(ring(5, 0x20, GUID));
        RingMembership without = ring(6, 0x20);
        join(without);
        ByteString bytes = ByteString.copyFromUtf8("a difference");

        assertThat(receive(ManagerFrame.newBuilder().setMembership(bytes).build()))
                .containsExactly(new DecodeMembership(bytes, without));
        core.step(new AgentEvent.Disconnected("lost"));
        assertThat(greet().getMembershipEpoch()).isEqualTo(6);
    }

    @Test
    void shouldComeBackForTheWholeRingWhenADifferenceDoesNotFit() {
        serve();
        join(ring(5, 0x20, GUID));

        assertThat(core.step(new AgentEvent.MembershipRefused("stands on epoch 7", true)))
                .containsExactly(
                        new Note(true, "ignored: stands on epoch 7"), new Disconnect("needs the whole membership"));

        core.step(new AgentEvent.Disconnected("needs the whole membership"));
        assertThat(greet().getMembershipEpoch()).isZero();
        receive(welcome(1));
        assertThat(join(ring(8, 0x20, GUID))).hasSize(1);
        assertThat(core.step(new AgentEvent.Disconnected("lost"))).isNotEmpty();
        assertThat(greet().getMembershipEpoch()).isEqualTo(8);
    }

    private List<AgentEffect> join(RingMembership ring) {
        return core.step(new AgentEvent.MembershipDecoded(ring));
    }

    private static RingMembership ring(long epoch, long... guids) {
        return new RingMembership(
                new Membership(epoch, 1, guids, new int[guids.length]), List.of(), RingRules.published(1, 2));
    }

    @Test
    void shouldSayTheIncarnationTheRingRaised() {
        core.step(new AgentEvent.IncarnationRaised(12));

        assertThat(greet().getIncarnation()).isEqualTo(12);
    }

    @Test
    void shouldIgnoreWhatNoLongerMatters() {
        assertThat(receive(welcome(1))).isEmpty();
        assertThat(core.step(new AgentEvent.Connected())).isEmpty();
        assertThat(core.step(new AgentEvent.Disconnected("again"))).isEmpty();
        assertThat(core.step(new AgentEvent.PortsChanged(List.of(port(1, true)))))
                .isEmpty();
        assertThat(core.step(new AgentEvent.PortsRead(List.of()))).isEmpty();
        assertThat(core.step(new AgentEvent.Installed(TableVersion.NONE))).isEmpty();
        assertThat(core.step(new AgentEvent.RetryDue())).isEmpty();
    }

    private void revoke(long leaderEpoch, long fabricEpoch) {
        core.step(new AgentEvent.Revoked(new TableVersion(leaderEpoch, fabricEpoch)));
    }

    private TableRefusal refusalOf(TablePush push) {
        AgentFrame answer = onlySent(receive(push(push)));
        assertThat(answer.hasTableRefusal()).isTrue();
        return answer.getTableRefusal();
    }

    @Test
    void shouldRefuseTablesBelowWhatTheRingRevoked() {
        serve();
        install(table(1, 5, 100, 3));

        revoke(1, 8);

        TableRefusal refusal = refusalOf(table(1, 7, 100, 4));
        assertThat(refusal.getReason()).isEqualTo(Reason.REVOKED);
        assertThat(refusal.getText()).isEqualTo("tables below 1/8 are revoked");
        assertThat(refusal.getTable().getFabricEpoch())
                .as("the table in force stays")
                .isEqualTo(5);
        assertThat(core.installed().entries()).containsOnly(3);
        assertThat(install(table(1, 8, 100, 4)).hasTableAck()).isTrue();
    }

    /** Whoever holds the ring's key could lock out all managers with it. */
    @Test
    void shouldNotBelieveARevocationOutOfReach() {
        serve();

        revoke(1L << 31, 0);
        revoke(-1, 0);
        revoke(1, Long.MAX_VALUE);
        revoke(1 + SouthboundProtocol.LEADER_STEP_MAX + 1, 0);
        assertThat(core.revokedBelow()).isEqualTo(TableVersion.NONE);
        assertThat(install(table(1, 5, 100, 3)).hasTableAck()).isTrue();

        revoke(1 + SouthboundProtocol.LEADER_STEP_MAX, 0);
        assertThat(refusalOf(table(1, 6, 100, 4)).getReason()).isEqualTo(Reason.OLD_LEADER);
    }

    @Test
    void shouldKeepTheHighestRevocation() {
        serve();

        revoke(1, 8);
        revoke(1, 6);

        assertThat(refusalOf(table(1, 7, 10, 4)).getReason()).isEqualTo(Reason.REVOKED);
    }

    @Test
    void shouldObeyWhoRevokedAndNotTheManagerBeforeHim() {
        serve();
        install(table(1, 5, 100, 3));

        revoke(2, 0);

        assertThat(refusalOf(table(1, 9, 100, 4)).getReason()).isEqualTo(Reason.OLD_LEADER);
        core.step(new AgentEvent.Disconnected("cut"));
        assertThat(greet().getLeaderEpoch()).as("said to whoever leads next").isEqualTo(2);
        assertThat(receive(welcome(1))).singleElement().isInstanceOf(Disconnect.class);
        core.step(new AgentEvent.Disconnected("old manager"));
        greet();
        assertThat(receive(welcome(2))).contains(new ReadPorts(List.of()));
        assertThat(install(table(2, 1, 100, 4)).hasTableAck()).isTrue();
    }
}

package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is missing is told, with its number and time, and nothing else is. */
class AlarmTrackerTest {
    private static final long NEW_SPINE = 0x77;

    private SimulatedFabric fabric;
    private long leaf;
    private long spine;
    private Cable uplink;

    @BeforeEach
    void start() {
        fabric = new SimulatedFabric("2;4,4;1,2;1,1").start();
        leaf = fabric.guid("leaf0");
        spine = fabric.guid("l2s0");
        uplink = cableBetween(leaf, spine);
    }

    private Cable cableBetween(long near, long far) {
        for (int port = 1; port <= fabric.metal.portCount(near); port++) {
            if (fabric.metal.neighbour(near, port) instanceof ToSwitch to && to.guid() == far) {
                return new Cable(near, port, to.guid(), to.port());
            }
        }
        throw new IllegalArgumentException("no cable");
    }

    private List<Alarm> alarms() {
        return List.copyOf(fabric.state.alarms());
    }

    private List<Alarm> alone() {
        return alarms().stream()
                .filter(alarm -> fabric.state.snapshot().parentOf(alarm) == null)
                .toList();
    }

    private void forget(Forgettable what) {
        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(what)), 0, "ada", ""));
        fabric.calm();
    }

    private void kill(long guid) {
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    private int hostPort(long guid) {
        for (int port = 1; port <= fabric.metal.portCount(guid); port++) {
            if (fabric.metal.neighbour(guid, port) instanceof ToHost) {
                return port;
            }
        }
        throw new IllegalArgumentException("no host");
    }

    private ToHost hostAt(long guid, int port) {
        return (ToHost) Objects.requireNonNull(fabric.metal.neighbour(guid, port));
    }

    @Test
    void shouldHaveNoAlarmWhileAllWorks() {
        assertThat(alarms()).isEmpty();
        assertThat(fabric.state.inventory().switchCount()).isEqualTo(6);
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(8);
        assertThat(fabric.state.inventory().hostCount()).isEqualTo(16);
    }

    @Test
    void shouldNameTheCableThatIsDownUntilItIsBack() {
        fabric.setCable(uplink, false, true);
        fabric.calm();

        assertThat(alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Kind.LINK_DOWN);
            assertThat(alarm.guid()).isEqualTo(leaf);
            assertThat(alarm.port()).isEqualTo(uplink.port());
            assertThat(alarm.peerGuid()).isEqualTo(spine);
            assertThat(alarm.peerPort()).isEqualTo(uplink.farPort());
            assertThat(alarm.causeEpoch()).isEqualTo(fabric.state.epoch());
            assertThat(alarm.text()).contains("leaf0 port " + uplink.port(), "l2s0 port " + uplink.farPort(), "down");
        });

        fabric.setCable(uplink, true, true);
        fabric.work();
        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.LINK_HELD);

        fabric.calm();
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldTellOfAHostThatLostItsCableWithoutANewEpoch() {
        long epoch = fabric.state.epoch();
        int port = hostPort(leaf);
        String name = hostAt(leaf, port).host().name();

        fabric.setPort(leaf, port, false, true);
        fabric.calm();

        assertThat(alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Kind.HOST_DOWN);
            assertThat(alarm.text()).isEqualTo("host " + name + " at leaf0 port " + port + " down");
        });
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_DOWN)).hasSize(1);
        assertThat(fabric.state.epoch()).isEqualTo(epoch);

        fabric.setPort(leaf, port, true, true);
        fabric.calm();

        assertThat(alarms()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_UP)).hasSize(1);
        assertThat(fabric.state.epoch()).isEqualTo(epoch);
    }

    @Test
    void shouldNotMissAHostThatMoved() {
        int port = hostPort(leaf);
        ToHost host = hostAt(leaf, port);
        long other = fabric.guid("leaf1");
        int free = hostPort(other);
        forgetOccupantOf(other, free);

        fabric.setPort(leaf, port, false, true);
        fabric.metal.apply(new PortSeen(other, free, true, host));
        fabric.send(new FabricEvent.PortsReported(
                fabric.now, fabric.session(other), other, false, List.of(new PortSeen(other, free, true, host))));
        fabric.calm();

        assertThat(alarms()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_UP))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).contains("at leaf1 port " + free, "was at leaf0"));
    }

    private void forgetOccupantOf(long guid, int port) {
        ToHost host = hostAt(guid, port);
        fabric.setPort(guid, port, false, true);
        fabric.calm();
        forget(new HostPort(host.host().portGuid()));
        assertThat(alarms()).isEmpty();
        // Long enough for its flap to be forgotten.
        fabric.pass(700_000 * SimulatedFabric.MILLI);
    }

    @Test
    void shouldPutALostLeafsLinksAndHostsUnderItsOneAlarm() {
        kill(leaf);

        assertThat(alone()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Kind.SWITCH_DEAD);
            assertThat(alarm.guid()).isEqualTo(leaf);
        });
        assertThat(fabric.state.alarmCount(Kind.LINK_DOWN)).isEqualTo(2);
        assertThat(fabric.state.alarmCount(Kind.HOST_DOWN)).isEqualTo(4);
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_DOWN))
                .as("told with its leaf")
                .isEmpty();

        fabric.setLinks(leaf, true, true);
        fabric.join(leaf);
        fabric.calm();
        assertThat(alarms()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.HOST_UP))
                .as("told with its leaf")
                .isEmpty();
    }

    @Test
    void shouldKeepAReplacedSpineInAlarmUntilItIsForgotten() {
        kill(spine);
        fabric.metal.apply(new SwitchSeen(NEW_SPINE, "new", fabric.metal.portCount(spine)));
        for (int port = 1; port <= fabric.metal.portCount(spine); port++) {
            if (fabric.metal.neighbour(spine, port) instanceof ToSwitch to) {
                fabric.metal.apply(new PortSeen(NEW_SPINE, port, true, to));
                fabric.metal.apply(new PortSeen(to.guid(), to.port(), true, new ToSwitch(NEW_SPINE, port)));
                fabric.send(new FabricEvent.PortsReported(
                        fabric.now,
                        fabric.session(to.guid()),
                        to.guid(),
                        false,
                        List.of(new PortSeen(to.guid(), to.port(), true, new ToSwitch(NEW_SPINE, port)))));
            }
        }
        fabric.join(NEW_SPINE);
        fabric.calm();

        assertThat(alarms())
                .as("its cables lead elsewhere now")
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.guid()).isEqualTo(spine));
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(8);

        forget(new SwitchGuid(spine));

        assertThat(alarms()).isEmpty();
        assertThat(fabric.state.findSwitch(spine)).isNull();
        assertThat(fabric.state.membership().members())
                .extracting(Effect.Member::guid)
                .doesNotContain(spine)
                .contains(NEW_SPINE);
        assertThat(fabric.state.expected).doesNotContain(spine);
        assertThat(fabric.state.identity.levels().levels().get(spine)).isEmpty();
        assertThat(fabric.disk.records())
                .noneMatch(
                        record -> record.key().guid() == spine && record.key().kind() != StateRecord.Kind.HELD_TABLE);
        assertThat(fabric.restarted().state.findSwitch(NEW_SPINE)).isNotNull();
        assertThat(fabric.restarted().state.findSwitch(spine)).isNull();
    }

    @Test
    void shouldNotForgetWhatIsThere() {
        forget(new SwitchGuid(spine));
        forget(new CableAt(leaf, uplink.port()));
        forget(new HostPort(hostAt(leaf, hostPort(leaf)).host().portGuid()));
        fabric.leave(spine);
        fabric.calm();
        forget(new SwitchGuid(spine));

        assertThat(fabric.state.inventory().switchCount()).isEqualTo(6);
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(8);
        assertThat(fabric.state.inventory().hostCount()).isEqualTo(16);
        assertThat(Forgetting.obstacle(fabric.state, new SwitchGuid(spine)))
                .contains("l2s0: its neighbours see links to it up");
        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.SWITCH_HEADLESS);
    }

    @Test
    void shouldForgetACableAndTakeItBackWhenItWorksAgain() {
        fabric.setCable(uplink, false, true);
        fabric.calm();

        forget(new CableAt(spine, uplink.farPort()));

        assertThat(alarms()).isEmpty();
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(7);

        fabric.setCable(uplink, true, true);
        fabric.calm();
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(8);
    }

    @Test
    void shouldKeepNumberAndTimeOfAnAlarmOverARestart() {
        fabric.pass(3_000 * SimulatedFabric.MILLI);
        fabric.setCable(uplink, false, true);
        fabric.calm();
        Alarm before = alarms().get(0);
        fabric.pass(60_000 * SimulatedFabric.MILLI);

        fabric = fabric.restarted().start();

        assertThat(alarms()).containsExactly(before);
        fabric.setPort(leaf, hostPort(leaf), false, true);
        fabric.calm();
        assertThat(alarms().get(1).id()).isEqualTo(before.id() + 1);
    }

    @Test
    void shouldCloseOverARestartWhatWasMendedMeanwhile() {
        fabric.setCable(uplink, false, true);
        fabric.calm();
        fabric.setCable(uplink, true, false);

        fabric = fabric.restarted().start();

        assertThat(alarms()).isEmpty();
        assertThat(fabric.disk.all(OpenAlarm.class)).isEmpty();
        fabric.setCable(uplink, false, true);
        fabric.calm();
        assertThat(alarms().get(0).id()).as("numbers are never used again").isEqualTo(2);
    }

    @Test
    void shouldMissASwitchWhoseAgentDoesNotComeBackAfterARestart() {
        SimulatedFabric next = fabric.restarted();
        for (String name : List.of("leaf0", "leaf1", "leaf2", "leaf3", "l2s1")) {
            next.join(next.guid(name));
        }
        next.calm();
        fabric = next;

        assertThat(alone()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Kind.SWITCH_MISSING);
            assertThat(alarm.text()).startsWith("l2s0: ");
        });
        assertThat(fabric.state.alarmCount(Kind.LINK_DOWN)).as("it forwards on").isZero();

        fabric.setLinks(spine, false, true);
        forget(new SwitchGuid(spine));

        assertThat(alarms()).isEmpty();
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(4);
    }

    @Test
    void shouldCountAnAgentThatIsGoneOutOfTheRing() {
        List<Long> all = members();

        fabric.leave(spine);
        fabric.pass(9_000 * SimulatedFabric.MILLI);
        assertThat(members()).as("it may only be restarting").containsExactlyElementsOf(all);

        fabric.pass(2_000 * SimulatedFabric.MILLI);
        assertThat(members()).hasSize(all.size() - 1).doesNotContain(spine);

        fabric.join(spine);
        fabric.calm();
        assertThat(members()).containsExactlyInAnyOrderElementsOf(all);
    }

    private List<Long> members() {
        return fabric.state.membership().members().stream()
                .map(Effect.Member::guid)
                .toList();
    }

    @Test
    void shouldTellOfCertificatesThatEndAndFollowWhatIsSaidOfThem() {
        fabric.send(new FabricEvent.CertificatesLooked(fabric.now, "leaf0 until Monday"));
        fabric.calm();
        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.CERTIFICATE_ENDS);

        fabric.send(new FabricEvent.CertificatesLooked(fabric.now, "leaf0 until Monday, leaf1 until Tuesday"));
        fabric.calm();
        assertThat(alarms())
                .singleElement()
                .extracting(Alarm::text)
                .isEqualTo("leaf0 until Monday, leaf1 until Tuesday");

        fabric.send(new FabricEvent.CertificatesLooked(fabric.now, ""));
        fabric.calm();
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldTellOfASubnetManagerThatTakesNoTables() {
        fabric.send(new FabricEvent.SubnetManagerReported(fabric.now, List.of("no opensm"), true));
        fabric.calm();
        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.SUBNET_MANAGER);
        assertThat(alarms()).singleElement().extracting(Alarm::text).isEqualTo("no opensm");

        fabric.send(new FabricEvent.SubnetManagerReported(fabric.now, List.of(), false));
        fabric.calm();
        assertThat(alarms()).isEmpty();
    }

    private void report(String... troubles) {
        fabric.send(new FabricEvent.SubnetManagerReported(fabric.now, List.of(troubles), false));
        fabric.calm();
    }

    private List<String> saidOfTheSubnetManager() {
        return fabric.notes(LoggedEvent.Kind.SUBNET_MANAGER).stream()
                .map(LoggedEvent::text)
                .toList();
    }

    /** What goes on is in the alarm, and not told once more because something else began or ended. */
    @Test
    void shouldTellOfEachTroubleOfTheSubnetManagerOnce() {
        report("no ibnetdiscover");
        report("no ibnetdiscover", "disk full");
        assertThat(alarms()).singleElement().extracting(Alarm::text).isEqualTo("no ibnetdiscover; disk full");
        report("disk full");
        assertThat(alarms()).singleElement().extracting(Alarm::text).isEqualTo("disk full");
        assertThat(saidOfTheSubnetManager()).containsExactly("no ibnetdiscover", "disk full");

        report();

        assertThat(saidOfTheSubnetManager())
                .containsExactly("no ibnetdiscover", "disk full", "OpenSM takes the tables again");
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldTellOfAStoreThatFails() {
        fabric.send(
                new FabricEvent.StoreReported(fabric.now, "state file x cannot be written: No space left on device"));
        fabric.calm();

        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.STATE_STORE);
        fabric.send(new FabricEvent.StoreReported(fabric.now, ""));
        fabric.calm();
        assertThat(alarms()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.STATE_STORE)).hasSize(2);
    }

    /** No agent comes in, maybe as the manager's certificate is over; and acts are declined that the disk does not take. */
    @Test
    void shouldTellOfWhatTheManagerLacksThoughNoFabricIsFound() {
        SimulatedFabric nobody = new SimulatedFabric("2;4,4;1,2;1,1");
        nobody.send(new FabricEvent.StoreReported(nobody.now, "No space left on device"));
        nobody.send(new FabricEvent.CertificatesLooked(nobody.now, "the manager's until Monday"));
        nobody.work();
        assertThat(nobody.state.alarms())
                .extracting(Alarm::kind)
                .containsExactlyInAnyOrder(Kind.STATE_STORE, Kind.CERTIFICATE_ENDS);

        nobody.send(new FabricEvent.StoreReported(nobody.now, ""));
        nobody.send(new FabricEvent.CertificatesLooked(nobody.now, ""));
        nobody.work();
        assertThat(nobody.state.alarms()).isEmpty();
    }

    @Test
    void shouldAskAllAgentsAboutAllPortsWhenSettingsAreReadAgain() {
        fabric.setCable(uplink, false, false);
        fabric.calm();
        assertThat(alarms()).as("nobody reported it").isEmpty();

        fabric.send(new FabricEvent.SettingsRead(fabric.now, null, "not read"));
        fabric.calm();

        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.LINK_DOWN);
        List<String> asked = new ArrayList<>();
        fabric.log.stream()
                .filter(Effect.QueryPorts.class::isInstance)
                .map(Effect.QueryPorts.class::cast)
                .forEach(
                        query -> asked.add(query.session() + " " + query.ports().size()));
        assertThat(asked).hasSize(6).contains(fabric.session(leaf) + " " + fabric.metal.portCount(leaf));
    }

    @Test
    void shouldNotHideACutCableUnderASwitchThatForwardsWithoutAnAgent() {
        fabric.leave(leaf);
        fabric.calm();

        fabric.setCable(uplink, false, true);
        fabric.calm();

        assertThat(alone())
                .extracting(Alarm::kind)
                .containsExactly(Kind.SWITCH_HEADLESS, Kind.LINK_DOWN, Kind.PAIRS_LOST);
    }

    @Test
    void shouldListAlarmsByNumberAlsoAfterARestart() {
        long last = fabric.guid("leaf3");
        fabric.setPort(last, hostPort(last), false, true);
        fabric.calm();
        fabric.setPort(leaf, hostPort(leaf), false, true);
        fabric.calm();
        List<Alarm> before = alarms();

        fabric = fabric.restarted().start();

        assertThat(alarms()).extracting(Alarm::id).containsExactly(1L, 2L);
        assertThat(alarms()).isEqualTo(before);
    }

    @Test
    void shouldKeepNumberAndTimeOfACutOffLeafOverARestart() {
        fabric.setCable(uplink, false, true);
        fabric.setCable(cableBetween(leaf, fabric.guid("l2s1")), false, true);
        fabric.calm();
        List<Alarm> before = alarms();
        assertThat(before).extracting(Alarm::kind).contains(Kind.LEAF_CUT_OFF);
        fabric.pass(60_000 * SimulatedFabric.MILLI);

        fabric = fabric.restarted().start();
        assertThat(alarms()).isEqualTo(before);

        fabric.setCable(uplink, true, false);
        fabric = fabric.restarted().start();
        assertThat(alarms()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.LINK_DOWN);
        assertThat(fabric.disk.all(OpenAlarm.class)).hasSize(1);
    }

    @Test
    void shouldReleaseHeldPortsAlthoughASwitchCameBackWithFewer() {
        long smaller = fabric.guid("leaf3");
        Cable last = cableBetween(smaller, fabric.guid("l2s1"));
        assertThat(last.port()).isEqualTo(fabric.metal.portCount(smaller));
        for (boolean up : new boolean[] {false, true}) {
            fabric.setCable(last, up, true);
            fabric.setCable(uplink, up, true);
            fabric.work();
        }
        assertThat(fabric.state.heldDownCount()).isEqualTo(4);

        fabric.leave(smaller);
        fabric.metal.apply(new SwitchSeen(smaller, "smaller", last.port() - 1));
        fabric.join(smaller);
        fabric.calm();

        assertThat(fabric.state.cabling().isLive(leaf, uplink.port())).isTrue();
        assertThat(fabric.state.heldDownCount()).isZero();
    }

    @Test
    void shouldNotForgetASwitchThatForwardsWhileNoNeighboursAgentIsThere() {
        for (String name : List.of("leaf0", "leaf1", "leaf2", "leaf3", "l2s0", "l2s1")) {
            fabric.leave(fabric.guid(name));
        }
        fabric.calm();

        forget(new SwitchGuid(spine));

        assertThat(fabric.state.findSwitch(spine)).isNotNull();
        assertThat(Forgetting.obstacle(fabric.state, new SwitchGuid(spine))).contains("links to it were up");
    }

    @Test
    void shouldNotForgetAMissingSwitchThatItsNeighboursSee() {
        SimulatedFabric next = fabric.restarted();
        for (String name : List.of("leaf0", "leaf1", "leaf2", "leaf3", "l2s1")) {
            next.join(next.guid(name));
        }
        next.calm();
        fabric = next;

        forget(new SwitchGuid(spine));
        assertThat(alone()).singleElement().extracting(Alarm::kind).isEqualTo(Kind.SWITCH_MISSING);

        fabric.setLinks(spine, false, true);
        forget(new SwitchGuid(spine));
        assertThat(fabric.state.inventory().hasSwitch(spine)).isFalse();
    }

    @Test
    void shouldAskAllPortsOnceHoweverOftenSettingsAreReadInOneBatch() {
        int before = fabric.log.size();
        for (int i = 0; i < 1000; i++) {
            fabric.send(new FabricEvent.SettingsRead(fabric.now, null, "not read"));
        }
        fabric.calm();

        assertThat(fabric.log.subList(before, fabric.log.size()))
                .filteredOn(Effect.QueryPorts.class::isInstance)
                .hasSize(6);
    }

    @Test
    void shouldLeaveAMovedHostWhereItIsUpWhenItsOldPortRemembersIt() {
        int port = hostPort(leaf);
        ToHost host = hostAt(leaf, port);
        long other = fabric.guid("leaf1");
        int free = hostPort(other);
        forgetOccupantOf(other, free);
        fabric.metal.apply(new PortSeen(leaf, port, false, null));
        fabric.metal.apply(new PortSeen(other, free, true, host));
        fabric.send(new FabricEvent.PortsReported(
                fabric.now, fabric.session(other), other, false, List.of(new PortSeen(other, free, true, host))));
        fabric.calm();
        long epoch = fabric.state.epoch();

        fabric.send(new FabricEvent.PortsReported(
                fabric.now, fabric.session(leaf), leaf, false, List.of(new PortSeen(leaf, port, false, host))));
        fabric.calm();

        assertThat(fabric.state.cabling().neighbour(other, free)).isEqualTo(host);
        assertThat(fabric.state.epoch()).as("no new tables").isEqualTo(epoch);
        assertThat(alarms()).isEmpty();
    }

    /** Both ends report the cable as it is now. */
    private void plug(Cable cable) {
        end(cable.guid(), cable.port(), new ToSwitch(cable.farGuid(), cable.farPort()));
        end(cable.farGuid(), cable.farPort(), new ToSwitch(cable.guid(), cable.port()));
    }

    private void end(long guid, int port, Neighbour far) {
        PortSeen seen = new PortSeen(guid, port, true, far);
        fabric.metal.apply(seen);
        fabric.send(new FabricEvent.PortsReported(fabric.now, fabric.session(guid), guid, false, List.of(seen)));
    }

    @Test
    void shouldMissTheCableThatWasPulledOutToMakeRoomUntilTheSwapIsWhole() {
        Cable other = cableBetween(fabric.guid("leaf1"), fabric.guid("l2s1"));
        fabric.setCable(uplink, false, true);
        fabric.setCable(other, false, true);
        fabric.calm();

        plug(new Cable(uplink.guid(), uplink.port(), other.farGuid(), other.farPort()));
        fabric.pass(700_000 * SimulatedFabric.MILLI);

        assertThat(missingCables()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Kind.LINK_DOWN);
            assertThat(List.of(alarm.guid(), alarm.peerGuid())).containsExactly(other.guid(), uplink.farGuid());
        });
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(8);

        plug(new Cable(other.guid(), other.port(), uplink.farGuid(), uplink.farPort()));
        fabric.pass(700_000 * SimulatedFabric.MILLI);
        assertThat(missingCables()).as("swapped").isEmpty();

        plug(uplink);
        fabric.pass(700_000 * SimulatedFabric.MILLI);
        assertThat(missingCables()).as("one put back, the other one not yet").hasSize(1);
        plug(other);
        fabric.pass(700_000 * SimulatedFabric.MILLI);
        assertThat(missingCables()).isEmpty();
        assertThat(fabric.state.inventory().linkCount()).isEqualTo(8);
    }

    /** Leaves are cut off by such a swap, too, for a while. */
    private List<Alarm> missingCables() {
        return alarms().stream()
                .filter(alarm -> alarm.kind() == Kind.LINK_DOWN || alarm.kind() == Kind.LINK_HELD)
                .toList();
    }

    @Test
    void shouldMissTheHostThatGaveWayUntilItIsWhereTheOtherCameFrom() {
        long leaf1 = fabric.guid("leaf1");
        int port = hostPort(leaf);
        int from = hostPort(leaf1);
        ToHost gaveWay = hostAt(leaf, port);
        ToHost moved = hostAt(leaf1, from);
        fabric.setPort(leaf, port, false, true);
        fabric.setPort(leaf1, from, false, true);
        fabric.calm();

        end(leaf, port, moved);
        fabric.pass(700_000 * SimulatedFabric.MILLI);

        assertThat(alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Kind.HOST_DOWN);
            assertThat(alarm.peerGuid()).isEqualTo(gaveWay.host().portGuid());
        });
        assertThat(fabric.state.inventory().hostCount()).isEqualTo(16);

        end(leaf1, from, gaveWay);
        fabric.pass(700_000 * SimulatedFabric.MILLI);
        assertThat(alarms()).isEmpty();
    }
}

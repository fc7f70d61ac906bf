package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A host that gets other addresses is known by them, at once and for good, and has not moved. */
class ReaddressedHostTest {
    private static final HostAddresses ADDRESSES = HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07");
    private static final HostAddresses OTHERS = HostAddresses.parse(13, "10.0.0.8", null, null);
    private static final long FRESH = 0x7777;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,3;1,2;1,1").start();
    private final long leaf0 = fabric.guid("leaf0");
    private final long leaf2 = fabric.guid("leaf2");
    private final Host host = ((ToHost) Objects.requireNonNull(fabric.metal.claim(leaf0, 1))).host();
    private final int node = fabric.state.nodeIndex(host.portGuid());

    private Host with(HostAddresses addresses) {
        return new Host(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), addresses);
    }

    private void says(long guid, int port, boolean up, Host far) {
        fabric.metal.apply(new PortSeen(guid, port, up, new ToHost(far)));
        fabric.setPort(guid, port, up, true);
        fabric.work();
    }

    private FabricView view() {
        return Objects.requireNonNull(fabric.state.view());
    }

    /** As a reader of the newest snapshot finds it. */
    private @Nullable Host shown() {
        FabricView view = fabric.state.snapshot().view();
        return view == null ? null : view.host(node);
    }

    private String cause() {
        return Objects.requireNonNull(fabric.state.snapshot().lastEpoch()).cause();
    }

    private List<Alarm> disagreements() {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.CABLE_DISAGREES)
                .toList();
    }

    @Test
    void shouldKnowTheAddressesAndKeepThem() {
        says(leaf0, 1, true, with(ADDRESSES));
        fabric.calm();

        ToHost known = new ToHost(with(ADDRESSES));
        assertThat(shown()).isEqualTo(known.host());
        assertThat(fabric.state.snapshot().expected(leaf0, 1)).isEqualTo(known);
        assertThat(Objects.requireNonNull(fabric.state.snapshot().findSwitch(leaf0))
                        .neighbour(1))
                .isEqualTo(known);
        assertThat(cause()).isEqualTo("leaf0 port 1: host node0 has other addresses");
        assertThat(fabric.disk.all(KnownSwitch.class))
                .filteredOn(kept -> kept.claims().guid() == leaf0)
                .singleElement()
                .satisfies(kept ->
                        assertThat(kept.claims().ports().get(0).neighbour()).isEqualTo(known));
        assertThat(fabric.disk.all(ExpectedSwitch.class))
                .filteredOn(kept -> kept.guid() == leaf0)
                .singleElement()
                .satisfies(kept -> assertThat(kept.ports().get(0).neighbour()).isEqualTo(known));
        SimulatedFabric next = fabric.restarted();
        assertThat(next.state.cabling().claim(leaf0, 1)).isEqualTo(known);
        assertThat(next.state.inventory().expected(leaf0, 1)).isEqualTo(known);
    }

    @Test
    void shouldNeitherMoveNorMissNorRefuseAHostForItsAddresses() {
        fabric.log.clear();
        int indices = fabric.state.identity.nodes.size();
        for (int i = 1; i <= 3 * NewHosts.PER_PORT_MAX; i++) {
            says(leaf0, 1, true, with(HostAddresses.ofLid(i)));
            fabric.pass(FarEndChanges.EACH_NANOS);
        }

        assertThat(shown()).isEqualTo(with(HostAddresses.ofLid(3 * NewHosts.PER_PORT_MAX)));
        assertThat(fabric.log)
                .filteredOn(Effect.Tell.class::isInstance)
                .extracting(effect -> ((Effect.Tell) effect).note().kind())
                .containsOnly(Kind.EPOCH_COMPUTED, Kind.EPOCH_COMPLETE);
        assertThat(fabric.count(Effect.Push.class)).as("no table changes").isZero();
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.state.identity.nodes.size()).isEqualTo(indices);
        assertThat(fabric.state.nodeIndex(host.portGuid())).isEqualTo(node);
        assertThat(fabric.state.inventory().hostCount()).isEqualTo(6);
        assertThat(fabric.state.inventory().portOf(host.portGuid())).isEqualTo(new PortPlace(leaf0, 1));
        assertThat(fabric.state.holdDown.flapCount(leaf0, 1)).isZero();
        assertThat(fabric.state.heldDown(leaf0, 1)).isFalse();
        assertThat(fabric.state.linkFlaps).isZero();
    }

    @Test
    void shouldDrawNoViewForAddressesThatAreKnown() {
        says(leaf0, 1, true, with(ADDRESSES));
        fabric.calm();
        long epoch = fabric.state.epoch();

        says(leaf0, 1, true, with(ADDRESSES));
        fabric.calm();

        assertThat(fabric.state.epoch()).isEqualTo(epoch);
    }

    @Test
    void shouldSayOfAHostThatItIsCalledOtherwise() {
        says(leaf0, 1, true, new Host(host.portGuid(), host.hostGuid(), 1, "renamed", ADDRESSES));
        fabric.calm();

        assertThat(cause()).isEqualTo("leaf0 port 1: host node0 is called renamed now");
        says(leaf0, 1, true, new Host(host.portGuid(), 0x98, 1, "renamed", ADDRESSES));
        fabric.calm();
        assertThat(cause()).isEqualTo("leaf0 port 1: host renamed is a port of another adapter");
        assertThat(fabric.state.alarms()).isEmpty();
    }

    @Test
    void shouldStillSayThatAPortIsRecabledWhenAnotherHostIsThere() {
        says(leaf0, 1, true, new Host(0x99, 0x99, 1, "node0", ADDRESSES));
        fabric.calm();

        assertThat(cause()).isEqualTo("leaf0 port 1 recabled");
    }

    @Test
    void shouldTakeAddressesOfAHostThatMovesAndThoseOfAPortThatIsHeld() {
        says(leaf0, 1, false, host);
        says(leaf2, 1, true, with(ADDRESSES));
        fabric.pass(120_000 * MILLI);

        assertThat(view().switchGuid(view().nodeSwitch(node))).isEqualTo(leaf2);
        assertThat(shown()).isEqualTo(with(ADDRESSES));
        assertThat(fabric.state.inventory().portOf(host.portGuid())).isEqualTo(new PortPlace(leaf2, 1));

        says(leaf2, 1, false, with(ADDRESSES));
        says(leaf2, 1, true, with(ADDRESSES));
        assertThat(fabric.state.heldDown(leaf2, 1)).isTrue();
        int flaps = fabric.state.holdDown.flapCount(leaf2, 1);
        long release = fabric.state.holdDown.nextDeadline();
        says(leaf2, 1, true, with(OTHERS));

        assertThat(shown()).isEqualTo(with(OTHERS));
        assertThat(fabric.state.holdDown.flapCount(leaf2, 1)).isEqualTo(flaps);
        assertThat(fabric.state.holdDown.nextDeadline()).isEqualTo(release);
        fabric.calm();
        assertThat(fabric.state.works(leaf2, 1)).isTrue();
        assertThat(shown()).isEqualTo(with(OTHERS));
    }

    @Test
    void shouldNotLetAnAddressDelayThatTwoPortsHaveOneHost() {
        says(leaf2, 1, true, host);
        fabric.pass(1_500 * MILLI);
        says(leaf2, 1, true, with(ADDRESSES));
        fabric.pass(400 * MILLI);
        says(leaf0, 1, true, with(OTHERS));
        fabric.pass(101 * MILLI);

        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).hasSize(1);
        assertThat(disagreements()).hasSize(1);
    }

    @Test
    void shouldKeepTheAlarmOfTwoPortsWithOneHostWhenItsAddressesChange() {
        says(leaf2, 1, true, host);
        fabric.pass(2_001 * MILLI);
        Alarm before = disagreements().get(0);

        says(leaf2, 1, true, with(ADDRESSES));
        assertThat(disagreements()).containsExactly(before);
        says(leaf0, 1, true, with(OTHERS));
        assertThat(disagreements()).containsExactly(before);
        fabric.pass(10_000 * MILLI);

        assertThat(disagreements()).containsExactly(before);
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).hasSize(1);
        assertThat(shown()).as("of the port that keeps it").isEqualTo(with(OTHERS));
    }

    @Test
    void shouldCallAHostInAStandingAlarmAsItIsCalledNow() {
        says(leaf2, 1, true, host);
        fabric.pass(2_001 * MILLI);
        Alarm before = disagreements().get(0);

        says(leaf2, 1, true, new Host(host.portGuid(), host.hostGuid(), 1, "renamed"));

        assertThat(disagreements()).singleElement().satisfies(alarm -> {
            assertThat(alarm.id()).isEqualTo(before.id());
            assertThat(alarm.text()).startsWith("host renamed (");
        });
        assertThat(fabric.notes(Kind.CABLE_DISAGREES)).hasSize(1);
    }

    /** The new switch's agent knows the host by an address it got since, and the port is down for now. */
    @Test
    void shouldHandAHostWithOtherAddressesOverToTheSwitchThatTakesItsPlace() {
        says(leaf0, 1, true, with(ADDRESSES));
        fabric.calm();
        fabric.setLinks(leaf0, false, true);
        fabric.leave(leaf0);
        fabric.calm();
        fabric.metal.apply(new SwitchSeen(FRESH, "fresh", fabric.metal.portCount(leaf0)));
        fabric.metal.apply(new PortSeen(FRESH, 1, false, new ToHost(with(OTHERS))));
        for (int port = 3; port <= 4; port++) {
            ToSwitch spine = (ToSwitch) Objects.requireNonNull(fabric.metal.claim(leaf0, port));
            fabric.metal.apply(new PortSeen(FRESH, port, true, spine));
            fabric.metal.apply(new PortSeen(spine.guid(), spine.port(), true, new ToSwitch(FRESH, port)));
            fabric.setPort(spine.guid(), spine.port(), true, true);
        }
        fabric.join(FRESH);
        fabric.pass(120_000 * MILLI);

        fabric.send(new ActAsked(fabric.now, Act.replace(leaf0, FRESH), 0, "ada", ""));
        fabric.calm();

        assertThat(fabric.notes(Kind.SWITCH_REPLACED)).hasSize(1);
        assertThat(fabric.state.inventory().portOf(host.portGuid())).isEqualTo(new PortPlace(FRESH, 1));
        assertThat(fabric.state.nodeIndex(host.portGuid())).as("kept").isEqualTo(node);
    }
}

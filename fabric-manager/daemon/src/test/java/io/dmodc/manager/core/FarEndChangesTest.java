package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A port whose far end changes all the time, or is described otherwise, does not keep a fabric busy. */
class FarEndChangesTest {
    private static final int NODE = 3;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private long leaf;
    private int port;
    private int before;

    @BeforeEach
    void start() {
        fabric.start();
        fabric.calm();
        leaf = view().switchGuid(view().nodeSwitch(NODE));
        port = view().nodePort(NODE);
        before = fabric.log.size();
    }

    private FabricView view() {
        return Objects.requireNonNull(fabric.state.view());
    }

    private Host host() {
        return Objects.requireNonNull(view().host(NODE));
    }

    private void says(int lid, boolean up) {
        Host host = new Host(
                host().portGuid(), host().hostGuid(), host().hostPort(), host().name(), HostAddresses.ofLid(lid));
        PortSeen seen = new PortSeen(leaf, port, up, new ToHost(host));
        fabric.metal.apply(seen);
        fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, false, List.of(seen)));
        fabric.work();
    }

    private long count(Class<? extends Effect> kind) {
        return fabric.log.subList(before, fabric.log.size()).stream()
                .filter(kind::isInstance)
                .count();
    }

    @Test
    void shouldTakeSomeInAtOnceAndThenTheNewestOnceAMinute() {
        for (int i = 0; i < 1180; i++) {
            says(100 + i, true);
            fabric.pass(50 * SimulatedFabric.MILLI);
        }

        assertThat(count(Effect.NameDestinations.class))
                .isBetween((long) FarEndChanges.AT_ONCE_MAX, FarEndChanges.AT_ONCE_MAX + 2L);
        assertThat(count(Effect.Compute.class)).isEqualTo(count(Effect.NameDestinations.class));
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
        assertThat(host().addresses().lid()).isLessThan(1279);
        fabric.pass(FarEndChanges.EACH_NANOS);
        assertThat(host().addresses().lid()).as("the newest").isEqualTo(1279);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldTakeARareChangeInAtOnce() {
        for (int i = 0; i < 30; i++) {
            says(100 + i, true);
            assertThat(host().addresses().lid()).isEqualTo(100 + i);
            fabric.pass(FarEndChanges.EACH_NANOS);
        }
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).isEmpty();
    }

    @Test
    void shouldBelieveThePortWhileItsHostIsHeldBack() {
        for (int i = 0; i <= FarEndChanges.AT_ONCE_MAX; i++) {
            says(100 + i, true);
        }
        assertThat(host().addresses().lid()).isEqualTo(100 + FarEndChanges.AT_ONCE_MAX - 1);

        says(200, false);

        assertThat(fabric.state.cabling().saysUp(leaf, port)).isFalse();
    }

    /** What it said of a port is not taken in once it has that no more. */
    @Test
    void shouldForgetWhatIsHeldBackOfASwitchWithFewerPorts() {
        for (int i = 0; i <= FarEndChanges.AT_ONCE_MAX; i++) {
            says(100 + i, true);
        }
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).hasSize(1);

        fabric.saidPortCounts.put(leaf, port - 1);
        fabric.join(leaf);
        fabric.work();
        fabric.pass(2 * FarEndChanges.EACH_NANOS);

        assertThat(fabric.notes(Kind.DEFECT)).isEmpty();
    }

    /** The first cable of the leaf to a switch above. */
    private Cable uplink() {
        return fabric.cable(leaf, upper(0));
    }

    private long upper(int index) {
        return IntStream.rangeClosed(1, view().portCount(view().switchOf(leaf)))
                .mapToObj(p -> fabric.metal.claim(leaf, p))
                .filter(ToSwitch.class::isInstance)
                .mapToLong(far -> ((ToSwitch) far).guid())
                .distinct()
                .skip(index)
                .findFirst()
                .orElseThrow();
    }

    private void says(int at, @Nullable Neighbour far) {
        PortSeen seen = new PortSeen(leaf, at, true, far);
        fabric.metal.apply(seen);
        fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, false, List.of(seen)));
        fabric.work();
    }

    private void saysInTurn(int at, List<Neighbour> ends, int reports) {
        for (int i = 0; i < reports; i++) {
            says(at, ends.get(i % ends.size()));
            fabric.pass(100 * SimulatedFabric.MILLI);
        }
    }

    private void assertBounded(int at, Neighbour last, int epochsOfAChange) {
        int most = (FarEndChanges.AT_ONCE_MAX + 11) * epochsOfAChange;
        assertThat(count(Effect.Compute.class)).isBetween(1L, (long) most);
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN))
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo(11)
                .first()
                .asString()
                .contains("port " + at + ": leads elsewhere all the time, as its agent says; from now on");
        fabric.pass(FarEndChanges.EACH_NANOS);
        assertThat(fabric.state.cabling().claim(leaf, at)).as("the newest").isEqualTo(last);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldFollowAPortThatLeadsToAnotherSwitchWithEachReportOnceAMinute() {
        Cable cable = uplink();
        Neighbour own = Objects.requireNonNull(fabric.metal.claim(leaf, cable.port()));
        List<Neighbour> ends = List.of(new ToSwitch(upper(1), 1), own, new ToSwitch(upper(1), 2));

        saysInTurn(cable.port(), ends, 6_000);

        assertBounded(cable.port(), ends.get(2), 1);
    }

    @Test
    void shouldFollowAPortThatHasAnotherHostWithEachReportOnceAMinute() {
        List<Neighbour> ends = List.of(new ToHost(Objects.requireNonNull(view().host(7))), new ToHost(host()));

        saysInTurn(port, ends, 6_000);

        assertBounded(port, ends.get(1), 1);
    }

    /** That nobody knows where it leads is taken in at once, and gives no room to say something else. */
    @Test
    void shouldCountAnotherEndAfterNone() {
        int at = uplink().port();
        Neighbour own = Objects.requireNonNull(fabric.metal.claim(leaf, at));
        Neighbour other = new ToSwitch(upper(1), 1);
        int taken = 0;
        for (int i = 0; i <= 4 * FarEndChanges.AT_ONCE_MAX; i++) {
            says(at, null);
            assertThat(fabric.state.cabling().claim(leaf, at)).isNull();
            says(at, i % 2 == 0 ? other : own);
            taken += other.equals(fabric.state.cabling().claim(leaf, at)) ? 1 : 0;
        }

        assertThat(taken).as("each once, and own after it").isEqualTo(FarEndChanges.AT_ONCE_MAX / 2);
        assertThat(fabric.state.cabling().claim(leaf, at)).isNull();
        fabric.pass(FarEndChanges.EACH_NANOS);
        assertThat(fabric.state.cabling().claim(leaf, at)).isEqualTo(other);
    }

    /** An agent that is started anew knows no far ends at first. */
    @Test
    void shouldUseAllCablesAtOnceAfterEachOfManyRestartsOfAnAgent() {
        List<PortSeen> ports = IntStream.rangeClosed(1, fabric.metal.portCount(leaf))
                .mapToObj(p -> new PortSeen(leaf, p, true, fabric.metal.claim(leaf, p)))
                .toList();
        List<PortSeen> unknown = ports.stream()
                .map(seen -> new PortSeen(leaf, seen.port(), true, null))
                .toList();
        for (int i = 0; i < 4 * FarEndChanges.AT_ONCE_MAX; i++) {
            unknown.forEach(fabric.metal::apply);
            fabric.leave(leaf);
            fabric.work();
            fabric.join(leaf);
            fabric.work();
            assertThat(fabric.state.cabling().claim(leaf, port)).isNull();
            ports.forEach(fabric.metal::apply);
            fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, false, ports));
            fabric.work();

            assertThat(ports)
                    .as("after restart " + i)
                    .allSatisfy(seen -> assertThat(fabric.state.cabling().claim(leaf, seen.port()))
                            .isEqualTo(seen.neighbour()));
        }
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).isEmpty();
    }

    /** Its cables change places three times within two minutes. */
    @Test
    void shouldFollowASwitchOfManyPortsThatIsCabledAnew() {
        SimulatedFabric site = new SimulatedFabric("2;2,36;1,2;1,1").start();
        long spine = site.guid("l2s0");
        List<ToSwitch> far = IntStream.rangeClosed(1, 36)
                .mapToObj(p -> (ToSwitch) Objects.requireNonNull(site.metal.claim(spine, p)))
                .toList();
        for (int round = 1; round <= 3; round++) {
            for (ToSwitch end : far) {
                site.setPort(end.guid(), end.port(), false, true);
            }
            site.pass(1_000 * SimulatedFabric.MILLI);
            for (int p = 1; p <= 36; p++) {
                ToSwitch end = far.get((p - 1 + round) % 36);
                site.metal.apply(new PortSeen(end.guid(), end.port(), false, new ToSwitch(spine, p)));
                site.metal.apply(new PortSeen(spine, p, false, end));
                site.setPort(end.guid(), end.port(), true, true);
                site.setPort(spine, p, true, true);
                site.pass(1_000 * SimulatedFabric.MILLI);
            }
            site.pass(4_000 * SimulatedFabric.MILLI);

            assertThat(IntStream.rangeClosed(1, 36)
                            .filter(p -> site.state.cabling().isLive(spine, p)))
                    .as("live cables after round " + round)
                    .hasSize(36);
        }
        assertThat(site.now).isLessThan(2 * FarEndChanges.EACH_NANOS + 10_000 * SimulatedFabric.MILLI);
        assertThat(site.notes(Kind.HOST_CHANGES_OFTEN)).isEmpty();
    }

    /** The one that is kept out as it was never seen before is not taken in over another that came meanwhile. */
    @Test
    void shouldNotLetAHostKeptOutTakeThePlaceOfOneThatCameMeanwhile() {
        ToHost known = new ToHost(host());
        for (int i = 0; i <= NewHosts.PER_PORT_MAX; i++) {
            says(port, new ToHost(new Host(0x7000 + i, 0x7000 + i, 1, "host" + i)));
        }
        assertThat(fabric.notes(Kind.TOO_MANY_NEW_HOSTS)).hasSize(1);
        assertThat(fabric.state.cabling().claim(leaf, port)).isNull();

        says(port, known);
        fabric.pass(FarEndChanges.EACH_NANOS);
        assertThat(fabric.state.cabling().claim(leaf, port)).isEqualTo(known);
        fabric.pass(2 * NewHosts.HOUR_NANOS);

        assertThat(fabric.state.cabling().claim(leaf, port)).isEqualTo(known);
    }
}

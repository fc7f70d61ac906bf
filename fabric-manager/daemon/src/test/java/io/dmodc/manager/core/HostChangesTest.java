package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host whose addresses change all the time does not keep a fabric busy. */
class HostChangesTest {
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
                .isBetween((long) HostChanges.AT_ONCE_MAX, HostChanges.AT_ONCE_MAX + 2L);
        assertThat(count(Effect.Compute.class)).isEqualTo(count(Effect.NameDestinations.class));
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
        assertThat(host().addresses().lid()).isLessThan(1279);
        fabric.pass(HostChanges.EACH_NANOS);
        assertThat(host().addresses().lid()).as("the newest").isEqualTo(1279);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldTakeARareChangeInAtOnce() {
        for (int i = 0; i < 30; i++) {
            says(100 + i, true);
            assertThat(host().addresses().lid()).isEqualTo(100 + i);
            fabric.pass(HostChanges.EACH_NANOS);
        }
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).isEmpty();
    }

    @Test
    void shouldBelieveThePortWhileItsHostIsHeldBack() {
        for (int i = 0; i <= HostChanges.AT_ONCE_MAX; i++) {
            says(100 + i, true);
        }
        assertThat(host().addresses().lid()).isEqualTo(100 + HostChanges.AT_ONCE_MAX - 1);

        says(200, false);

        assertThat(fabric.state.cabling().saysUp(leaf, port)).isFalse();
    }

    /** What it said of a port is not taken in once it has that no more. */
    @Test
    void shouldForgetWhatIsHeldBackOfASwitchWithFewerPorts() {
        for (int i = 0; i <= HostChanges.AT_ONCE_MAX; i++) {
            says(100 + i, true);
        }
        assertThat(fabric.notes(Kind.HOST_CHANGES_OFTEN)).hasSize(1);

        fabric.saidPortCounts.put(leaf, port - 1);
        fabric.join(leaf);
        fabric.work();
        fabric.pass(2 * HostChanges.EACH_NANOS);

        assertThat(fabric.notes(Kind.DEFECT)).isEmpty();
    }
}

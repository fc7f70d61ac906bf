package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Hosts at ports that flapped: a host has its routes where it is, and no flap moves it. */
class HeldHostTest {
    private static final int PORT = 1;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,3;1,2;1,1").start();
    private final long old = fabric.guid("leaf0");
    private final long next = fabric.guid("leaf1");
    private final Neighbour host = Objects.requireNonNull(fabric.metal.claim(old, PORT));

    /** Another host was there before, so the port has gone down once: it is held when it comes up again. */
    private void moveHost() {
        report(next, new PortSeen(next, PORT, false, null));
        report(old, new PortSeen(old, PORT, false, host));
        fabric.pass(100 * MILLI);
        report(next, new PortSeen(next, PORT, true, host));
    }

    private void report(long guid, PortSeen seen) {
        fabric.metal.apply(seen);
        fabric.setPort(guid, PORT, seen.up(), true);
        fabric.work();
    }

    /** GUID of the switch that all tables lead to for the host. */
    private long routed() {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        int node = fabric.state.identity.nodes.indexOf(((ToHost) host).host().portGuid());
        long at = view.switchGuid(view.nodeSwitch(node));
        byte[] table = Objects.requireNonNull(fabric.tablesHeld().get(at));
        assertThat(table[node]).isEqualTo((byte) view.nodePort(node));
        return at;
    }

    @Test
    void shouldRouteToAHostThatMovedToAPortThatIsHeld() {
        moveHost();

        assertThat(fabric.state.heldDown(next, PORT)).isTrue();
        assertThat(routed()).isEqualTo(next);
        fabric.pass(10_000 * MILLI);
        assertThat(fabric.state.heldDown(next, PORT)).isFalse();
        assertThat(routed()).isEqualTo(next);
    }

    @Test
    void shouldDrawNoViewForTheFlapsOfAHostThatMoved() {
        moveHost();
        long epoch = fabric.state.epoch();

        for (int flap = 0; flap < 5; flap++) {
            fabric.setPort(next, PORT, false, true);
            fabric.pass(50 * MILLI);
            fabric.setPort(next, PORT, true, true);
            fabric.pass(50 * MILLI);
        }

        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        assertThat(routed()).isEqualTo(next);
    }

    @Test
    void shouldKeepAHostThatMovedToAHeldPortOverARestart() {
        moveHost();
        fabric.pass(SimulatedFabric.RULES.drainNanos());

        SimulatedFabric restarted = fabric.restarted().start();

        assertThat(restarted.count(Effect.Push.class)).isZero();
    }
}

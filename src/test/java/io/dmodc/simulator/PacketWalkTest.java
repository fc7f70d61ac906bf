package io.dmodc.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.Host;
import org.junit.jupiter.api.Test;

/** What packets show is what the switches hold: two leaves, two spines, a host at each leaf, node 1 at the second leaf. */
class PacketWalkTest {
    private static final int NONE = 255;

    private final SimulatedFabric fabric = Simulation.emptyFabric();
    private final SimulatedSwitch leaf = add("leaf0", 0);
    private final SimulatedSwitch far = add("leaf1", 0);
    private final SimulatedSwitch spine = add("spine0", 1);
    private final SimulatedSwitch other = add("spine1", 1);
    private final PacketWalk walk = new PacketWalk(fabric, 8);

    PacketWalkTest() {
        fabric.plug(leaf, 2, spine, 1);
        fabric.plug(leaf, 3, other, 1);
        fabric.plug(far, 2, spine, 2);
        fabric.plug(far, 3, other, 2);
        host(1, leaf);
        host(2, far);
        holds(leaf, 1, 2);
        holds(far, 2, 1);
        holds(spine, 1, 2);
        holds(other, 1, 2);
    }

    private SimulatedSwitch add(String name, int level) {
        SimulatedSwitch added = fabric.add(name.hashCode(), name, level, 4);
        added.powered = true;
        return added;
    }

    private void host(int guid, SimulatedSwitch at) {
        fabric.plugHost(fabric.addHost(new Host(guid, guid, 1, "node" + guid), at, 1), at, 1);
    }

    private static void holds(SimulatedSwitch at, int toFirst, int toSecond) {
        at.plane.force(new InstalledTable(new TableVersion(1, 1), new byte[] {(byte) toFirst, (byte) toSecond}));
    }

    @Test
    void shouldDeliverByTheTablesHeld() {
        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.DELIVERED);
        assertThat(walk.way()).isEqualTo("leaf0:2 spine0:2 leaf1:1");
    }

    @Test
    void shouldSeeADeadCableAtEitherEnd() {
        fabric.setEnd(far, 2, false);
        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.DEAD_CABLE);

        fabric.setEnd(far, 2, true);
        fabric.setEnd(spine, 2, false);
        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.DEAD_CABLE);
    }

    @Test
    void shouldSeeAMissingWay() {
        holds(spine, 1, NONE);

        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.NO_ROUTE);
    }

    @Test
    void shouldSeeALoop() {
        holds(spine, 1, 1);

        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.LOOP);
    }

    @Test
    void shouldSeeATurnFromDownToUp() {
        holds(far, 2, 3);

        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.DOWN_UP_TURN);
    }

    @Test
    void shouldSeeTheWrongHost() {
        assertThat(walk.walk(0, 1, 0)).isEqualTo(PacketWalk.End.WRONG_HOST);
    }

    @Test
    void shouldForgetTheTableWithThePower() {
        fabric.power(spine, false);
        fabric.power(spine, true);

        assertThat(walk.walk(0, 1, 1)).isEqualTo(PacketWalk.End.NO_ROUTE);
    }
}

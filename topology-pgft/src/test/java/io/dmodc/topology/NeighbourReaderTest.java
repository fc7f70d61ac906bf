package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one reader has of a switch, whatever it read before, against its groups one by one. */
class NeighbourReaderTest {
    private static final int SEEDS = 100;

    private final NeighbourReader byGuid = new NeighbourReader(GroupOrder.GUID);
    private final NeighbourReader byPlane = new NeighbourReader(GroupOrder.PLANE);

    @ParameterizedTest
    @ValueSource(strings = {"2;6,6;1,6;1,1", "3;4,4,4;1,4,4;1,1,1", "3;2,2,3;1,2,2;1,2,1", "4;2,2,2,2;1,2,2,2;1,1,2,1"})
    void shouldReadWhatTheGroupsSay(String shape) {
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TestFabric fabric = seed % 2 == 0 ? TestFabric.fabric(shape) : TestFabric.shuffled(shape, seed);
            PlaneNumbers planes = new PlaneNumbers();
            for (int epoch = 0; epoch < 4; epoch++) {
                FabricView view = planes.number(fabric.view());
                for (int i = 0; i < view.switchCount(); i++) {
                    assertRead(view, i);
                }
                for (int i = 0; i < view.switchCount(); i++) {
                    assertRead(view, random.nextInt(view.switchCount()));
                }
                int s = random.nextInt(view.switchCount());
                int ports = view.portCount(s);
                exchange(fabric, view, s, 1 + random.nextInt(ports), 1 + random.nextInt(ports));
                fabric.damaged(random.nextInt(2), random.nextInt(3), seed + 1_000L * epoch);
            }
        }
    }

    /** What is at two ports of a switch changes places. */
    private static void exchange(TestFabric fabric, FabricView view, int s, int port, int other) {
        put(fabric, view, s, port, view.peerSwitch(s, other), view.peerPort(s, other));
        put(fabric, view, s, other, view.peerSwitch(s, port), view.peerPort(s, port));
    }

    /** Cables the port of a switch to another one's; to nothing where there is none. */
    private static void put(TestFabric fabric, FabricView view, int s, int port, int far, int farPort) {
        ToSwitch here = new ToSwitch(view.switchGuid(s), port);
        ToSwitch there = far < 0 ? null : new ToSwitch(view.switchGuid(far), farPort);
        fabric.apply(new PortSeen(here.guid(), here.port(), true, there));
        if (there != null) {
            fabric.apply(new PortSeen(there.guid(), there.port(), true, here));
        }
    }

    private void assertRead(FabricView view, int s) {
        byGuid.read(view, s);
        byPlane.read(view, s);
        for (boolean up : new boolean[] {true, false}) {
            assertSide(byGuid, view, s, up, GroupOrder.GUID);
            assertSide(byPlane, view, s, up, GroupOrder.PLANE);
        }
    }

    private static void assertSide(NeighbourReader reader, FabricView view, int s, boolean up, GroupOrder order) {
        List<Integer> remotes = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int group : view.groups(s, order)) {
            int remote = view.groupRemote(group);
            if (up ? view.isUp(s, remote) : view.isDown(s, remote)) {
                remotes.add(remote);
                for (int i = 0; i < view.groupSize(group); i++) {
                    ports.add(view.groupPort(group, i) + (i == 0 ? 0 : NeighbourReader.SAME_GROUP));
                }
            }
        }
        assertThat(first(reader.remotes(up), reader.count(up))).isEqualTo(remotes);
        assertThat(first(reader.ports(up), reader.portCount(up))).isEqualTo(ports);
    }

    private static List<Integer> first(int[] values, int count) {
        return Arrays.stream(values, 0, count).boxed().toList();
    }
}

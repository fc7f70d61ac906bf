package io.dmodc.routing.vtftr;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GeneratedGuids;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A grid as no generator makes it: ports anywhere or everywhere the same, cables once or twice, hosts of unlike number numbered anyhow. */
final class MixedGrid {
    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final GuidNumbers numbers = new GuidNumbers();
    private final GuidNumbers levels = new GuidNumbers();
    private final NodeIndexMap nodes;
    private final List<Long> guids = new ArrayList<>();
    private final List<Cable> cables = new ArrayList<>();
    private final List<Cable> cut = new ArrayList<>();
    private final List<List<Integer>> freePorts = new ArrayList<>();
    private long epoch;

    MixedGrid(int rows, int columns, int rowRoots, int columnRoots, boolean alike, SplittableRandom random) {
        int leaves = rows * columns;
        int count = leaves + rows * rowRoots + columns * columnRoots;
        long[] guid = GeneratedGuids.shuffled(count, random);
        for (int i = 0; i < count; i++) {
            guids.add(guid[i]);
            int portCount = 2 * (i < leaves ? rowRoots + columnRoots + 4 : Math.max(rows, columns));
            fabric.apply(new SwitchSeen(guid[i], "s" + i, portCount));
            List<Integer> ports = new ArrayList<>();
            for (int port = 1; port <= portCount; port++) {
                ports.add(alike ? ports.size() : random.nextInt(ports.size() + 1), port);
            }
            freePorts.add(ports);
        }
        List<Integer> indices = new ArrayList<>();
        for (int i = 0; i < 5 * leaves; i++) {
            indices.add(alike ? i : random.nextInt(i + 1), i);
        }
        for (int leaf = 0; leaf < leaves; leaf++) {
            int hosts = alike ? 3 : 1 + random.nextInt(4);
            for (int h = 0; h < hosts; h++) {
                Host host = GeneratedGuids.host(4 * leaf + h);
                numbers.put(host.portGuid(), indices.get(4 * leaf + h));
                fabric.apply(new PortSeen(guid[leaf], port(leaf), true, new ToHost(host)));
            }
        }
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int k = 0; k < rowRoots; k++) {
                connect(leaf, leaves + leaf / columns * rowRoots + k, alike ? 1 : 1 + random.nextInt(2));
            }
            for (int k = 0; k < columnRoots; k++) {
                int root = leaves + rows * rowRoots + leaf % columns * columnRoots + k;
                connect(leaf, root, alike ? 1 : 1 + random.nextInt(2));
            }
        }
        nodes = NodeIndexMap.of("mixed grid", numbers);
        FabricView whole = view();
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
    }

    private int port(int s) {
        return freePorts.get(s).remove(0);
    }

    private void connect(int leaf, int root, int times) {
        for (int i = 0; i < times; i++) {
            Cable cable = new Cable(guids.get(leaf), port(leaf), guids.get(root), port(root));
            cables.add(cable);
            set(cable, true);
        }
    }

    private void set(Cable cable, boolean up) {
        fabric.apply(new PortSeen(cable.guid(), cable.port(), up, new ToSwitch(cable.farGuid(), cable.farPort())));
        fabric.apply(new PortSeen(cable.farGuid(), cable.farPort(), up, new ToSwitch(cable.guid(), cable.port())));
    }

    /** Some switch dies or comes back, or a cable is cut, or one that was cut works again. */
    void change(SplittableRandom random) {
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                long guid = guids.get(random.nextInt(guids.size()));
                fabric.apply(new SwitchState(guid, !fabric.alive(guid)));
            }
            case 2, 3 -> {
                Cable cable = cables.get(random.nextInt(cables.size()));
                cut.add(cable);
                set(cable, false);
            }
            default -> {
                if (!cut.isEmpty()) {
                    set(cut.remove(random.nextInt(cut.size())), true);
                }
            }
        }
    }

    FabricView view() {
        return fabric.build(++epoch, nodes, levels);
    }
}

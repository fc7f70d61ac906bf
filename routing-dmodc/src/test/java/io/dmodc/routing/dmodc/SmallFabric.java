package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A fabric drawn by hand: switches in GUID order of their naming, each cable on the next free port of both ends. */
final class SmallFabric {
    private static final int PORTS = 40;

    private final FabricViewBuilder builder = new FabricViewBuilder();
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final Map<String, Integer> portsUsed = new LinkedHashMap<>();
    private final Map<String, Long> guids = new LinkedHashMap<>();
    private int hosts;

    SmallFabric switches(String... names) {
        for (String name : names) {
            guids.put(name, 0x100L + guids.size());
            portsUsed.put(name, 0);
            builder.apply(new SwitchSeen(guid(name), name, PORTS));
        }
        return this;
    }

    SmallFabric hosts(String at, int count) {
        for (int i = 0; i < count; i++) {
            long guid = 0x1000L + hosts++;
            builder.apply(
                    new PortSeen(guid(at), nextPort(at), true, new ToHost(new Host(guid, guid, 1, "host" + hosts))));
        }
        return this;
    }

    SmallFabric cable(String a, String b) {
        return cables(a, b, 1);
    }

    SmallFabric cables(String a, String b, int count) {
        for (int i = 0; i < count; i++) {
            int portA = nextPort(a);
            int portB = nextPort(b);
            builder.apply(new PortSeen(guid(a), portA, true, new ToSwitch(guid(b), portB)));
            builder.apply(new PortSeen(guid(b), portB, true, new ToSwitch(guid(a), portA)));
        }
        return this;
    }

    /** Fixes the rank of a switch whatever the cabling says. */
    SmallFabric level(String name, int rank) {
        levels.put(guid(name), rank);
        return this;
    }

    SmallFabric kill(String name) {
        builder.apply(new SwitchState(guid(name), false));
        return this;
    }

    private int nextPort(String name) {
        return portsUsed.merge(name, 1, Integer::sum);
    }

    private long guid(String name) {
        Long guid = guids.get(name);
        if (guid == null) {
            throw new IllegalArgumentException("no switch " + name + " in this drawing");
        }
        return guid;
    }

    FabricView view() {
        return builder.build(1, nodes, levels);
    }

    /** Gives the hosts their indices now, before damage changes the order. */
    void numberNodes() {
        view();
    }

    /** Switch index. */
    int at(String name) {
        return view().switchOf(guid(name));
    }
}

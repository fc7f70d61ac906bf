package io.dmodc.topology.design;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A cable list on paper: switches by name, with ports of their own numbering, drawn as a fabric with random GUIDs. */
final class CablePlan {
    /** A cable; ends are in no order. */
    static final class Cable {
        final String a;
        int aPort;
        String b;
        int bPort;

        Cable(String a, int aPort, String b, int bPort) {
            this.a = a;
            this.aPort = aPort;
            this.b = b;
            this.bPort = bPort;
        }

        boolean joins(String name, int port, String far, int farPort) {
            return (a.equals(name) && aPort == port && b.equals(far) && bPort == farPort)
                    || (b.equals(name) && bPort == port && a.equals(far) && aPort == farPort);
        }

        @Override
        public String toString() {
            return new TreeSet<>(List.of(a + "." + aPort, b + "." + bPort)).toString();
        }
    }

    final TreeSet<String> switches = new TreeSet<>();
    final List<Cable> cables = new ArrayList<>();
    final Map<String, Integer> hosts = new TreeMap<>();
    private final Map<String, Set<Integer>> used = new HashMap<>();

    /** A whole PGFT under the generator's names, ports in random order. */
    static CablePlan of(PgftShape shape, Random random) {
        FabricView view = PgftGenerator.generate(shape).build(0, new NodeIndexMap(), new GuidNumbers());
        CablePlan plan = new CablePlan();
        List<List<Integer>> ports = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            plan.switches.add(view.switchName(s));
            Integer[] order = new Integer[view.portCount(s)];
            Arrays.setAll(order, i -> i + 1);
            List<Integer> shuffled = Arrays.asList(order);
            Collections.shuffle(shuffled, random);
            ports.add(shuffled);
            int hostCount = 0;
            for (int port = 1; port <= view.portCount(s); port++) {
                hostCount += view.peerNode(s, port) >= 0 ? 1 : 0;
            }
            plan.hosts.put(view.switchName(s), hostCount);
        }
        for (Degradation.Cable cable : Degradation.cables(view)) {
            int s = view.switchOf(cable.guid());
            int far = view.switchOf(cable.farGuid());
            plan.connect(
                    view.switchName(s),
                    ports.get(s).get(cable.port() - 1),
                    view.switchName(far),
                    ports.get(far).get(cable.farPort() - 1));
        }
        return plan;
    }

    Cable connect(String a, int aPort, String b, int bPort) {
        Cable cable = new Cable(a, aPort, b, bPort);
        cables.add(cable);
        portsOf(a).add(aPort);
        portsOf(b).add(bPort);
        return cable;
    }

    /** Over ports that nothing used before. */
    Cable connect(String a, String b) {
        return connect(a, freePort(a), b, freePort(b));
    }

    int freePort(String name) {
        int port = 1;
        while (portsOf(name).contains(port)) {
            port++;
        }
        return port;
    }

    private Set<Integer> portsOf(String name) {
        return used.computeIfAbsent(name, key -> new TreeSet<>());
    }

    Cable remove(Cable cable) {
        cables.remove(cable);
        portsOf(cable.a).remove(cable.aPort);
        portsOf(cable.b).remove(cable.bPort);
        return cable;
    }

    void removeSwitch(String name) {
        switches.remove(name);
        for (Cable cable : List.copyOf(cables)) {
            if (cable.a.equals(name) || cable.b.equals(name)) {
                remove(cable);
            }
        }
    }

    /** Exchanges the far ends of two cables. */
    static void swap(Cable one, Cable other) {
        String far = one.b;
        int farPort = one.bPort;
        one.b = other.b;
        one.bPort = other.bPort;
        other.b = far;
        other.bPort = farPort;
    }

    Cable find(String name, int port, String far, int farPort) {
        return cables.stream()
                .filter(cable -> cable.joins(name, port, far, farPort))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + "." + port + "-" + far + "." + farPort + " in " + cables));
    }

    /** Hosts come after the ports of the cables. */
    FabricView view(Random random) {
        return builder(random).build(1, new NodeIndexMap(), new GuidNumbers());
    }

    private FabricViewBuilder builder(Random random) {
        FabricViewBuilder fabric = new FabricViewBuilder();
        Map<String, Long> guid = new HashMap<>();
        long host = 1L << 40;
        for (String name : switches) {
            long own = random.nextLong();
            guid.put(name, own);
            int last = portsOf(name).isEmpty() ? 0 : Collections.max(portsOf(name));
            fabric.apply(new SwitchSeen(own, name, Math.max(1, last + hosts.getOrDefault(name, 0))));
            for (int i = 1; i <= hosts.getOrDefault(name, 0); i++) {
                fabric.apply(new PortSeen(own, last + i, true, new ToHost(new Host(++host, host, 1, "h"))));
            }
        }
        for (Cable cable : cables) {
            long a = guid.getOrDefault(cable.a, 0L);
            long b = guid.getOrDefault(cable.b, 0L);
            fabric.apply(new PortSeen(a, cable.aPort, true, new ToSwitch(b, cable.bPort)));
            fabric.apply(new PortSeen(b, cable.bPort, true, new ToSwitch(a, cable.aPort)));
        }
        return fabric;
    }
}

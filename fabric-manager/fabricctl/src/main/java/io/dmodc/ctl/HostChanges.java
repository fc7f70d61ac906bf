package io.dmodc.ctl;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What can happen to hosts on live leaves: one that was never seen is plugged into a free port, or an adapter is replaced
 * by another on the same port. Each new adapter has a GUID of its own, so it gets the node index behind the highest.
 */
final class HostChanges {
    /** So many ports at most are freed, for a host to appear there. */
    private static final int FREED_MAX = 64;

    private record Place(long guid, int port, Neighbour host) {}

    private final FabricViewBuilder fabric;
    private final FabricView whole;
    private final SplittableRandom random;

    /** Ports of hosts, on live leaves. */
    private final List<Place> places;

    private final List<Place> freed = new ArrayList<>();
    private long adapters;

    HostChanges(FabricViewBuilder fabric, FabricView whole, SplittableRandom random) {
        this.fabric = fabric;
        this.whole = whole;
        this.random = random;
        places = IntStream.range(0, whole.nodeCount())
                .filter(node -> whole.isHost(node) && whole.alive(whole.nodeSwitch(node)))
                .filter(node -> whole.isLeaf(whole.nodeSwitch(node)))
                .mapToObj(this::place)
                .toList();
    }

    private Place place(int node) {
        long guid = whole.switchGuid(whole.nodeSwitch(node));
        int port = whole.nodePort(node);
        Neighbour host = fabric.neighbour(guid, port);
        if (host == null) {
            throw new IllegalStateException("defect: node " + node + " is not where the view has it");
        }
        return new Place(guid, port, host);
    }

    /** True where there is no host to replace. */
    boolean isEmpty() {
        return places.isEmpty();
    }

    /** Pulls some hosts out, so that there are free ports: call before {@link #appears}. */
    void freePorts() {
        for (int i = 0; i < FREED_MAX; i++) {
            Place place = places.get(random.nextInt(places.size()));
            if (!freed.contains(place)) {
                freed.add(place);
                fabric.apply(new PortSeen(place.guid, place.port, false, null));
            }
        }
    }

    /** Puts them back. */
    void occupyPorts() {
        for (Place place : freed) {
            fabric.apply(new PortSeen(place.guid, place.port, true, place.host));
        }
        freed.clear();
    }

    /** A host never seen before at a free port; undone, it is pulled out. */
    FaultBench.Fault appears() {
        Place place = freed.get(random.nextInt(freed.size()));
        Neighbour host = adapter();
        return (to, broken) -> to.apply(new PortSeen(place.guid, place.port, broken, broken ? host : null));
    }

    /** An adapter never seen before in place of another; undone, that one is back. */
    FaultBench.Fault replaced() {
        Place place = places.get(random.nextInt(places.size()));
        Neighbour host = adapter();
        return (to, broken) -> to.apply(new PortSeen(place.guid, place.port, true, broken ? host : place.host));
    }

    private Neighbour adapter() {
        // Nobody makes adapters with such GUIDs, and generated fabrics have none.
        long guid = 0xfedc_0000_0000_0000L + ++adapters;
        return new ToHost(new Host(guid, guid, 1, "bench-" + adapters));
    }
}

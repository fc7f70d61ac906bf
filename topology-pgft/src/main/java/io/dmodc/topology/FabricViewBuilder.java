package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Everything known of the fabric's cabling, changed one {@link FabricChange} at a time, drawn as a {@link FabricView}
 * when asked.
 *
 * <p>Keeps what each end of each cable last said. A link is live while both switches are alive, both ends name each
 * other and both say up: one end saying down is enough for down. Hosts stay cabled to the port they were last seen on,
 * up or down, because a rebooting host is no reason to reroute.
 *
 * <p>Drawing a view costs O(ports); names are resolved again only after a switch or a neighbour was new.
 * Not thread-safe.
 */
public final class FabricViewBuilder {
    private static final class KnownSwitch {
        final long guid;
        final String name;
        final @Nullable Neighbour[] neighbour;
        final boolean[] up;
        boolean alive = true;
        int index;

        KnownSwitch(SwitchSeen seen) {
            guid = seen.guid();
            name = seen.name();
            neighbour = new Neighbour[seen.portCount()];
            up = new boolean[seen.portCount()];
        }
    }

    private record Place(long switchGuid, int port) {}

    private final Map<Long, KnownSwitch> switches = new HashMap<>();
    private final Map<Long, Place> hostPlaces = new HashMap<>();

    /** Switches by index, and per port its cable partner; rebuilt when {@link #resolved} was lost. */
    private KnownSwitch[] byIndex = {};

    private int[] portBase = {0};
    private int[] farEnd = {};
    private boolean resolved = true;

    /**
     * Takes one change in.
     *
     * @return true if the next view can differ from the last one
     * @throws IllegalArgumentException if the change names a switch never seen or a port the switch has not; nothing
     *     is changed then
     */
    public boolean apply(FabricChange change) {
        if (change instanceof SwitchSeen seen) {
            return addSwitch(seen);
        }
        if (change instanceof SwitchState state) {
            return setAlive(state);
        }
        return setPort((PortSeen) change);
    }

    private boolean addSwitch(SwitchSeen seen) {
        KnownSwitch known = switches.get(seen.guid());
        if (known != null && known.up.length == seen.portCount()) {
            return false;
        }
        switches.put(seen.guid(), new KnownSwitch(seen));
        hostPlaces.values().removeIf(place -> place.switchGuid == seen.guid());
        resolved = false;
        return true;
    }

    private boolean setAlive(SwitchState state) {
        KnownSwitch known = known(state.guid());
        boolean changed = known.alive != state.alive();
        known.alive = state.alive();
        return changed;
    }

    private boolean setPort(PortSeen seen) {
        KnownSwitch known = known(seen.guid());
        if (seen.port() < 1 || seen.port() > known.up.length) {
            throw new IllegalArgumentException(
                    "switch " + Guid.format(seen.guid()) + ": port " + seen.port() + " outside 1.." + known.up.length);
        }
        int at = seen.port() - 1;
        boolean changed = known.up[at] != seen.up();
        known.up[at] = seen.up();
        if (!Objects.equals(known.neighbour[at], seen.neighbour())) {
            recable(known, at, seen.neighbour());
            changed = true;
        }
        return changed;
    }

    private void recable(KnownSwitch known, int at, @Nullable Neighbour neighbour) {
        if (known.neighbour[at] instanceof ToHost old) {
            hostPlaces.remove(old.host().portGuid(), new Place(known.guid, at + 1));
        }
        known.neighbour[at] = neighbour;
        if (neighbour instanceof ToHost now) {
            Place before = hostPlaces.put(now.host().portGuid(), new Place(known.guid, at + 1));
            if (before != null && !before.equals(new Place(known.guid, at + 1))) {
                known(before.switchGuid).neighbour[before.port - 1] = null;
            }
        }
        resolved = false;
    }

    private KnownSwitch known(long guid) {
        KnownSwitch known = switches.get(guid);
        if (known == null) {
            throw new IllegalArgumentException("switch " + Guid.format(guid) + " was never seen");
        }
        return known;
    }

    public boolean knows(long guid) {
        return switches.containsKey(guid);
    }

    public int switchCount() {
        return switches.size();
    }

    /** What was last seen at the far end of a port, up or down; {@code null} when nothing was. */
    public @Nullable Neighbour neighbour(long guid, int port) {
        return known(guid).neighbour[port - 1];
    }

    /** What this end of the cable last said. */
    public boolean saysUp(long guid, int port) {
        return known(guid).up[port - 1];
    }

    /** True if the next view will have this port's link to another switch. */
    public boolean isLive(long guid, int port) {
        KnownSwitch near = known(guid);
        if (near.alive && near.up[port - 1] && near.neighbour[port - 1] instanceof ToSwitch to) {
            KnownSwitch far = switches.get(to.guid());
            return far != null
                    && far.alive
                    && to.guid() != guid
                    && to.port() <= far.up.length
                    && far.up[to.port() - 1]
                    && new ToSwitch(guid, port).equals(far.neighbour[to.port() - 1]);
        }
        return false;
    }

    /** False while a switch is taken as not forwarding. */
    public boolean alive(long guid) {
        return known(guid).alive;
    }

    public String name(long guid) {
        return known(guid).name;
    }

    public int portCount(long guid) {
        return known(guid).up.length;
    }

    /**
     * Draws the fabric as it is known now.
     *
     * @param epoch the view's number
     * @param nodes indices of the hosts; hosts without one get the next free ones, in canonical order
     * @param levels known ranks of switches, by GUID; empty to follow the paper
     * @return a view that no later change touches
     */
    public FabricView build(long epoch, NodeIndexMap nodes, GuidNumbers levels) {
        resolve();
        FabricTables t = new FabricTables(byIndex.length, portBase[byIndex.length]);
        System.arraycopy(portBase, 0, t.portBase, 0, portBase.length);
        for (KnownSwitch known : byIndex) {
            t.switchGuid[known.index] = known.guid;
            t.switchName[known.index] = known.name;
            t.alive[known.index] = known.alive;
        }
        connectLiveLinks(t);
        t.groupPorts();
        Ranks.assign(t, hostCounts(), levels);
        assignNewNodes(t, nodes);
        placeNodes(t, nodes);
        orderTargets(t);
        return new FabricView(epoch, t);
    }

    private void resolve() {
        if (resolved) {
            return;
        }
        byIndex = switches.values().toArray(KnownSwitch[]::new);
        Arrays.sort(byIndex, Comparator.comparing((KnownSwitch s) -> s.guid, Long::compareUnsigned));
        portBase = new int[byIndex.length + 1];
        for (int s = 0; s < byIndex.length; s++) {
            byIndex[s].index = s;
            portBase[s + 1] = portBase[s] + byIndex[s].up.length;
        }
        farEnd = new int[portBase[byIndex.length]];
        for (KnownSwitch known : byIndex) {
            for (int at = 0; at < known.up.length; at++) {
                farEnd[portBase[known.index] + at] = farEnd(known, at);
            }
        }
        resolved = true;
    }

    /** Place of the cable partner in the per-port arrays, or −1 unless both ends name each other. */
    private int farEnd(KnownSwitch known, int at) {
        if (known.neighbour[at] instanceof ToSwitch to && to.guid() != known.guid) {
            KnownSwitch other = switches.get(to.guid());
            if (other != null
                    && to.port() >= 1
                    && to.port() <= other.up.length
                    && other.neighbour[to.port() - 1] instanceof ToSwitch back
                    && back.guid() == known.guid
                    && back.port() == at + 1) {
                return portBase[other.index] + to.port() - 1;
            }
        }
        return -1;
    }

    private void connectLiveLinks(FabricTables t) {
        Arrays.fill(t.peerSwitch, -1);
        Arrays.fill(t.peerNode, -1);
        for (KnownSwitch known : byIndex) {
            for (int at = 0; known.alive && at < known.up.length; at++) {
                int far = farEnd[portBase[known.index] + at];
                if (far >= 0 && known.up[at]) {
                    connect(
                            t,
                            portBase[known.index] + at,
                            ((ToSwitch) Objects.requireNonNull(known.neighbour[at])),
                            far);
                }
            }
        }
    }

    private void connect(FabricTables t, int at, ToSwitch to, int far) {
        KnownSwitch other = known(to.guid());
        if (other.alive && other.up[to.port() - 1]) {
            t.peerSwitch[at] = other.index;
            t.peerPort[at] = (byte) to.port();
            t.linkCount += at < far ? 1 : 0;
        }
    }

    private int[] hostCounts() {
        int[] hosts = new int[byIndex.length];
        hostPlaces.values().forEach(place -> hosts[known(place.switchGuid).index]++);
        return hosts;
    }

    private void assignNewNodes(FabricTables t, NodeIndexMap nodes) {
        if (hostPlaces.keySet().stream().allMatch(guid -> nodes.indexOf(guid) >= 0)) {
            return;
        }
        for (int s : CanonicalOrder.switches(t)) {
            for (Neighbour neighbour : byIndex[s].neighbour) {
                if (neighbour instanceof ToHost to && nodes.indexOf(to.host().portGuid()) < 0) {
                    nodes.assign(to.host().portGuid());
                }
            }
        }
    }

    private void placeNodes(FabricTables t, NodeIndexMap nodes) {
        int nodeCount = nodes.size();
        t.nodeGuid = new long[nodeCount];
        t.nodeSwitch = new int[nodeCount];
        t.nodePort = new byte[nodeCount];
        t.nodeHost = new Host[nodeCount];
        Arrays.fill(t.nodeSwitch, -1);
        for (KnownSwitch known : byIndex) {
            for (int at = 0; at < known.up.length; at++) {
                if (known.neighbour[at] instanceof ToHost to) {
                    int node = nodes.indexOf(to.host().portGuid());
                    t.nodeGuid[node] = to.host().portGuid();
                    t.nodeSwitch[node] = known.index;
                    t.nodePort[node] = (byte) (at + 1);
                    t.nodeHost[node] = to.host();
                    t.peerNode[portBase[known.index] + at] = node;
                }
            }
        }
    }

    /** Leaves first, each kind by lowest node index; a leaf without hosts comes after those with hosts. */
    private void orderTargets(FabricTables t) {
        int[] lowest = new int[byIndex.length];
        Arrays.fill(lowest, Integer.MAX_VALUE);
        for (int node = t.nodeSwitch.length - 1; node >= 0; node--) {
            if (t.nodeSwitch[node] >= 0) {
                lowest[t.nodeSwitch[node]] = node;
            }
        }
        t.targetSwitch = IntStream.range(0, byIndex.length)
                .filter(s -> t.rank[s] == 0 || lowest[s] < Integer.MAX_VALUE)
                .boxed()
                .sorted(Comparator.comparing((Integer s) -> t.rank[s] != 0)
                        .thenComparing(s -> lowest[s])
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        t.switchTarget = new int[byIndex.length];
        Arrays.fill(t.switchTarget, -1);
        for (int target = 0; target < t.targetSwitch.length; target++) {
            t.switchTarget[t.targetSwitch[target]] = target;
            t.leafCount += t.rank[t.targetSwitch[target]] == 0 ? 1 : 0;
        }
    }
}

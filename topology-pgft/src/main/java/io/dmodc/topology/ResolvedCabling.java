package io.dmodc.topology;

import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cabling with every name turned into an index. It stays the same until a switch or a cable between switches is
 * new, so a fault costs no look-up by name: drawing a view from here walks flat arrays and asks only what is up and alive.
 * Hosts that come, go or move are taken in one by one.
 *
 * <p>A place is {@code portBase[s] + port − 1}.
 */
final class ResolvedCabling {
    final KnownSwitch[] switches;
    final int[] portBase;
    /** Hosts cabled to each switch, aggregation nodes not counted. */
    final int[] hostCount;

    /** Place of the cable partner and its switch, or −1 unless both ends name each other. */
    private final int[] farEnd;

    private final int[] farSwitch;
    private final CablingParts parts;
    private final HostOwners owners;
    private @Nullable NodePlaces places;

    /** Levels by switch as they were looked up last, and in what. */
    private int[] level = {};

    private @Nullable GuidNumbers levelsRead;
    private long levelsVersion;

    /** Places of ports whose host is not that of {@link #places}, or may not be. */
    private final BitSet hostChanged = new BitSet();

    /** Resolves all names; numbers the switches in order of their GUIDs. */
    ResolvedCabling(Map<Long, KnownSwitch> known, HostOwners owners) {
        this.owners = owners;
        switches = known.values().toArray(KnownSwitch[]::new);
        Arrays.sort(switches, Comparator.comparing((KnownSwitch s) -> s.guid, Long::compareUnsigned));
        portBase = new int[switches.length + 1];
        for (int s = 0; s < switches.length; s++) {
            switches[s].index = s;
            portBase[s + 1] = portBase[s] + switches[s].up.length;
        }
        farEnd = new int[portBase[switches.length]];
        farSwitch = new int[portBase[switches.length]];
        hostCount = new int[switches.length];
        Arrays.fill(farEnd, -1);
        Arrays.fill(farSwitch, -1);
        for (KnownSwitch s : switches) {
            for (int at = 0; at < s.up.length; at++) {
                resolve(known, s, at);
            }
        }
        parts = new CablingParts(portBase, farSwitch);
    }

    private void resolve(Map<Long, KnownSwitch> known, KnownSwitch s, int at) {
        if (s.neighbour[at] instanceof ToHost to) {
            hostCount[s.index] += to.host().isAggregation() ? 0 : 1;
        } else if (s.neighbour[at] instanceof ToSwitch to && to.guid() != s.guid) {
            KnownSwitch other = known.get(to.guid());
            if (other != null
                    && other.has(to.port())
                    && other.neighbour[to.port() - 1] instanceof ToSwitch back
                    && back.guid() == s.guid
                    && back.port() == at + 1) {
                farEnd[portBase[s.index] + at] = portBase[other.index] + to.port() - 1;
                farSwitch[portBase[s.index] + at] = other.index;
            }
        }
    }

    /** Tables with all names, all cables and the links that forward. */
    FabricTables tables() {
        FabricTables t = new FabricTables(portBase, liveLinks());
        t.parts = parts;
        t.farEnd = farEnd;
        t.farSwitch = farSwitch;
        for (KnownSwitch known : switches) {
            t.switchGuid[known.index] = known.guid;
            t.switchName[known.index] = known.name;
            t.alive[known.index] = known.alive;
        }
        return t;
    }

    private LinkRows liveLinks() {
        LinkEdit links = new LinkEdit(portBase);
        for (KnownSwitch s : switches) {
            for (int place = portBase[s.index]; s.alive && place < portBase[s.index + 1]; place++) {
                if (place < farEnd[place] && isLive(s, place)) {
                    links.connect(s.index, place - portBase[s.index] + 1, farSwitch[place], farPort(place));
                }
            }
        }
        return links.rows();
    }

    /** True if the cable at this place of a switch forwards now: both ends up, both switches alive. */
    boolean isLive(KnownSwitch s, int place) {
        int far = farEnd[place];
        if (far < 0 || !s.alive || !s.up[place - portBase[s.index]]) {
            return false;
        }
        KnownSwitch other = switches[farSwitch[place]];
        return other.alive && other.up[far - portBase[other.index]];
    }

    /** Known level of each switch, or {@link FabricView#UNRANKED}; looked up anew only when one may have changed. Read only. */
    @SuppressWarnings("ReferenceEquality") // the version is that of one object
    int[] levels(GuidNumbers known) {
        if (levelsRead != known || levelsVersion != known.version()) {
            level = new int[switches.length];
            for (KnownSwitch s : switches) {
                level[s.index] = known.getOrDefault(s.guid, FabricView.UNRANKED);
            }
            levelsRead = known;
            levelsVersion = known.version();
        }
        return level;
    }

    /** Place of the cable partner, or −1 unless both ends name each other. */
    int farEnd(int place) {
        return farEnd[place];
    }

    /** Switch of {@link #farEnd}. */
    int farSwitch(int place) {
        return farSwitch[place];
    }

    /** Port number of {@link #farEnd}. */
    int farPort(int place) {
        return farEnd[place] - portBase[farSwitch[place]] + 1;
    }

    /** A port leads to another host, to none, or to one of another name. */
    void hostChanged(KnownSwitch known, int at) {
        hostChanged.set(portBase[known.index] + at);
        hostCount[known.index] = (int) Arrays.stream(known.neighbour)
                .filter(neighbour ->
                        neighbour instanceof ToHost to && !to.host().isAggregation())
                .count();
    }

    /** Fills in the hosts, after giving an index to those that {@code nodes} does not know. */
    void placeNodes(FabricTables t, NodeIndexMap nodes) {
        NodePlaces current = places;
        if (current == null || !hostChanged.isEmpty() || !current.holdsFor(nodes)) {
            BitSet some = current == null ? null : placesToLookAt(current, nodes);
            assignNewNodes(t, nodes, some);
            current =
                    current == null || some == null ? new NodePlaces(this, nodes) : current.changed(this, nodes, some);
            places = current;
            hostChanged.clear();
        }
        current.copyTo(t);
    }

    /** Where a host or its index may be another one; null if anywhere. */
    private @Nullable BitSet placesToLookAt(NodePlaces current, NodeIndexMap nodes) {
        List<Long> renumbered = current.renumbered(nodes);
        if (renumbered == null) {
            return null;
        }
        BitSet some = (BitSet) hostChanged.clone();
        for (long guid : renumbered) {
            KnownSwitch known = owners.switchOf(guid);
            for (int at = 0; known != null && at < known.up.length; at++) {
                if (known.neighbour[at] instanceof ToHost to && to.host().portGuid() == guid) {
                    some.set(portBase[known.index] + at);
                }
            }
        }
        return some;
    }

    /**
     * Hosts come type by type; new aggregation nodes come after all new hosts: what they are must not shift the hosts'
     * indices, which the formulas divide.
     *
     * @param some places at which alone a host without an index can be; null for all
     */
    private void assignNewNodes(FabricTables t, NodeIndexMap nodes, @Nullable BitSet some) {
        BitSet withNew = switchesWithNewNodes(nodes, some);
        if (withNew.isEmpty()) {
            return;
        }
        NodeTypes types = nodes.types();
        List<List<Host>> fresh = new ArrayList<>();
        for (int i = 0; i <= types.count(); i++) {
            fresh.add(new ArrayList<>());
        }
        int[] order = withNew.cardinality() == 1 ? withNew.stream().toArray() : CanonicalOrder.switches(t);
        for (int s : order) {
            for (FabricChange.Neighbour neighbour : switches[s].neighbour) {
                if (neighbour instanceof ToHost to && nodes.indexOf(to.host().portGuid()) < 0) {
                    int type = to.host().isAggregation() ? types.count() : types.of(to.host());
                    fresh.get(type).add(to.host());
                }
            }
        }
        for (List<Host> hosts : fresh) {
            for (Host host : hosts) {
                // One that several switches claim is here as often.
                if (nodes.indexOf(host.portGuid()) < 0) {
                    nodes.assign(host.portGuid());
                }
            }
        }
    }

    private BitSet switchesWithNewNodes(NodeIndexMap nodes, @Nullable BitSet some) {
        BitSet withNew = new BitSet();
        int s = 0;
        int end = portBase[switches.length];
        for (int place = some == null ? 0 : some.nextSetBit(0);
                place >= 0 && place < end;
                place = some == null ? place + 1 : some.nextSetBit(place + 1)) {
            while (portBase[s + 1] <= place) {
                s++;
            }
            if (switches[s].neighbour[place - portBase[s]] instanceof ToHost to
                    && nodes.indexOf(to.host().portGuid()) < 0) {
                withNew.set(s);
            }
        }
        return withNew;
    }
}

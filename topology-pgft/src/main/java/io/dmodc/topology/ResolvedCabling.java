package io.dmodc.topology;

import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cabling with every name turned into an index. It stays the same until a switch or a neighbour is new, so a fault
 * costs no look-up by name: drawing a view from here walks flat arrays and asks only what is up and alive.
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
    private @Nullable NodePlaces places;

    /** Resolves all names; numbers the switches in order of their GUIDs. */
    ResolvedCabling(Map<Long, KnownSwitch> known) {
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

    /** Fills in the links whose ends are both up, between switches that are both alive, and what is cabled together. */
    void connectLiveLinks(FabricTables t) {
        t.parts = parts;
        t.farEnd = farEnd;
        t.farSwitch = farSwitch;
        Arrays.fill(t.peerSwitch, -1);
        for (KnownSwitch s : switches) {
            if (s.alive) {
                for (int place = portBase[s.index]; place < portBase[s.index + 1]; place++) {
                    if (isLive(s, place)) {
                        t.peerSwitch[place] = farSwitch[place];
                        t.peerPort[place] = farPort(place);
                        t.linkCount += place < farEnd[place] ? 1 : 0;
                    }
                }
            }
        }
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

    /** Place of the cable partner, or −1 unless both ends name each other. */
    int farEnd(int place) {
        return farEnd[place];
    }

    /** Switch of {@link #farEnd}. */
    int farSwitch(int place) {
        return farSwitch[place];
    }

    /** Port number of {@link #farEnd}. */
    byte farPort(int place) {
        return (byte) (farEnd[place] - portBase[farSwitch[place]] + 1);
    }

    /** True while the places of all hosts are those drawn last. */
    boolean nodesStayPut(NodeIndexMap nodes) {
        return places != null && places.holdsFor(nodes);
    }

    /** Fills in the hosts, after giving an index to those that {@code nodes} does not know. */
    void placeNodes(FabricTables t, NodeIndexMap nodes) {
        NodePlaces current = places;
        if (current == null || !current.holdsFor(nodes)) {
            assignNewNodes(t, nodes);
            current = new NodePlaces(this, nodes);
            places = current;
        }
        current.copyTo(t);
    }

    /**
     * Indices are only ever added to a map, so this has nothing to do when all hosts have one. Hosts come type by type; new
     * aggregation nodes come after all new hosts: what they are must not shift the hosts' indices, which the formulas
     * divide.
     */
    private void assignNewNodes(FabricTables t, NodeIndexMap nodes) {
        if (!anyNewNode(nodes)) {
            return;
        }
        NodeTypes types = nodes.types();
        List<List<Host>> fresh = new ArrayList<>();
        for (int i = 0; i <= types.count(); i++) {
            fresh.add(new ArrayList<>());
        }
        for (int s : CanonicalOrder.switches(t)) {
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

    private boolean anyNewNode(NodeIndexMap nodes) {
        for (KnownSwitch s : switches) {
            for (FabricChange.Neighbour neighbour : s.neighbour) {
                if (neighbour instanceof ToHost to && nodes.indexOf(to.host().portGuid()) < 0) {
                    return true;
                }
            }
        }
        return false;
    }
}

package io.dmodc.manager.core;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which switch that is gone had the cables that a new one has now. A switch that is gone still says where its cables led,
 * so whoever is plugged in there has its place. Made for one view; O(ports of all switches that are gone).
 */
final class Predecessors {
    private final FabricState state;

    /** By the neighbour's port, who says to lead there. */
    private final Map<PortPlace, Long> gone = new HashMap<>();

    Predecessors(FabricState state) {
        this.state = state;
        Set<Long> guids = new TreeSet<>(Long::compareUnsigned);
        state.inventory().switchGuids().forEach(guids::add);
        guids.addAll(state.switches.keySet());
        for (long guid : guids) {
            SwitchRecord record = state.switches.get(guid);
            if (record == null || record.session == 0) {
                remember(guid);
            }
        }
    }

    private void remember(long guid) {
        boolean known = state.cabling.knows(guid);
        int ports = known ? state.cabling.portCount(guid) : state.inventory().portCount(guid);
        for (int port = 1; port <= ports; port++) {
            Neighbour far =
                    known ? state.cabling.claim(guid, port) : state.inventory().expected(guid, port);
            if (far instanceof ToSwitch to) {
                gone.put(new PortPlace(to.guid(), to.port()), guid);
            }
        }
    }

    /** Level of the switch that had more than half of this one's cables, or {@link FabricView#UNRANKED}. */
    int levelFor(long guid) {
        Map<Long, Integer> shares = new HashMap<>();
        int links = 0;
        for (int port = 1; port <= state.cabling.portCount(guid); port++) {
            if (state.cabling.isLive(guid, port) && state.cabling.neighbour(guid, port) instanceof ToSwitch to) {
                links++;
                Long before = gone.get(new PortPlace(to.guid(), to.port()));
                if (before != null && before != guid) {
                    shares.merge(before, 1, Integer::sum);
                }
            }
        }
        for (Map.Entry<Long, Integer> share : shares.entrySet()) {
            if (2 * share.getValue() > links) {
                return state.identity.levels().levels().getOrDefault(share.getKey(), FabricView.UNRANKED);
            }
        }
        return FabricView.UNRANKED;
    }
}

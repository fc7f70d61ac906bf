package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Directed paths from the host that looks at the fabric to each switch: the ports to leave by, {@code 0,1,20,3}. By such a path a switch
 * is asked whatever the tables say, so also when they are wrong, and where no legal path leads: two switches at the top, or
 * one that a leaf has lost its cable to. Shortest, by the lowest ports. Immutable.
 */
final class DirectedPaths {
    private final Map<Long, String> paths = new HashMap<>();

    DirectedPaths(Discovery found) {
        Deque<FoundSwitch> next = new ArrayDeque<>();
        for (FoundSwitch each : found.switches().values()) {
            for (Neighbour neighbour : each.ports()) {
                if (neighbour instanceof ToHost to && to.host().portGuid() == found.fromPort()) {
                    paths.put(each.guid(), "0," + to.host().hostPort());
                    next.add(each);
                }
            }
        }
        while (!next.isEmpty()) {
            goOn(next.remove(), found, next);
        }
    }

    private void goOn(FoundSwitch from, Discovery found, Deque<FoundSwitch> next) {
        String path = paths.get(from.guid());
        for (int port = 1; port <= from.portCount(); port++) {
            if (from.ports().get(port - 1) instanceof ToSwitch to) {
                FoundSwitch there = found.switches().get(to.guid());
                if (there != null && paths.putIfAbsent(to.guid(), path + "," + port) == null) {
                    next.add(there);
                }
            }
        }
    }

    /** To this switch; null when none is known. */
    @Nullable
    String to(long guid) {
        return paths.get(guid);
    }
}

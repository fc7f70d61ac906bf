package io.dmodc.subnet;

import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Directed paths from the host that looks at the fabric to each switch: the ports to leave by, {@code 0,1,20,3}. By such a path a switch
 * is asked whatever the tables say, so also when they are wrong, and where no legal path leads: two switches at the top, or
 * one that a leaf has lost its cable to. Shortest, by the lowest ports. Immutable.
 */
public final class DirectedPaths {
    private final Map<Long, String> paths = new HashMap<>();

    /**
     * Finds them.
     *
     * @param fromPort GUID of the host port that is looked from; where it is not known, no path is
     */
    public DirectedPaths(Collection<SwitchClaims> switches, long fromPort) {
        Map<Long, SwitchClaims> byGuid = new TreeMap<>(Long::compareUnsigned);
        switches.forEach(each -> byGuid.put(each.guid(), each));
        Deque<SwitchClaims> next = new ArrayDeque<>();
        for (SwitchClaims each : byGuid.values()) {
            for (PortClaim port : each.ports()) {
                if (port.up()
                        && port.neighbour() instanceof ToHost to
                        && to.host().portGuid() == fromPort) {
                    paths.put(each.guid(), "0," + to.host().hostPort());
                    next.add(each);
                }
            }
        }
        while (!next.isEmpty()) {
            goOn(next.remove(), byGuid, next);
        }
    }

    private void goOn(SwitchClaims from, Map<Long, SwitchClaims> switches, Deque<SwitchClaims> next) {
        String path = paths.get(from.guid());
        for (PortClaim port : from.ports()) {
            if (port.up() && port.neighbour() instanceof ToSwitch to) {
                SwitchClaims there = switches.get(to.guid());
                if (there != null && !paths.containsKey(to.guid())) {
                    paths.put(to.guid(), path + "," + port.port());
                    next.add(there);
                }
            }
        }
    }

    /** To this switch; null when none is known. */
    public @Nullable String to(long guid) {
        return paths.get(guid);
    }
}

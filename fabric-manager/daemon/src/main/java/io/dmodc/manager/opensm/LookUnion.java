package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.PortEnd;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.ibnet.LidMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What looks at the whole fabric show together, each of which may leave something out, as packets get lost: what is in one of them is there. Where they show different things the newest is right:
 * a port of it leads where it says, and so do the ports of that end and of that host. For one thread.
 */
final class LookUnion {
    private final Map<Long, SwitchClaims> switches = new LinkedHashMap<>();

    /** What ports lead to that are up in the newest. */
    private final Map<PortEnd, Neighbour> ends = new HashMap<>();

    /** Hosts in the newest, by port GUID. */
    private final Set<Long> hosts = new HashSet<>();

    private final LidMap lids;

    LookUnion(List<SwitchClaims> newest, LidMap lids) {
        this.lids = lids.copy();
        for (SwitchClaims each : newest) {
            switches.put(each.guid(), each);
            each.ports().forEach(port -> note(each.guid(), port));
        }
    }

    private void note(long guid, PortClaim port) {
        Neighbour end = port.neighbour();
        if (port.up() && end != null) {
            ends.put(new PortEnd(guid, port.port()), end);
            if (end instanceof ToHost to) {
                hosts.add(to.host().portGuid());
            }
        }
    }

    /** What an earlier look showed. */
    void add(List<SwitchClaims> earlier, LidMap lidsThen) {
        for (SwitchClaims then : earlier) {
            SwitchClaims now = switches.getOrDefault(
                    then.guid(), new SwitchClaims(then.guid(), then.name(), then.portCount(), List.of()));
            if (now.portCount() == then.portCount()) {
                switches.put(then.guid(), union(now, then, lidsThen));
                addAddress(then.guid(), lidsThen);
            }
        }
    }

    private SwitchClaims union(SwitchClaims now, SwitchClaims then, LidMap lidsThen) {
        Map<Integer, PortClaim> ports = new TreeMap<>();
        now.ports().forEach(port -> ports.put(port.port(), port));
        for (PortClaim port : then.ports()) {
            if (port.up() && isLeftOut(new PortEnd(then.guid(), port.port()), port.neighbour())) {
                ports.put(port.port(), port);
                if (port.neighbour() instanceof ToHost to) {
                    addAddress(to.host().portGuid(), lidsThen);
                }
            }
        }
        return new SwitchClaims(now.guid(), now.name(), now.portCount(), List.copyOf(ports.values()));
    }

    /** Nothing in the newest is at this port or where it leads, or it is that, and has no address there. */
    private boolean isLeftOut(PortEnd near, @Nullable Neighbour end) {
        Neighbour shown = ends.get(near);
        if (end instanceof ToSwitch to) {
            Neighbour back = ends.get(new PortEnd(to.guid(), to.port()));
            return shown == null && (back == null || back.equals(new ToSwitch(near.guid(), near.port())));
        }
        return end instanceof ToHost to
                && (shown == null
                        ? !hosts.contains(to.host().portGuid())
                        : end.isSameEnd(shown) && !Discovery.hasAddress(shown));
    }

    private void addAddress(long guid, LidMap lidsThen) {
        if (lids.lidOf(guid) == LidMap.NONE) {
            lids.put(guid, lidsThen.lidOf(guid), lidsThen.lmcOf(guid)); // Where nobody else has it by now.
        }
    }

    List<SwitchClaims> claims() {
        return List.copyOf(switches.values());
    }

    LidMap lids() {
        return lids;
    }
}

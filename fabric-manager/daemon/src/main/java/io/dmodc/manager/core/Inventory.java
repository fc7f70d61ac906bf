package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has worked and was not forgotten: switches, the cables between them, their hosts. What is in here and does not
 * work now is an alarm.
 *
 * <p>Per switch one array of far ends by port number − 1; a cable stands in the arrays of both its ends, a host in one.
 * A port that works with another far end, or a host that works elsewhere, replaces what was there before. Cables do not
 * vanish by that: where a cable is plugged in and another one was, the two ports that are left over are expected to be
 * joined, and a host that gave way is expected where the other one came from. So a swap is whole when both are done, and
 * what was pulled out to make room is missed. Bounded by the ports of all switches that came in. What changed is taken
 * as records with {@link #takeChanges}. Read on the loop thread only.
 */
public final class Inventory {
    private static final class KnownPorts {
        String name;
        Neighbour[] far;

        KnownPorts(String name, int portCount) {
            this.name = name;
            far = new Neighbour[portCount];
        }
    }

    private final GuidMap<KnownPorts> switches = new GuidMap<>();
    private final Map<Long, PortPlace> hostPorts = new HashMap<>();
    private int linkCount;
    private final DirtySet<Long> changed = new DirtySet<>();

    /** Goes on with what was kept. */
    static Inventory of(List<ExpectedSwitch> kept) {
        Inventory inventory = new Inventory();
        kept.forEach(known -> inventory.addSwitch(known.guid(), known.name(), known.portCount()));
        for (ExpectedSwitch known : kept) {
            known.ports().forEach(port -> inventory.seenWorking(known.guid(), port.port(), port.neighbour()));
        }
        inventory.changed.clear();
        return inventory;
    }

    public int switchCount() {
        return switches.size();
    }

    /** Cables between switches, each counted once. */
    public int linkCount() {
        return linkCount;
    }

    public int hostCount() {
        return hostPorts.size();
    }

    public boolean hasSwitch(long guid) {
        return switches.containsKey(guid);
    }

    /** GUIDs, ascending and unsigned. */
    public Iterable<Long> switchGuids() {
        return switches.keySet();
    }

    /** The name it had when it was last seen; its GUID when it is not in here. */
    public String nameOf(long guid) {
        KnownPorts known = switches.get(guid);
        return known == null ? Guid.format(guid) : known.name;
    }

    /** How many ports the switch has, 0 when it is not in here. */
    public int portCount(long guid) {
        KnownPorts known = switches.get(guid);
        return known == null ? 0 : known.far.length;
    }

    /** What last worked at this port; {@code null} when nothing did. */
    public @Nullable Neighbour expected(long guid, int port) {
        KnownPorts known = switches.get(guid);
        return known == null || port < 1 || port > known.far.length ? null : known.far[port - 1];
    }

    /** Switch GUID and port number of a host port; {@code null} for one that is not in here. */
    public @Nullable PortPlace portOf(long hostPortGuid) {
        return hostPorts.get(hostPortGuid);
    }

    /**
     * A switch is there. With another port count than before it is taken as replaced: its cables and hosts are expected
     * no more.
     *
     * @return ports at which something was expected until now
     */
    List<PortPlace> addSwitch(long guid, String name, int portCount) {
        KnownPorts known = switches.get(guid);
        if (known != null && known.far.length == portCount) {
            if (!known.name.equals(name)) {
                known.name = name;
                changed.add(guid);
            }
            return List.of();
        }
        List<PortPlace> gone = removeSwitch(guid);
        switches.put(guid, new KnownPorts(name, portCount));
        changed.add(guid);
        return gone;
    }

    /**
     * A cable or a host works at this port.
     *
     * @return ports at which something else was expected until now, this one left out
     */
    List<PortPlace> seenWorking(long guid, int port, Neighbour far) {
        KnownPorts near = switches.get(guid);
        List<PortPlace> replaced = new ArrayList<>();
        if (near == null || port < 1 || port > near.far.length || far.equals(near.far[port - 1])) {
            return replaced;
        }
        if (far instanceof ToSwitch to) {
            if (to.port() > portCount(to.guid())) {
                return replaced;
            }
            Neighbour leftNear = near.far[port - 1];
            Neighbour leftFar = expected(to.guid(), to.port());
            removeAt(guid, port, replaced);
            removeAt(to.guid(), to.port(), replaced);
            join(guid, port, to);
            if (leftNear instanceof ToSwitch one && leftFar instanceof ToSwitch other && one.guid() != other.guid()) {
                join(one.guid(), one.port(), other);
            }
        } else if (far instanceof ToHost to) {
            Neighbour gaveWay = near.far[port - 1];
            removeAt(guid, port, replaced);
            PortPlace before = hostPorts.get(to.host().portGuid());
            if (before != null) {
                removeAt(before.guid(), before.port(), replaced);
            }
            place(guid, port, to);
            if (before != null && gaveWay instanceof ToHost other) {
                place(before.guid(), before.port(), other);
            }
        }
        replaced.remove(new PortPlace(guid, port));
        return replaced;
    }

    private void join(long guid, int port, ToSwitch far) {
        far(guid)[port - 1] = far;
        far(far.guid())[far.port() - 1] = new ToSwitch(guid, port);
        linkCount++;
        changed.add(guid);
        changed.add(far.guid());
    }

    private void place(long guid, int port, ToHost host) {
        far(guid)[port - 1] = host;
        hostPorts.put(host.host().portGuid(), new PortPlace(guid, port));
        changed.add(guid);
    }

    /**
     * Nothing is expected at this port any more.
     *
     * @return both ports of the cable, or the host's; empty when nothing was
     */
    List<PortPlace> forgetPort(long guid, int port) {
        List<PortPlace> forgotten = new ArrayList<>();
        removeAt(guid, port, forgotten);
        return forgotten;
    }

    /**
     * The switch, its cables and its hosts are expected no more.
     *
     * @return its ports and those of its neighbours where something was
     */
    List<PortPlace> removeSwitch(long guid) {
        List<PortPlace> forgotten = new ArrayList<>();
        KnownPorts known = switches.get(guid);
        if (known != null) {
            for (int port = 1; port <= known.far.length; port++) {
                removeAt(guid, port, forgotten);
            }
            changed.add(guid);
            switches.remove(guid);
        }
        return forgotten;
    }

    /**
     * A host is expected where another one was, unless it is expected somewhere already; that other one is expected no more.
     *
     * @return the port; empty when the old one was not in here
     */
    List<PortPlace> replaceHost(long oldPortGuid, Host fresh) {
        List<PortPlace> changed = new ArrayList<>();
        PortPlace at = hostPorts.get(oldPortGuid);
        if (at != null) {
            removeAt(at.guid(), at.port(), changed);
            if (!hostPorts.containsKey(fresh.portGuid())) {
                place(at.guid(), at.port(), new ToHost(fresh));
            }
        }
        return changed;
    }

    /** Says whether a port of a switch can take over what another one led to. */
    interface FreePort {
        boolean takes(int port, Neighbour far);
    }

    /**
     * What is expected at a switch is expected at the same ports of another one from now on, where nothing else is.
     *
     * @param free which ports of the new switch can take what
     * @return ports at which something else was expected until now, and those that took it over
     */
    List<PortPlace> handOver(long oldGuid, long newGuid, FreePort free) {
        List<PortPlace> changed = new ArrayList<>();
        for (int port = 1; port <= Math.min(portCount(oldGuid), portCount(newGuid)); port++) {
            Neighbour far = expected(oldGuid, port);
            boolean own = far instanceof ToSwitch to && (to.guid() == oldGuid || to.guid() == newGuid);
            if (far != null && !own && expected(newGuid, port) == null && free.takes(port, far)) {
                removeAt(oldGuid, port, changed);
                if (far instanceof ToSwitch to) {
                    join(newGuid, port, to);
                } else if (far instanceof ToHost to) {
                    place(newGuid, port, to);
                }
                changed.add(new PortPlace(newGuid, port));
            }
        }
        return changed;
    }

    private void removeAt(long guid, int port, List<PortPlace> removed) {
        Neighbour[] far = far(guid);
        Neighbour before = port < 1 || port > far.length ? null : far[port - 1];
        if (before == null) {
            return;
        }
        changed.add(guid);
        far[port - 1] = null;
        removed.add(new PortPlace(guid, port));
        if (before instanceof ToSwitch to) {
            far(to.guid())[to.port() - 1] = null;
            changed.add(to.guid());
            removed.add(new PortPlace(to.guid(), to.port()));
            linkCount--;
        } else if (before instanceof ToHost to) {
            hostPorts.remove(to.host().portGuid());
        }
    }

    private @Nullable Neighbour[] far(long guid) {
        KnownPorts known = switches.get(guid);
        return known == null ? new Neighbour[0] : known.far;
    }

    /** A record for each switch that changed since the last call. */
    List<StateRecord> takeChanges() {
        List<StateRecord> records = changed.all().stream().map(this::record).toList();
        changed.clear();
        return records;
    }

    private StateRecord record(long guid) {
        ExpectedSwitch known = known(guid);
        return known == null ? new Removed(new StateRecord.Key(StateRecord.Kind.EXPECTED, guid, 0, "")) : known;
    }

    /** All that is expected of a switch; {@code null} when it is not in here. */
    @Nullable
    ExpectedSwitch known(long guid) {
        KnownPorts known = switches.get(guid);
        if (known == null) {
            return null;
        }
        List<ExpectedPort> ports = new ArrayList<>();
        for (int port = 1; port <= known.far.length; port++) {
            Neighbour far = known.far[port - 1];
            if (far != null) {
                ports.add(new ExpectedPort(port, far));
            }
        }
        return new ExpectedSwitch(guid, known.name, known.far.length, ports);
    }
}

package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything known of the fabric's cabling, changed one {@link FabricChange} at a time, drawn as a {@link FabricView}
 * when asked.
 *
 * <p>Keeps what each end of each cable last said. A link is live while both switches are alive, both ends name each
 * other and both say up: one end saying down is enough for down. Hosts stay cabled to the port they were last seen on,
 * up or down, because a rebooting host is no reason to reroute. A port that is down and remembers a host that is up
 * elsewhere has no neighbour.
 *
 * <p>Drawing a view costs O(ports); names are looked up again only after a switch or a neighbour was new. When only
 * links and switches went down or came back since the last view, that one is patched ({@link ViewPatch}): it is kept
 * for this, so one view more than those in use is held in memory. Not thread-safe.
 */
public final class FabricViewBuilder {
    private record Place(long switchGuid, int port) {}

    private final Map<Long, KnownSwitch> switches = new HashMap<>();
    private final Map<Long, Place> hostPlaces = new HashMap<>();

    /** Null after a switch or a neighbour was new. */
    private @Nullable ResolvedCabling resolved;

    /** What happened since the last view; null before the first one and whenever {@link #resolved} is. */
    private @Nullable ViewPatch patch;

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
        if (change instanceof SwitchForgotten forgotten) {
            return forgetSwitch(forgotten.guid());
        }
        return setPort((PortSeen) change);
    }

    private boolean addSwitch(SwitchSeen seen) {
        KnownSwitch known = switches.get(seen.guid());
        if (known != null && known.up.length == seen.portCount()) {
            boolean renamed = !known.name.equals(seen.name());
            known.name = seen.name();
            return renamed;
        }
        switches.put(seen.guid(), new KnownSwitch(seen));
        hostPlaces.values().removeIf(place -> place.switchGuid == seen.guid());
        forgetCabling();
        return true;
    }

    private boolean forgetSwitch(long guid) {
        if (switches.remove(guid) == null) {
            return false;
        }
        hostPlaces.values().removeIf(place -> place.switchGuid == guid);
        forgetCabling();
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
        if (!known.has(seen.port())) {
            throw new IllegalArgumentException(
                    "switch " + Guid.format(seen.guid()) + ": port " + seen.port() + " outside 1.." + known.up.length);
        }
        int at = seen.port() - 1;
        boolean changed = known.up[at] != seen.up();
        known.up[at] = seen.up();
        if (changed && patch != null) {
            patch.portChanged(known, at);
        }
        Neighbour neighbour = movedAway(seen) ? null : seen.neighbour();
        if (!Objects.equals(known.neighbour[at], neighbour)) {
            recable(known, at, neighbour);
            changed = true;
        }
        return changed;
    }

    /** A port that is down remembers whom it saw last, also when that host has been plugged in elsewhere and is up. */
    private boolean movedAway(PortSeen seen) {
        Place place = !seen.up() && seen.neighbour() instanceof ToHost to
                ? hostPlaces.get(to.host().portGuid())
                : null;
        return place != null
                && !place.equals(new Place(seen.guid(), seen.port()))
                && known(place.switchGuid).up[place.port - 1];
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
        forgetCabling();
    }

    private void forgetCabling() {
        resolved = null;
        patch = null;
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
        ResolvedCabling cabling = resolved();
        FabricTables patched = patch == null ? null : patch.draw(nodes, levels);
        FabricTables t = patched == null ? drawAfresh(cabling, nodes, levels) : patched;
        patch = new ViewPatch(cabling, t);
        return new FabricView(epoch, t);
    }

    /** Has the next view drawn from what is known alone, not from the last view. */
    public void forgetLastView() {
        forgetCabling();
    }

    private static FabricTables drawAfresh(ResolvedCabling cabling, NodeIndexMap nodes, GuidNumbers levels) {
        FabricTables t = new FabricTables(cabling.portBase);
        for (KnownSwitch known : cabling.switches) {
            t.switchGuid[known.index] = known.guid;
            t.switchName[known.index] = known.name;
            t.alive[known.index] = known.alive;
        }
        cabling.connectLiveLinks(t);
        t.groupPorts();
        Ranks.assign(t, cabling.hostCount, levels);
        cabling.placeNodes(t, nodes);
        t.orderTargets();
        return t;
    }

    private ResolvedCabling resolved() {
        ResolvedCabling cabling = resolved;
        if (cabling == null) {
            cabling = new ResolvedCabling(switches);
            resolved = cabling;
        }
        return cabling;
    }
}

package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything known of the fabric's cabling, changed one {@link FabricChange} at a time, drawn as a {@link FabricView}
 * when asked.
 *
 * <p>Keeps what each end of each cable last said, whatever others say: its claim. A link is live while both switches are
 * alive, both ends name each other and both say up: one end saying down is enough for down. Hosts stay cabled to the
 * port they were last seen on, up or down, because a rebooting host is no reason to reroute. Of several ports that name
 * one host, one has it at most ({@link HostOwners}); a port that is down never has a host that is up elsewhere, held
 * down there or not.
 *
 * <p>Drawing a view costs O(ports); names are looked up again only after a switch or a cable between switches was new.
 * When only links, switches and hosts went or came since the last view, that one is patched ({@link ViewPatch}): it is
 * kept for this, so one view more than those in use is held in memory. Not thread-safe.
 */
public final class FabricViewBuilder {
    private final Map<Long, KnownSwitch> switches = new HashMap<>();
    private final HostOwners owners = new HostOwners(switches, this::hostChanged);
    private final LinkRates rates = new LinkRates();
    private final Set<Long> changed = new TreeSet<>(Long::compareUnsigned);
    private long recablings;

    /** Null after a switch or a cable between switches was new. */
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
        if (change instanceof SwitchHeard heard) {
            return setHeard(heard);
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
            if (renamed) {
                changed.add(known.guid);
                noteChanged(known);
            }
            return renamed;
        }
        if (known != null) {
            owners.forget(known);
            rates.forget(known.guid);
        }
        switches.put(seen.guid(), new KnownSwitch(seen));
        forgetCabling();
        changed.add(seen.guid());
        return true;
    }

    private boolean forgetSwitch(long guid) {
        KnownSwitch known = switches.get(guid);
        if (known == null) {
            return false;
        }
        owners.forget(known);
        rates.forget(guid);
        switches.remove(guid);
        forgetCabling();
        changed.add(guid);
        return true;
    }

    private boolean setHeard(SwitchHeard change) {
        KnownSwitch known = known(change.guid());
        if (known.heard == change.heard()) {
            return false;
        }
        known.heard = change.heard();
        boolean recabled = owners.heardChanged(known);
        recablings += recabled ? 1 : 0;
        return recabled;
    }

    private boolean setAlive(SwitchState state) {
        KnownSwitch known = known(state.guid());
        boolean changed = known.alive != state.alive();
        known.alive = state.alive();
        if (changed) {
            noteChanged(known);
        }
        return changed;
    }

    private void noteChanged(KnownSwitch known) {
        if (patch != null) {
            patch.switchChanged(known);
        }
    }

    private boolean setPort(PortSeen seen) {
        KnownSwitch known = known(seen.guid());
        requirePort(known, seen.port());
        int at = seen.port() - 1;
        boolean turned = known.up[at] != seen.up();
        boolean turnedHeld = known.held[at] != seen.held();
        Neighbour before = known.claim[at];
        boolean renamed = !Objects.equals(before, seen.neighbour());
        known.up[at] = seen.up();
        known.held[at] = seen.held();
        known.claim[at] = seen.neighbour();
        if (turned && patch != null) {
            patch.portChanged(known, at);
        }
        boolean recabled = renamed
                ? owners.claimChanged(known, at, before)
                : (turned || turnedHeld) && owners.upChanged(known, at);
        if (recabled && (before instanceof ToSwitch || seen.neighbour() instanceof ToSwitch)) {
            forgetCabling();
        } else if (recabled) {
            recablings++;
        }
        if (turned || renamed) {
            changed.add(known.guid);
        }
        return turned || recabled;
    }

    /**
     * Takes in what a port says of its link's rate; no view is another one for it.
     *
     * @param rate {@code null}: not known
     * @return true if it said something else before
     * @throws IllegalArgumentException as {@link #apply}
     */
    public boolean setRate(long guid, int port, @Nullable LinkRate rate) {
        requirePort(known(guid), port);
        boolean other = rates.put(guid, port, rate);
        if (other) {
            changed.add(guid);
        }
        return other;
    }

    /** What ports last said of their links' rates; as it is at any time. */
    public LinkRates rates() {
        return rates;
    }

    private static void requirePort(KnownSwitch known, int port) {
        if (!known.has(port)) {
            throw new IllegalArgumentException(
                    "switch " + Guid.format(known.guid) + ": port " + port + " outside 1.." + known.up.length);
        }
    }

    private void hostChanged(KnownSwitch known, int at) {
        if (resolved != null) {
            resolved.hostChanged(known, at);
        }
    }

    private void forgetCabling() {
        resolved = null;
        patch = null;
        recablings++;
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

    /**
     * What a port leads to, up or down; {@code null} when nothing was seen there, and when the host that was has been
     * given to another port that names it, too.
     */
    public @Nullable Neighbour neighbour(long guid, int port) {
        return known(guid).neighbour[port - 1];
    }

    /** What a port last said itself, up or down; {@code null} for nothing, and for ports and switches not known. */
    public @Nullable Neighbour claim(long guid, int port) {
        KnownSwitch known = switches.get(guid);
        return known == null || !known.has(port) ? null : known.claim[port - 1];
    }

    /** True if somebody speaks for this switch at present: all it said is of today. */
    public boolean isHeard(long guid) {
        KnownSwitch known = switches.get(guid);
        return known != null && known.heard;
    }

    /** True if this port exists, says up, and somebody speaks for its switch at present. */
    public boolean claimsUpNow(long guid, int port) {
        KnownSwitch known = switches.get(guid);
        return known != null && known.has(port) && known.heard && known.up[port - 1];
    }

    /** Ports that name this host, up or down, in order. */
    public List<PortPlace> claimants(long hostPortGuid) {
        return owners.claimants(hostPortGuid);
    }

    /** Ports that got or lost a host since this was called last, as it follows from what all ports say; in no order. */
    public Set<PortPlace> takeMoved() {
        return owners.takeMoved();
    }

    /**
     * Grows whenever a port leads elsewhere than before, a host has another name or other addresses, or switches came or
     * went.
     */
    public long recablings() {
        return recablings;
    }

    /** All a known switch last said; with the claims of all others, what {@link #restore} needs to go on the same. */
    public SwitchClaims claims(long guid) {
        KnownSwitch known = known(guid);
        List<PortClaim> ports = new ArrayList<>();
        for (int port = 1; port <= known.up.length; port++) {
            Neighbour claim = known.claim[port - 1];
            if (claim != null || known.up[port - 1]) {
                boolean lastUp = claim instanceof ToHost to
                        && owners.isLastUp(new PortPlace(guid, port), to.host().portGuid());
                LinkRate rate = rates.of(guid, port).orElse(null);
                ports.add(new PortClaim(port, known.up[port - 1], claim, lastUp, rate));
            }
        }
        return new SwitchClaims(guid, known.name, known.up.length, ports);
    }

    /**
     * Takes the claims of a switch as they were kept, in place of all that is known of it. Nobody speaks for it until
     * {@link SwitchHeard} says so, and it is taken as forwarding. The order of the switches does not matter.
     *
     * @throws IllegalArgumentException if a port is outside the switch
     */
    public void restore(SwitchClaims claims) {
        for (PortClaim port : claims.ports()) {
            if (port.port() < 1 || port.port() > claims.portCount()) {
                throw new IllegalArgumentException("switch " + Guid.format(claims.guid()) + ": port " + port.port()
                        + " outside 1.." + claims.portCount());
            }
        }
        SwitchSeen seen = new SwitchSeen(claims.guid(), claims.name(), claims.portCount());
        forgetSwitch(claims.guid());
        addSwitch(seen);
        setHeard(new SwitchHeard(claims.guid(), false));
        for (PortClaim port : claims.ports()) {
            setPort(new PortSeen(claims.guid(), port.port(), port.up(), port.neighbour()));
            setRate(claims.guid(), port.port(), port.rate());
            if (port.lastUpOwner() && port.neighbour() instanceof ToHost to) {
                owners.restoreLastUp(
                        new PortPlace(claims.guid(), port.port()), to.host().portGuid());
            }
        }
    }

    /** Switches whose {@link #claims} are others, or which are gone, since this was called last; by unsigned GUID. */
    public List<Long> takeChanged() {
        List<Long> taken = List.copyOf(changed);
        changed.clear();
        return taken;
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
        return build(epoch, nodes, levels, false);
    }

    /**
     * Draws the same fabric by known levels alone, once there are any: a switch with links and without a level has no
     * rank, so that no path leads through it.
     *
     * @param levels as for {@link #build}; empty to follow the paper
     */
    public FabricView buildByLevels(long epoch, NodeIndexMap nodes, GuidNumbers levels) {
        return build(epoch, nodes, levels, levels.size() > 0);
    }

    private FabricView build(long epoch, NodeIndexMap nodes, GuidNumbers levels, boolean levelsOnly) {
        owners.settle(changed);
        ResolvedCabling cabling = resolved();
        FabricTables patched = patch == null ? null : patch.draw(nodes, levels, levelsOnly);
        FabricTables t = patched == null ? drawAfresh(cabling, nodes, levels, levelsOnly) : patched;
        patch = new ViewPatch(cabling, t);
        return new FabricView(epoch, t);
    }

    /** Has the next view drawn from what is known alone, not from the last view. */
    public void forgetLastView() {
        forgetCabling();
    }

    private static FabricTables drawAfresh(
            ResolvedCabling cabling, NodeIndexMap nodes, GuidNumbers levels, boolean levelsOnly) {
        FabricTables t = cabling.tables();
        Ranks.assign(t, cabling.hostCount, cabling.levels(levels), levelsOnly);
        cabling.placeNodes(t, nodes);
        t.orderTargets();
        return t;
    }

    private ResolvedCabling resolved() {
        ResolvedCabling cabling = resolved;
        if (cabling == null) {
            cabling = new ResolvedCabling(switches, owners);
            resolved = cabling;
        }
        return cabling;
    }
}

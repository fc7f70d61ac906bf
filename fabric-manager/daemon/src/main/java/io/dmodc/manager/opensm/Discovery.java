package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.LostSwitches.Lost;
import io.dmodc.southbound.BoundedText;
import io.dmodc.subnet.DirectedPaths;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.ibnet.IbnetFabric;
import io.dmodc.topology.ibnet.LidMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fabric as it was found: switches by unsigned GUID, with what each of their ports leads to, and the LIDs that OpenSM
 * has dealt. LIDs are only ever taken from here. Immutable once made; the map of LIDs is read only.
 */
final class Discovery {
    /**
     * A switch that was found.
     *
     * @param ports by number − 1; null where a port is down
     * @param rates of the links of ports that are up, by number, as far as they were told
     */
    record FoundSwitch(
            long guid, String name, int portCount, List<@Nullable Neighbour> ports, Map<Integer, LinkRate> rates) {
        /** True if packets can leave by this port; 0 is the switch itself. */
        boolean isUp(int port) {
            return port == 0 || (port <= portCount && ports.get(port - 1) != null);
        }

        /** True if some port that led somewhere before does not lead there now, or to a host that has no address any more. */
        boolean lacksSomeOf(FoundSwitch before) {
            boolean lacks = portCount != before.portCount;
            for (int port = 0; port < portCount && !lacks; port++) {
                Neighbour was = before.ports.get(port);
                Neighbour now = ports.get(port);
                lacks = was != null && (!was.isSameEnd(now) || (hasAddress(was) && !hasAddress(now)));
            }
            return lacks;
        }

        /** How many ports lead elsewhere now, or are up or down that were not. */
        int changedPorts(FoundSwitch now) {
            int changed = Math.abs(now.portCount - portCount);
            for (int port = 0; port < Math.min(portCount, now.portCount); port++) {
                changed += Objects.equals(ports.get(port), now.ports.get(port)) ? 0 : 1;
            }
            return changed;
        }

        PortSeen seen(int port) {
            Neighbour neighbour = ports.get(port - 1);
            return new PortSeen(guid, port, neighbour != null, neighbour);
        }
    }

    static boolean hasAddress(@Nullable Neighbour end) {
        return end instanceof ToHost to && !to.host().addresses().isNone();
    }

    /** One end of a cable. */
    record PortEnd(long guid, int port) {}

    /** With what each port says of its link's rate. */
    private final List<SwitchClaims> claims;

    private final long fromPort;
    private final SortedMap<Long, FoundSwitch> switches = new TreeMap<>(Long::compareUnsigned);
    private final LidMap lids;
    private final long noticedNanos;
    private final long seenNanos;
    private int switchEnds;
    private int hostEnds;
    private final String complaint;
    private final DirectedPaths paths;

    /**
     * Takes what was found; not to be called twice with the same.
     *
     * @param noticedNanos when that came to notice which this was looked for, or when the look began
     */
    Discovery(DiscoveredSubnet look, long noticedNanos) {
        this(
                claims(look.found()),
                Map.of(),
                look.found().lids(),
                look.fromPort(),
                noticedNanos,
                look.seenNanos(),
                look.complaint());
    }

    /** @param same switches that are as they were, by GUID */
    private Discovery(
            List<SwitchClaims> claims,
            Map<Long, FoundSwitch> same,
            LidMap lids,
            long fromPort,
            long noticedNanos,
            long seenNanos,
            String complaint) {
        this.complaint = complaint;
        this.claims = claims;
        this.lids = lids;
        this.fromPort = fromPort;
        this.noticedNanos = noticedNanos;
        this.seenNanos = seenNanos;
        paths = new DirectedPaths(claims, fromPort);
        for (SwitchClaims one : claims) {
            FoundSwitch was = same.get(one.guid());
            FoundSwitch each = was == null ? foundSwitch(one) : was;
            switches.put(each.guid(), each);
            switchEnds += (int) each.ports.stream()
                    .filter(neighbour -> neighbour instanceof ToSwitch)
                    .count();
            hostEnds += (int) each.ports.stream()
                    .filter(neighbour -> neighbour instanceof ToHost)
                    .count();
        }
    }

    private static List<SwitchClaims> claims(IbnetFabric found) {
        return found.fabric().takeChanged().stream()
                .map(found.fabric()::claims)
                .map(each -> withRates(each, found.rates()))
                .toList();
    }

    private static SwitchClaims withRates(SwitchClaims of, LinkRates rates) {
        List<PortClaim> ports = of.ports().stream()
                .map(port -> new PortClaim(
                        port.port(),
                        port.up(),
                        port.neighbour(),
                        port.lastUpOwner(),
                        rates.of(of.guid(), port.port()).orElse(null)))
                .toList();
        return new SwitchClaims(of.guid(), of.name(), of.portCount(), ports);
    }

    /**
     * What some switches said that changed.
     *
     * @param down ends of cables that are down
     * @param gone switches that are not there any more, by GUID
     * @param back ends of cables that are up again, and what they say
     * @param again switches that are there again, by GUID; with the LIDs they had, which nobody else has
     */
    record Changes(Set<PortEnd> down, Set<Long> gone, Map<PortEnd, PortClaim> back, Map<Long, Lost> again) {
        static Changes lost(Set<PortEnd> down, Set<Long> gone) {
            return new Changes(down, gone, Map.of(), Map.of());
        }
    }

    /**
     * The same after these changes; LIDs are as they were.
     *
     * @param noticed when they came to notice
     * @param seen when it was seen to be so
     */
    Discovery after(Changes changes, long noticed, long seen) {
        Set<Long> others = new HashSet<>(changes.again().keySet());
        changes.down().forEach(end -> others.add(end.guid()));
        changes.back().keySet().forEach(end -> others.add(end.guid()));
        Map<Long, FoundSwitch> same = new HashMap<>(switches);
        same.keySet().removeAll(others);
        List<SwitchClaims> before = new ArrayList<>(claims);
        LidMap dealt = changes.again().isEmpty() ? lids : lids.copy();
        changes.again().forEach((guid, lost) -> {
            before.add(new SwitchClaims(guid, lost.was().name(), lost.was().portCount(), List.of()));
            dealt.put(guid, lost.lid(), lost.lmc());
        });
        List<SwitchClaims> left = before.stream()
                .filter(each -> !changes.gone().contains(each.guid()))
                .map(each -> others.contains(each.guid()) ? after(each, changes.down(), changes.back()) : each)
                .toList();
        return new Discovery(left, same, dealt, fromPort, noticed, seen, "");
    }

    /** This, and what an earlier look showed and this one leaves out: a switch, a port that is up, an address. */
    Discovery withAlso(Discovery earlier) {
        LookUnion union = new LookUnion(claims, lids);
        union.add(earlier.claims, earlier.lids);
        return new Discovery(union.claims(), Map.of(), union.lids(), fromPort, noticedNanos, seenNanos, complaint);
    }

    private static SwitchClaims after(SwitchClaims of, Set<PortEnd> down, Map<PortEnd, PortClaim> back) {
        List<PortClaim> ports = new ArrayList<>(of.ports());
        ports.removeIf(port -> {
            PortEnd end = new PortEnd(of.guid(), port.port());
            return down.contains(end) || back.containsKey(end);
        });
        back.forEach((end, says) -> {
            if (end.guid() == of.guid()) {
                ports.add(says);
            }
        });
        ports.sort(Comparator.comparingInt(PortClaim::port));
        return new SwitchClaims(of.guid(), of.name(), of.portCount(), ports);
    }

    private static FoundSwitch foundSwitch(SwitchClaims claims) {
        List<@Nullable Neighbour> ports = new ArrayList<>();
        for (int port = 1; port <= claims.portCount(); port++) {
            ports.add(null);
        }
        Map<Integer, LinkRate> rates = new TreeMap<>();
        for (PortClaim claim : claims.ports()) {
            ports.set(claim.port() - 1, claim.up() ? printable(claim.neighbour()) : null);
            LinkRate rate = claim.rate();
            if (claim.up() && rate != null) {
                rates.put(claim.port(), rate);
            }
        }
        return new FoundSwitch(claims.guid(), BoundedText.shown(claims.name()), claims.portCount(), ports, rates);
    }

    private static @Nullable Neighbour printable(@Nullable Neighbour neighbour) {
        if (!(neighbour instanceof ToHost to)) {
            return neighbour;
        }
        Host host = to.host();
        String name = BoundedText.shown(host.name());
        return new ToHost(
                new Host(host.portGuid(), host.hostGuid(), host.hostPort(), name, host.addresses(), host.kind()));
    }

    Map<Long, FoundSwitch> switches() {
        return switches;
    }

    /** The switch that has this LID; 0 if there is none, or it is not known. */
    long switchOf(int lid) {
        return lid == 0
                ? 0
                : switches.keySet().stream()
                        .filter(guid -> lids.lidOf(guid) == lid)
                        .findFirst()
                        .orElse(0L);
    }

    /** True if this port is one of the adapter that it was looked at from. True also where that is not known. */
    boolean isHere(long portGuid) {
        Host here = hostOf(fromPort);
        Host there = hostOf(portGuid);
        return here == null || (there != null && here.hostGuid() == there.hostGuid());
    }

    /** For people: whose port this is, as far as that is known. */
    String nameOfPort(long portGuid) {
        Host host = hostOf(portGuid);
        FoundSwitch at = switches.get(portGuid);
        String name = host != null ? host.name() : at != null ? at.name() : "";
        return name.isEmpty() ? portText(portGuid) : name + " (" + portText(portGuid) + ")";
    }

    static String portText(long portGuid) {
        return "port " + Guid.format(portGuid);
    }

    private @Nullable Host hostOf(long portGuid) {
        return switches.values().stream()
                .flatMap(each -> each.ports().stream())
                .filter(ToHost.class::isInstance)
                .map(end -> ((ToHost) end).host())
                .filter(host -> host.portGuid() == portGuid)
                .findFirst()
                .orElse(null);
    }

    LidMap lids() {
        return lids;
    }

    /** From the host it was looked at from. */
    DirectedPaths paths() {
        return paths;
    }

    long noticedNanos() {
        return noticedNanos;
    }

    long seenNanos() {
        return seenNanos;
    }

    /** What the command complained of that looked, one line; empty for nothing. */
    String complaint() {
        return complaint;
    }

    /** True if something is not here that was there before: a switch, its LID, or what one of its ports led to. */
    boolean lacksSomeOf(Discovery before) {
        return before.switches.values().stream().anyMatch(each -> {
            FoundSwitch now = switches.get(each.guid());
            boolean lidLost = lids.lidOf(each.guid()) == 0 && before.lids.lidOf(each.guid()) != 0;
            return now == null || lidLost || now.lacksSomeOf(each);
        });
    }

    /** True if so much is gone that was there before that it takes a second look to believe it: a quarter of the switches, of the cables between them, or of the hosts. */
    boolean lacksMuchOf(Discovery before) {
        long gone = before.switches.keySet().stream()
                .filter(guid -> !switches.containsKey(guid))
                .count();
        return isMuch(gone, before.switches.size())
                || isMuch(before.switchEnds - switchEnds, before.switchEnds)
                || isMuch(before.hostEnds - hostEnds, before.hostEnds);
    }

    /** True if none of the switches is there that were before: of another subnet, or from a port that leads nowhere any more. */
    boolean isOtherThan(Discovery before) {
        return !before.switches.isEmpty()
                && before.switches.keySet().stream().noneMatch(guid -> switches.containsKey(guid));
    }

    private static boolean isMuch(long gone, int before) {
        return gone > 0 && 4 * gone >= before;
    }

    /** True if the same switches lead to the same ends, over links of the same rates. */
    boolean sameCabling(Discovery other) {
        return switches.equals(other.switches);
    }
}

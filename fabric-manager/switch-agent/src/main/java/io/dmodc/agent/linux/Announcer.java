package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Guids;
import io.dmodc.topology.HostAddresses;
import org.jspecify.annotations.Nullable;

/**
 * Who speaks at this end of the cables.
 *
 * @param cluster the same for all switches and hosts of a fabric
 * @param guid of the switch, or of the host's port
 * @param host what is announced of the host; null: a switch
 */
public record Announcer(int cluster, long guid, @Nullable HostPort host) {
    /** A switch; its ports are announced with their own numbers. */
    public static Announcer ofSwitch(int cluster, long guid) {
        return new Announcer(cluster, guid, null);
    }

    /**
     * One port of a host.
     *
     * @throws IllegalArgumentException in one line, when nobody would believe it
     */
    public static Announcer ofHost(int cluster, HostPort host) {
        HostIdentity.check(host);
        return new Announcer(cluster, host.portGuid(), host);
    }

    /** Returns what is said at a port whose interface has that address. */
    Announcement at(int port, long mac, boolean asks, boolean hearsDirectly) {
        Neighbour self = host == null ? new SwitchPort(guid, port) : with(host, mac);
        return new Announcement(cluster, self, mac, asks, hearsDirectly);
    }

    private static HostPort with(HostPort host, long mac) {
        HostAddresses of = host.addresses();
        HostAddresses all = new HostAddresses(0, of.ipv4(), of.ipv6High(), of.ipv6Low(), mac);
        return new HostPort(host.portGuid(), host.hostGuid(), host.port(), host.name(), all);
    }

    /** True when what was heard is what this end said itself. */
    boolean isSelf(Neighbour heard) {
        if (heard instanceof SwitchPort end) {
            return host == null && end.guid() == guid;
        }
        return host != null && heard instanceof HostPort end && end.portGuid() == guid;
    }

    /** For the log. */
    String who() {
        return (host == null ? "switch " : "host port ") + Guids.text(guid);
    }
}

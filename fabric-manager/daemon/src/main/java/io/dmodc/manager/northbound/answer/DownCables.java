package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which cables and hosts that should be there are not, by the open alarms. Immutable. */
public final class DownCables {
    /**
     * A host that is down.
     *
     * @param index its destination index, −1 before it has one
     * @param switchGuid where it was last seen up, as {@code switchName} and {@code port}
     */
    record DownHost(int index, Host host, long switchGuid, String switchName, int port, String text) {}

    private record Port(long guid, int port) {}

    private final Map<Long, DownHost> hosts = new HashMap<>();
    private final Map<Port, String> links = new HashMap<>();

    private DownCables() {}

    /** All works. */
    static DownCables none() {
        return new DownCables();
    }

    /** Looks through the alarms: O(alarms). */
    public static DownCables of(FabricSnapshot fabric) {
        DownCables down = new DownCables();
        for (Alarm alarm : fabric.alarms()) {
            if (alarm.kind() == Kind.LINK_DOWN || alarm.kind() == Kind.LINK_HELD) {
                down.links.put(new Port(alarm.guid(), alarm.port()), alarm.text());
                down.links.put(new Port(alarm.peerGuid(), alarm.peerPort()), alarm.text());
            } else if ((alarm.kind() == Kind.HOST_DOWN || alarm.kind() == Kind.HOST_HELD)
                    && fabric.expected(alarm.guid(), alarm.port()) instanceof ToHost to) {
                Host host = to.host();
                down.hosts.put(
                        host.portGuid(),
                        new DownHost(
                                fabric.nodeIndex(alarm),
                                host,
                                alarm.guid(),
                                fabric.nameOf(alarm.guid()),
                                alarm.port(),
                                alarm.text()));
            }
        }
        return down;
    }

    List<DownHost> hosts() {
        return new ArrayList<>(hosts.values());
    }

    /** The host with this port GUID if it is down. */
    @Nullable
    DownHost host(long portGuid) {
        return hosts.get(portGuid);
    }

    /** The host with this destination index if it is down. */
    @Nullable
    DownHost hostAt(int index) {
        for (DownHost host : hosts.values()) {
            if (host.index == index) {
                return host;
            }
        }
        return null;
    }

    /** Destination indices of the hosts that are down and have one, those that are wanted. */
    public List<Integer> indices(Predicate<Host> wanted) {
        return hosts.values().stream()
                .filter(down -> down.index >= 0 && wanted.test(down.host))
                .map(DownHost::index)
                .toList();
    }

    /** True if the host with this destination index is down. */
    public boolean isDown(int index) {
        return hostAt(index) != null;
    }

    /** What is wrong with the cable at this port; {@code null} if nothing is known to be. */
    @Nullable
    String link(long guid, int port) {
        return links.get(new Port(guid, port));
    }
}

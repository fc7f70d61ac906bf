package io.dmodc.manager.core;

import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import java.util.HashMap;
import java.util.Map;

/**
 * Hosts that are expected no more because another adapter is at their port, with the node indices they still have: what an operator may
 * have handed over. The last one of each port, and only since the manager started. Bounded by the ports of all switches.
 */
final class ExchangedHosts {
    /**
     * A host that gave way.
     *
     * @param at where it was
     */
    record Exchanged(Host host, PortPlace at) {}

    private LongTrie<Exchanged> byHostPort = LongTrie.empty();
    private final Map<PortPlace, Long> last = new HashMap<>();

    /** Another adapter is at the port of this host. */
    void add(Host host, PortPlace at) {
        Long before = last.put(at, host.portGuid());
        byHostPort = (before == null ? byHostPort : byHostPort.without(before))
                .with(host.portGuid(), new Exchanged(host, at));
    }

    /** The host is there again, or has no index any more. */
    void settled(long hostPortGuid) {
        Exchanged was = byHostPort.get(hostPortGuid);
        if (was != null) {
            byHostPort = byHostPort.without(hostPortGuid);
            last.remove(was.at, hostPortGuid);
        }
    }

    /** All of them, by GUID of the host port. */
    LongTrie<Exchanged> all() {
        return byHostPort;
    }
}

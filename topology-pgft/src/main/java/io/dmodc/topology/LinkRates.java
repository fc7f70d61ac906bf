package io.dmodc.topology.rates;

import io.dmodc.topology.FabricView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What ports of switches say of their links' rates, as far as somebody told. At most one rate a port. Not thread-safe. */
public final class LinkRates {
    /** By switch, then by port number − 1; as many as a switch may have. */
    private final Map<Long, @Nullable LinkRate[]> rates = new HashMap<>();

    /**
     * Takes what a port says of its link, in place of what it said before.
     *
     * @param port 1..{@link FabricView#PORT_MAX}
     */
    public void put(long switchGuid, int port, LinkRate rate) {
        @Nullable LinkRate[] ports = rates.computeIfAbsent(switchGuid, guid -> new LinkRate[FabricView.PORT_MAX]);
        ports[port - 1] = rate;
    }

    /** What a port says itself. */
    public Optional<LinkRate> of(long switchGuid, int port) {
        @Nullable LinkRate[] ports = rates.get(switchGuid);
        return ports == null ? Optional.empty() : Optional.ofNullable(ports[port - 1]);
    }

    /**
     * The rate of the live cable between two switches at this port: the slower one of what its ends say, of which one is
     * enough; empty if neither says any.
     */
    public Optional<LinkRate> ofCable(FabricView view, int s, int port) {
        Optional<LinkRate> near = of(view.switchGuid(s), port);
        Optional<LinkRate> far = of(view.switchGuid(view.peerSwitch(s, port)), view.peerPort(s, port));
        return near.isPresent() && far.isPresent() && far.get().compareTo(near.get()) < 0 ? far : near.or(() -> far);
    }
}

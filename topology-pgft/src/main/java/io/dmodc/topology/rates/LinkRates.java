package io.dmodc.topology.rates;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What ports of switches say of their links' rates, as far as somebody told. At most one rate a port. Not thread-safe. */
public final class LinkRates {
    private final Map<PortPlace, LinkRate> rates = new HashMap<>();

    /** Takes what a port says of its link, in place of what it said before. */
    public void put(long switchGuid, int port, LinkRate rate) {
        rates.put(new PortPlace(switchGuid, port), rate);
    }

    /** What a port says itself. */
    public Optional<LinkRate> of(long switchGuid, int port) {
        return Optional.ofNullable(rates.get(new PortPlace(switchGuid, port)));
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

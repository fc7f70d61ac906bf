package io.dmodc.topology;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What ports of switches say of their links' rates, as far as somebody told. At most one rate a port. Not thread-safe. */
public final class LinkRates {
    private static final @Nullable LinkRate[] NONE = {};

    /** By switch, then by port number − 1, up to the highest port that said any. */
    private final Map<Long, @Nullable LinkRate[]> rates = new HashMap<>();

    /** How many ports say each; at most as many as there are ports. */
    private final Map<LinkRate, Count> counts = new HashMap<>();

    /** All ports that say the same share one object, so that most can be compared by identity. */
    private static final class Count {
        final LinkRate rate;
        int ports;

        Count(LinkRate rate) {
            this.rate = rate;
        }
    }

    /**
     * Takes what a port says of its link, in place of what it said before.
     *
     * @param port 1..{@link FabricView#PORT_MAX}
     * @param rate {@code null}: it is not known
     * @return true if it said something else
     */
    public boolean put(long switchGuid, int port, @Nullable LinkRate rate) {
        @Nullable LinkRate[] ports = rates.getOrDefault(switchGuid, NONE);
        LinkRate before = port <= ports.length ? ports[port - 1] : null;
        if (Objects.equals(before, rate)) {
            return false;
        }
        if (port > ports.length) {
            ports = Arrays.copyOf(ports, Math.min(FabricView.PORT_MAX, Math.max(port, 2 * ports.length)));
            rates.put(switchGuid, ports);
        }
        ports[port - 1] = taken(rate);
        left(before);
        return true;
    }

    private @Nullable LinkRate taken(@Nullable LinkRate rate) {
        if (rate == null) {
            return null;
        }
        Count count = counts.computeIfAbsent(rate, Count::new);
        count.ports++;
        return count.rate;
    }

    private void left(@Nullable LinkRate rate) {
        Count count = rate == null ? null : counts.get(rate);
        if (count != null && --count.ports == 0) {
            counts.remove(count.rate);
        }
    }

    /** Nothing is known of this switch's links any more. */
    public void forget(long switchGuid) {
        @Nullable LinkRate[] ports = rates.remove(switchGuid);
        for (int i = 0; ports != null && i < ports.length; i++) {
            left(ports[i]);
        }
    }

    /** False if all that said any said the same, so that no link can be slower than another. */
    public boolean differ() {
        return counts.size() > 1;
    }

    /** What a port says itself. */
    public Optional<LinkRate> of(long switchGuid, int port) {
        @Nullable LinkRate[] ports = ofSwitch(switchGuid);
        return port > ports.length ? Optional.empty() : Optional.ofNullable(ports[port - 1]);
    }

    /** What the ports of a switch say, by number − 1, as far as there are any; shared: read only. */
    public @Nullable LinkRate[] ofSwitch(long switchGuid) {
        return rates.getOrDefault(switchGuid, NONE);
    }
}

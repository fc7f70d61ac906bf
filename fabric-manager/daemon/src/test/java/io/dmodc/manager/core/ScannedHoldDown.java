package io.dmodc.manager.core;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The slow twin of {@link HoldDown}: looks at all ports to find what is due. */
final class ScannedHoldDown {
    private static final class Port {
        int flaps;
        int doublings;
        long changedNanos;
        long heldUntilNanos;

        @Nullable
        PortSeen held;
    }

    private FabricRules rules;
    private final Map<PortPlace, Port> ports = new TreeMap<>(Comparator.naturalOrder());

    ScannedHoldDown(FabricRules rules) {
        this.rules = rules;
    }

    void follow(FabricRules newRules) {
        rules = newRules;
    }

    void forget(long guid) {
        ports.keySet().removeIf(key -> key.guid() == guid);
    }

    PortSeen filter(long nowNanos, PortSeen seen, boolean wasUp) {
        PortPlace key = new PortPlace(seen.guid(), seen.port());
        Port port = ports.get(key);
        if (seen.up() && (wasUp || port == null)) {
            return seen;
        }
        if (!seen.up() && !wasUp && (port == null || port.held == null)) {
            return seen;
        }
        Port flapped = port == null ? new Port() : port;
        ports.put(key, flapped);
        long quiet = nowNanos - flapped.changedNanos;
        if (!seen.up()) {
            boolean fresh = quiet > rules.flapMemoryNanos();
            flapped.flaps = 1 + (fresh ? 0 : flapped.flaps);
            flapped.doublings = Math.min(62, 1 + (fresh ? 0 : decayed(flapped.doublings, quiet)));
            flapped.changedNanos = nowNanos;
            flapped.held = null;
            return seen;
        }
        if (flapped.held == null) {
            flapped.doublings = Math.max(1, decayed(flapped.doublings, quiet));
            flapped.changedNanos = nowNanos;
            flapped.heldUntilNanos = nowNanos + hold(flapped.doublings);
        }
        flapped.held = seen;
        return new PortSeen(seen.guid(), seen.port(), false, seen.neighbour(), true);
    }

    private int decayed(int doublings, long quietNanos) {
        int most = 1;
        while (most < 62 && hold(most) < rules.holdDownMaxNanos()) {
            most++;
        }
        return Math.min(most, (int) Math.ceil(doublings * (1 - (double) quietNanos / rules.flapMemoryNanos())));
    }

    private long hold(int doublings) {
        double wanted = rules.holdDownNanos() * Math.pow(2, doublings - 1);
        return wanted >= rules.holdDownMaxNanos() ? rules.holdDownMaxNanos() : (long) wanted;
    }

    int heldCount() {
        return (int) ports.values().stream().filter(port -> port.held != null).count();
    }

    int flapCount(long guid, int port) {
        Port known = ports.get(new PortPlace(guid, port));
        return known == null ? 0 : known.flaps;
    }

    List<PortSeen> release(long nowNanos) {
        List<Port> due = new ArrayList<>();
        ports.values().removeIf(port -> port.held == null && nowNanos - port.changedNanos > rules.flapMemoryNanos());
        for (Port port : ports.values()) {
            if (port.held != null && port.heldUntilNanos <= nowNanos) {
                due.add(port);
            }
        }
        due.sort(Comparator.comparingLong(port -> port.heldUntilNanos));
        List<PortSeen> released = new ArrayList<>();
        for (Port port : due) {
            released.add(Objects.requireNonNull(port.held));
            port.held = null;
            port.changedNanos = nowNanos;
        }
        return released;
    }

    long nextDeadline() {
        return ports.values().stream()
                .filter(port -> port.held != null)
                .mapToLong(port -> port.heldUntilNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}

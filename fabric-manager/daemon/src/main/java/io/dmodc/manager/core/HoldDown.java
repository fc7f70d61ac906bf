package io.dmodc.manager.core;

import io.dmodc.topology.FabricChange.PortSeen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lets a port go down at once and come up only after it stayed up for a while, so that a flapping cable does not cause
 * a push per flap. A host at a port that is held is there all the same: it moves to it once, and no flap moves it.
 *
 * <p>The hold starts at the configured time and doubles with each further flap up to a maximum. It decays: each part of
 * the flap memory a port stays quiet takes the same part of the doublings away, and after the whole of it the flaps are
 * forgotten. At most one entry per port that went down within the flap memory.
 */
final class HoldDown {
    private static final class Flaps {
        int count;
        int level;
        long lastChangeNanos;
        long releaseNanos;

        @Nullable
        PortSeen held;
    }

    /** Any hold of a nanosecond or more has reached its maximum by then. */
    private static final int LEVEL_MAX = 62;

    private FabricRules rules;
    private final Map<PortKey, Flaps> ports = new HashMap<>();

    HoldDown(FabricRules rules) {
        this.rules = rules;
    }

    /** Holds that run keep their end; later ones follow these rules. */
    void follow(FabricRules newRules) {
        rules = newRules;
    }

    /** Forgets all ports of a switch that will not come back. */
    void forget(long guid) {
        ports.keySet().removeIf(port -> port.guid() == guid);
    }

    /**
     * Says what to believe of a report now.
     *
     * @param wasUp what was believed before
     * @return the report itself, or the same port kept down until {@link #release}
     */
    PortSeen filter(long nowNanos, PortSeen seen, boolean wasUp) {
        PortKey key = new PortKey(seen.guid(), seen.port());
        Flaps flaps = ports.get(key);
        if (!seen.up()) {
            if (wasUp || (flaps != null && flaps.held != null)) {
                countFlap(nowNanos, key);
            }
            return seen;
        }
        if (wasUp || flaps == null) {
            return seen;
        }
        if (flaps.held == null) {
            flaps.level = Math.max(1, decayed(flaps.level, nowNanos - flaps.lastChangeNanos));
            flaps.lastChangeNanos = nowNanos;
            flaps.releaseNanos = nowNanos + holdNanos(flaps.level);
        }
        flaps.held = seen;
        return new PortSeen(seen.guid(), seen.port(), false, seen.neighbour(), true);
    }

    private void countFlap(long nowNanos, PortKey key) {
        Flaps flaps = ports.computeIfAbsent(key, k -> new Flaps());
        long quiet = nowNanos - flaps.lastChangeNanos;
        if (quiet > rules.flapMemoryNanos()) {
            flaps.count = 0;
            flaps.level = 0;
        }
        flaps.count++;
        flaps.level = Math.min(LEVEL_MAX, decayed(flaps.level, quiet) + 1);
        flaps.lastChangeNanos = nowNanos;
        flaps.held = null;
    }

    private int decayed(int level, long quietNanos) {
        double kept = 1 - (double) quietNanos / rules.flapMemoryNanos();
        return Math.min((int) Math.ceil(level * kept), levels());
    }

    /** Doublings beyond the maximum would only take longer to decay. */
    private int levels() {
        int levels = 1;
        while (holdNanos(levels) < rules.holdDownMaxNanos() && levels < LEVEL_MAX) {
            levels++;
        }
        return levels;
    }

    private long holdNanos(int level) {
        long hold = rules.holdDownNanos();
        for (int i = 1; i < level && hold < rules.holdDownMaxNanos(); i++) {
            hold *= 2;
        }
        return Math.min(hold, rules.holdDownMaxNanos());
    }

    /** How many ports are up on the metal and kept down here. */
    int heldCount() {
        int held = 0;
        for (Flaps flaps : ports.values()) {
            held += flaps.held != null ? 1 : 0;
        }
        return held;
    }

    /** True while the port is up on the metal and kept down here. */
    boolean holds(long guid, int port) {
        Flaps flaps = ports.get(new PortKey(guid, port));
        return flaps != null && flaps.held != null;
    }

    /** How often the port went down within the flap memory. */
    int flapCount(long guid, int port) {
        Flaps flaps = ports.get(new PortKey(guid, port));
        return flaps == null ? 0 : flaps.count;
    }

    /** Reports whose time has come, in the order of their release. */
    List<PortSeen> release(long nowNanos) {
        List<Flaps> due = new ArrayList<>();
        for (Iterator<Flaps> all = ports.values().iterator(); all.hasNext(); ) {
            Flaps flaps = all.next();
            if (flaps.held != null && flaps.releaseNanos <= nowNanos) {
                due.add(flaps);
            } else if (flaps.held == null && nowNanos - flaps.lastChangeNanos > rules.flapMemoryNanos()) {
                all.remove();
            }
        }
        due.sort(Comparator.comparingLong((Flaps f) -> f.releaseNanos)
                .thenComparing(f -> held(f).guid(), Long::compareUnsigned)
                .thenComparing(f -> held(f).port()));
        List<PortSeen> released = new ArrayList<>(due.size());
        for (Flaps flaps : due) {
            released.add(held(flaps));
            flaps.held = null;
            flaps.lastChangeNanos = nowNanos;
        }
        return released;
    }

    private static PortSeen held(Flaps flaps) {
        return Objects.requireNonNull(flaps.held);
    }

    /** Earliest release, or {@code Long.MAX_VALUE}. */
    long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (Flaps flaps : ports.values()) {
            if (flaps.held != null) {
                next = Math.min(next, flaps.releaseNanos);
            }
        }
        return next;
    }
}

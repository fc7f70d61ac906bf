package io.dmodc.manager.core;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

        @Nullable
        PortSeen held;
    }

    /** Any hold of a nanosecond or more has reached its maximum by then. */
    private static final int LEVEL_MAX = 62;

    private FabricRules rules;
    private final Map<PortPlace, Flaps> ports = new HashMap<>();

    /** When ports that are held are let go. */
    private final Deadlines<PortPlace> releases = new Deadlines<>(Comparator.naturalOrder());

    /** When the flaps of the others are forgotten. */
    private final Deadlines<PortPlace> memories = new Deadlines<>(Comparator.naturalOrder());

    private final DirtySet<PortPlace> quiet = new DirtySet<>();

    HoldDown(FabricRules rules) {
        this.rules = rules;
    }

    /** Holds that run keep their end; later ones follow these rules. */
    void follow(FabricRules newRules) {
        rules = newRules;
        ports.forEach((key, flaps) -> {
            if (flaps.held == null) {
                remember(key, flaps);
            }
        });
    }

    /** Forgets all ports of a switch that will not come back. */
    void forget(long guid) {
        for (int port = 1; port <= FabricView.PORT_MAX; port++) {
            PortPlace key = new PortPlace(guid, port);
            ports.remove(key);
            releases.cancel(key);
            memories.cancel(key);
        }
    }

    /** The port is not held, so that its flaps are forgotten unless it changes before. */
    private void remember(PortPlace key, Flaps flaps) {
        releases.cancel(key);
        memories.set(key, flaps.lastChangeNanos + rules.flapMemoryNanos() + 1);
    }

    /**
     * Says what to believe of a report now.
     *
     * @param wasUp what was believed before
     * @return the report itself, or the same port kept down until {@link #release}
     */
    PortSeen filter(long nowNanos, PortSeen seen, boolean wasUp) {
        PortPlace key = new PortPlace(seen.guid(), seen.port());
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
            releases.set(key, nowNanos + holdNanos(flaps.level));
            memories.cancel(key);
        }
        flaps.held = seen;
        return new PortSeen(seen.guid(), seen.port(), false, seen.neighbour(), true);
    }

    private void countFlap(long nowNanos, PortPlace key) {
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
        remember(key, flaps);
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
        return releases.size();
    }

    /** Ports that are up on the metal and kept down here, in no order. */
    Set<PortPlace> held() {
        return releases.keys();
    }

    /** True while the port is up on the metal and kept down here. */
    boolean holds(long guid, int port) {
        Flaps flaps = ports.get(new PortPlace(guid, port));
        return flaps != null && flaps.held != null;
    }

    /** How often the port went down within the flap memory. */
    int flapCount(long guid, int port) {
        Flaps flaps = ports.get(new PortPlace(guid, port));
        return flaps == null ? 0 : flaps.count;
    }

    /** Reports whose time has come, in the order of their release. */
    List<PortSeen> release(long nowNanos) {
        List<PortSeen> released = new ArrayList<>();
        for (PortPlace key : releases.due(nowNanos)) {
            Flaps flaps = Objects.requireNonNull(ports.get(key));
            released.add(Objects.requireNonNull(flaps.held));
            flaps.held = null;
            flaps.lastChangeNanos = nowNanos;
            remember(key, flaps);
        }
        for (PortPlace key : memories.takeDue(nowNanos)) {
            ports.remove(key);
            quiet.add(key);
        }
        return released;
    }

    /** Ports whose flaps were forgotten since this was called last, as they have been quiet for long enough. */
    Set<PortPlace> takeQuiet() {
        Set<PortPlace> taken = quiet.all();
        quiet.clear();
        return taken;
    }

    /** Earliest release, or {@code Long.MAX_VALUE}. */
    long nextDeadline() {
        return releases.next();
    }
}

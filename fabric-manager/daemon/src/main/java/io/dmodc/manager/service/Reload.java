package io.dmodc.manager.service;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * Which settings count at once when they are read again, and which wait for the next start.
 *
 * @param taken keys that changed and count from now on
 * @param waiting keys that changed and need a restart
 */
record Reload(List<String> taken, List<String> waiting) {
    /** A key with this start, or this key. */
    private static final List<String> AT_ONCE = List.of(
            "push.",
            "links.",
            "discovery.",
            "routing.settle",
            "routing.rebalance",
            "routing.slow-links",
            "routing.node-types",
            "detector.membership-quiet",
            "detector.ring-seed",
            "detector.domains");

    /**
     * @param atStart what the manager was started with
     * @param lastRead what was read last, at the start or since
     */
    static Reload of(ManagerConfig atStart, ManagerConfig lastRead, ManagerConfig fresh) {
        List<String> taken = new ArrayList<>(Settings.differences(lastRead, fresh));
        taken.removeIf(key -> !countsAtOnce(key));
        List<String> waiting = new ArrayList<>(Settings.differences(atStart, fresh));
        waiting.removeIf(Reload::countsAtOnce);
        return new Reload(taken, waiting);
    }

    private static boolean countsAtOnce(String key) {
        return AT_ONCE.stream().anyMatch(key::startsWith);
    }

    /** What to tell people. */
    String text() {
        String changed = taken.isEmpty() ? "nothing changed" : String.join(", ", taken) + " changed";
        return "settings read again: " + changed
                + (waiting.isEmpty() ? "" : "; needs a restart: " + String.join(", ", waiting));
    }
}

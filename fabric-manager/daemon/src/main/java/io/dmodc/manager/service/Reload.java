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
            "detector.membership-quiet",
            "detector.ring-seed",
            "detector.domains");

    static Reload of(ManagerConfig inForce, ManagerConfig fresh) {
        List<String> taken = new ArrayList<>();
        List<String> waiting = new ArrayList<>();
        for (String key : Settings.differences(inForce, fresh)) {
            (AT_ONCE.stream().anyMatch(key::startsWith) ? taken : waiting).add(key);
        }
        return new Reload(taken, waiting);
    }

    /** What to tell people. */
    String text() {
        String changed = taken.isEmpty() ? "nothing changed" : String.join(", ", taken) + " changed";
        return "settings read again: " + changed
                + (waiting.isEmpty() ? "" : "; needs a restart: " + String.join(", ", waiting));
    }
}

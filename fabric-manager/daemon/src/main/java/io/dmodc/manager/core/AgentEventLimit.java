package io.dmodc.manager.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many events an agent may have told by its word alone, where nothing else bounds how often it says something else: {@value #AT_ONCE_MAX} at once,
 * which is all ports of a switch twice, and then one a second. So one that does so all the time does not push out of the event log what
 * happened to all others. What is left out is counted, and the next event that is told says how many.
 *
 * <p>Bounded: an entry for each switch of the fabric.
 */
final class AgentEventLimit {
    static final int AT_ONCE_MAX = 512;
    static final long EACH_NANOS = 1_000_000_000L;

    /**
     * @param paidNanos when the switch would have had no event for as long as it took: each one moves it on by a second
     * @param leftOut since the last one that was told
     */
    private record Told(long paidNanos, int leftOut) {}

    private final Map<Long, Told> bySwitch = new HashMap<>();

    /** The text of an event as it is to be told, if it is. */
    Optional<String> admit(long guid, String text, long nowNanos) {
        Told before = bySwitch.getOrDefault(guid, new Told(nowNanos, 0));
        long paid = Math.max(before.paidNanos, nowNanos) + EACH_NANOS;
        if (paid - nowNanos > AT_ONCE_MAX * EACH_NANOS) {
            bySwitch.put(guid, new Told(before.paidNanos, before.leftOut + 1));
            return Optional.empty();
        }
        bySwitch.put(guid, new Told(paid, 0));
        return Optional.of(
                before.leftOut == 0
                        ? text
                        : text + "; " + before.leftOut + " events like this were left out before it");
    }

    /** The switch is part of the fabric no more. */
    void forgotten(long guid) {
        bySwitch.remove(guid);
    }
}

package io.dmodc.manager.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many events an agent may have told by its word alone, or by coming and going, where nothing else bounds how often it does so: {@value #AT_ONCE_MAX} at once,
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

    /** Has an event of a switch told, if it is to be. */
    void tell(LoggedEvent event, List<Effect> effects) {
        long nowNanos = event.nowNanos();
        Told before = bySwitch.getOrDefault(event.guid(), new Told(nowNanos, 0));
        long paid = Math.max(before.paidNanos, nowNanos) + EACH_NANOS;
        if (paid - nowNanos > AT_ONCE_MAX * EACH_NANOS) {
            bySwitch.put(event.guid(), new Told(before.paidNanos, before.leftOut + 1));
            return;
        }
        bySwitch.put(event.guid(), new Told(paid, 0));
        String more = before.leftOut == 0 ? "" : "; " + before.leftOut + " events like this were left out before it";
        effects.add(new Effect.Tell(event.withMore(more)));
    }

    /** The switch is part of the fabric no more. */
    void forgotten(long guid) {
        bySwitch.remove(guid);
    }
}

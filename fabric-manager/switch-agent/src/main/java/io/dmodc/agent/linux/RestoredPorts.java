package io.dmodc.agent.linux;

import java.util.HashMap;
import java.util.Map;

/**
 * When a port is trusted again from which a run before moved entries. Why it did is not known: the cable may carry nothing without a word of that, or
 * the switch at its far end may withdraw something. So it must have been alive, and its far end known, for {@link Withdrawals#HEARING_NANOS}.
 *
 * <p>Times are nanoseconds of any clock. Used by one thread.
 */
final class RestoredPorts {
    private final Map<Integer, Long> heardSince = new HashMap<>();

    /**
     * Returns whether a port is to be trusted.
     *
     * @param heard it carries, and since this agent began somebody was heard there
     */
    boolean trusts(int port, boolean heard, long now) {
        if (!heard) {
            heardSince.remove(port);
            return false;
        }
        return now - heardSince.computeIfAbsent(port, any -> now) >= Withdrawals.HEARING_NANOS;
    }
}

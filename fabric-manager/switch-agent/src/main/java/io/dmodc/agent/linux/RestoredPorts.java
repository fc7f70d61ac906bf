package io.dmodc.agent.linux;

import java.util.HashMap;
import java.util.Map;

/**
 * When a port is trusted again from which a run before moved entries, or that was said to carry nothing of some. Why it did is not known: the cable may carry nothing without a word of that, or
 * the switch at its far end may withdraw something. So it must have been alive, and its far end known, for {@link #TRUST_NANOS}.
 *
 * <p>Times are nanoseconds of any clock. Used by one thread.
 */
final class RestoredPorts {
    /** So long a far end that begins anew at the same time is silent, and as long again. */
    static final long TRUST_NANOS = 2 * Withdrawals.HEARING_NANOS;

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
        return now - heardSince.computeIfAbsent(port, any -> now) >= TRUST_NANOS;
    }
}

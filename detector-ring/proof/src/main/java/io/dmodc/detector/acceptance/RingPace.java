package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;

/**
 * η and δ of a ring.
 *
 * @param heartbeatNanos η
 * @param suspicionNanos δ
 */
record RingPace(long heartbeatNanos, long suspicionNanos) {
    /** What a manager hands out unless it is told otherwise. */
    static final RingPace SHIPPED =
            new RingPace(RingRules.HEARTBEAT_STANDARD_NANOS, RingRules.SUSPICION_STANDARD_NANOS);

    private static final int HEARTBEATS = 10;

    /** Ten heartbeats in each δ, as the sources have it. */
    static RingPace ofSuspicion(long nanos) {
        return new RingPace(nanos / HEARTBEATS, nanos);
    }
}

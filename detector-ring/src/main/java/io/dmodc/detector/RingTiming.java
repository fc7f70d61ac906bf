package io.dmodc.detector;

/**
 * The two durations of the ring, equal for all its members.
 *
 * @param heartbeatNanos η, time between two heartbeats to the observer
 * @param suspicionNanos δ, silence after which the observer declares its emitter dead; above η by more than the
 *     message delay, or every late heartbeat is a death (the sources use δ = 10 η)
 */
public record RingTiming(long heartbeatNanos, long suspicionNanos) {
    /** One hour: keeps every sum of durations far from overflow. */
    private static final long SUSPICION_NANOS_MAX = 3_600_000_000_000L;

    public RingTiming {
        if (heartbeatNanos <= 0) {
            throw new IllegalArgumentException("ring timing: heartbeat " + heartbeatNanos + " ns, expected above 0");
        }
        if (suspicionNanos <= heartbeatNanos || suspicionNanos > SUSPICION_NANOS_MAX) {
            throw new IllegalArgumentException("ring timing: suspicion " + suspicionNanos
                    + " ns, expected above the heartbeat's " + heartbeatNanos + " and at most " + SUSPICION_NANOS_MAX);
        }
    }

    /** Grace for an emitter that may not know its observer yet: at start, rejoin and re-connection. */
    long graceNanos() {
        return 2 * suspicionNanos;
    }

    /** Silence after which the emitter is asked again before it is accused: half way between η and δ. */
    long doubtNanos() {
        return heartbeatNanos + (suspicionNanos - heartbeatNanos) / 2;
    }
}

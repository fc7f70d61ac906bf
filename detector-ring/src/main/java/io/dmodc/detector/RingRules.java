package io.dmodc.detector;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a ring runs: equal for all its members, handed out by the manager together with the membership.
 *
 * @param heartbeatNanos η, time between two heartbeats to the observer
 * @param suspicionNanos δ, silence after which the observer declares its emitter dead; above η by more than the
 *     message delay, or every late heartbeat is a death (the sources use δ = 10 η)
 * @param askingWidth    how many live slots behind a new emitter are asked at the same time as it is, so that f
 *     neighbours that die together are found in 3 δ instead of (2 f - 1) δ; 0 is the published form
 * @param opinions       how many neighbours of a suspect are asked to ping it before it is accused; 0 is the published
 *     form
 * @param overlay        how news travels
 */
public record RingRules(long heartbeatNanos, long suspicionNanos, int askingWidth, int opinions, Overlay.Kind overlay) {
    /** η unless it is set: 20 datagrams a second. */
    public static final long HEARTBEAT_STANDARD_NANOS = 50_000_000L;

    /** δ unless it is set: ten heartbeats, as in the sources. */
    public static final long SUSPICION_STANDARD_NANOS = 10 * HEARTBEAT_STANDARD_NANOS;

    /** Enough for twice the logarithm of any slot count. */
    public static final int ASKING_WIDTH_MAX = 64;

    public static final int OPINIONS_MAX = 4;

    /** One hour: keeps every sum of durations far from overflow. */
    private static final long SUSPICION_NANOS_MAX = 3_600_000_000_000L;

    /** A silence is told in so many parts of δ, at most 255 of them. */
    public static final int SILENCE_PARTS = 64;

    static final int SILENCE_MAX = 255;

    /** One broken way between two nodes, and one of those asked that is dead, do not make a death. */
    public static final int OPINIONS_STANDARD = 2;

    public RingRules {
        if (heartbeatNanos <= 0) {
            throw new IllegalArgumentException("ring rules: heartbeat " + heartbeatNanos + " ns, expected above 0");
        }
        if (suspicionNanos <= heartbeatNanos || suspicionNanos > SUSPICION_NANOS_MAX) {
            throw new IllegalArgumentException("ring rules: suspicion " + suspicionNanos
                    + " ns, expected above the heartbeat's " + heartbeatNanos + " and at most " + SUSPICION_NANOS_MAX);
        }
        if (askingWidth < 0 || askingWidth > ASKING_WIDTH_MAX) {
            throw new IllegalArgumentException(
                    "ring rules: asking width " + askingWidth + ", expected 0.." + ASKING_WIDTH_MAX);
        }
        if (opinions < 0 || opinions > OPINIONS_MAX) {
            throw new IllegalArgumentException("ring rules: opinions " + opinions + ", expected 0.." + OPINIONS_MAX);
        }
    }

    // Written out: what the JVM makes for a record is method handles, for which it writes classes at each start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RingRules it
                && it.heartbeatNanos == heartbeatNanos
                && it.suspicionNanos == suspicionNanos
                && it.askingWidth == askingWidth
                && it.opinions == opinions
                && it.overlay == overlay;
    }

    @Override
    public int hashCode() {
        return Objects.hash(heartbeatNanos, suspicionNanos, askingWidth, opinions, overlay);
    }

    /** The algorithm of the SC16 paper over the binomial graph, without what was added to it here. */
    public static RingRules published(long heartbeatNanos, long suspicionNanos) {
        return new RingRules(heartbeatNanos, suspicionNanos, 0, 0, Overlay.Kind.BINOMIAL);
    }

    /** What a manager hands out unless it is told otherwise. */
    public static RingRules standard(long heartbeatNanos, long suspicionNanos, int slotCount) {
        return new RingRules(
                heartbeatNanos, suspicionNanos, askingWidthFor(slotCount), OPINIONS_STANDARD, Overlay.Kind.BINOMIAL);
    }

    /** 2 ⌈log2 n⌉: as many neighbours on the ring as the overlay tolerates dead. */
    public static int askingWidthFor(int slotCount) {
        return 2 * (32 - Integer.numberOfLeadingZeros(Math.max(1, slotCount) - 1));
    }

    /** Grace for an emitter that may not know its observer yet: at start, rejoin and re-connection. */
    long graceNanos() {
        return 2 * suspicionNanos;
    }

    /** Silence after which the emitter is asked again before it is accused: half way between η and δ. */
    long doubtNanos() {
        return heartbeatNanos + (suspicionNanos - heartbeatNanos) / 2;
    }

    /** A silence as it is told to others. */
    int silenceParts(long nanos) {
        return (int) Math.min(SILENCE_MAX, nanos / Math.max(1, suspicionNanos / SILENCE_PARTS));
    }

    long silenceNanos(int parts) {
        return parts * (suspicionNanos / SILENCE_PARTS);
    }

    /** So long before an accusation others are asked for their opinion. */
    long opinionNanos() {
        return suspicionNanos * 2 / 5;
    }

    /**
     * Who was not answered for so long may not be heard. Where 30 % get lost, so do 51 % of the questions with their
     * answers, and all 8 that are asked meanwhile in 1 of 200 times.
     */
    long unheardNanos() {
        return suspicionNanos * 2 / 5;
    }

    /** So long others must have answered before an accusation: the accused could have done so, too. */
    long certaintyNanos() {
        return suspicionNanos / 5;
    }
}

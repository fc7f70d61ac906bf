package io.dmodc.detector.link;

/**
 * How the hellos of an end run. The two ends need not agree: each goes as fast as both allow, and waits as long as the
 * other's rules ask for.
 *
 * @param transmitNanos how often this end wants to send once both hear each other, 10 ms to 1 s
 * @param receiveNanos how often it can take hellos, 10 ms to 1 s
 * @param multiplier how many of its hellos the far end must miss, 3 to 50
 * @param slowNanos how often it sends until both hear each other, at least {@code transmitNanos}, 100 ms to 10 s; RFC 5880
 *     asks for 1 s or more
 */
public record LinkRules(long transmitNanos, long receiveNanos, int multiplier, long slowNanos) {
    /** Unless it is set: with the multiplier a silent cable is found in 150 ms, as by BFD at its usual pace. */
    public static final long INTERVAL_STANDARD_NANOS = 50_000_000L;

    public static final int MULTIPLIER_STANDARD = 3;
    public static final long INTERVAL_MIN_NANOS = 10_000_000L;
    public static final long INTERVAL_MAX_NANOS = 1_000_000_000L;
    public static final int MULTIPLIER_MIN = 3;
    public static final int MULTIPLIER_MAX = 50;
    public static final long SLOW_MIN_NANOS = 100_000_000L;
    public static final long SLOW_MAX_NANOS = 10_000_000_000L;

    /** Checks all ranges. */
    public LinkRules {
        check("transmit", transmitNanos, INTERVAL_MIN_NANOS, INTERVAL_MAX_NANOS);
        check("receive", receiveNanos, INTERVAL_MIN_NANOS, INTERVAL_MAX_NANOS);
        check("multiplier", multiplier, MULTIPLIER_MIN, MULTIPLIER_MAX);
        check("slow", slowNanos, Math.max(SLOW_MIN_NANOS, transmitNanos), SLOW_MAX_NANOS);
    }

    /** Returns rules with one interval for both directions and 1 s until both hear each other. */
    public static LinkRules of(long intervalNanos, int multiplier) {
        return new LinkRules(intervalNanos, intervalNanos, multiplier, INTERVAL_MAX_NANOS);
    }

    /** How long the handshake may take before nothing heard means something; a hello of each end may be lost in it. */
    public long graceNanos() {
        return 2 * slowNanos;
    }

    /** How long two ends with these rules may hear nothing before they call the cable dead. */
    public long detectionNanos() {
        return multiplier * Math.max(transmitNanos, receiveNanos);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + "; expected " + least + ".." + most);
        }
    }
}

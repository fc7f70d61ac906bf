package io.dmodc.detector.sim;

/**
 * What the simulated network does to datagrams.
 *
 * @param delayMicros    τ: a datagram takes 1..τ µs, each as likely (and so may overtake another); 1..100,000
 * @param sendCostMicros how long a node's one port is busy with each datagram; 0..1,000
 * @param loss           share of datagrams that get lost, 0..1
 * @param duplication    share that arrive twice, each copy after a delay of its own, 0..1
 * @param reordering     share that are held back for up to 10 τ more, 0..1
 * @param lockStep       true: each datagram takes exactly τ, so that hops are rounds
 */
public record NetworkConditions(
        int delayMicros, int sendCostMicros, double loss, double duplication, double reordering, boolean lockStep) {
    /** How many τ a datagram that is held back takes at most on top. */
    static final int HOLD_FACTOR = 10;

    private static final int DELAY_MICROS_MAX = 100_000;
    private static final int SEND_COST_MICROS_MAX = 1_000;

    public NetworkConditions {
        checkRange("tau", delayMicros, 1, DELAY_MICROS_MAX);
        checkRange("send cost", sendCostMicros, 0, SEND_COST_MICROS_MAX);
        checkShare("loss", loss);
        checkShare("duplicate", duplication);
        checkShare("reorder", reordering);
    }

    /** Loses and doubles nothing: τ = 1 ms, 5 µs a datagram. */
    public static NetworkConditions calm() {
        return new NetworkConditions(1_000, 5, 0, 0, 0, false);
    }

    /** The same with a share of datagrams lost. */
    public NetworkConditions losing(double share) {
        return new NetworkConditions(delayMicros, sendCostMicros, share, duplication, reordering, lockStep);
    }

    /** The same with a share of datagrams arriving twice. */
    public NetworkConditions duplicating(double share) {
        return new NetworkConditions(delayMicros, sendCostMicros, loss, share, reordering, lockStep);
    }

    private static void checkRange(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "simulation: " + what + " " + value + " us, expected " + least + ".." + most);
        }
    }

    private static void checkShare(String what, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("simulation: " + what + " " + share + ", expected 0..1");
        }
    }
}

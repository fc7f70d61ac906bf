package io.dmodc.agent.plane;

/** What a switch does with a packet. */
public sealed interface Forwarding permits Forwarding.Hop, Forwarding.Drop {
    /**
     * Sends it on.
     *
     * @param port by which it leaves
     * @param vc virtual channel on which it leaves; of no meaning where the far end is a host
     */
    record Hop(int port, int vc) implements Forwarding {}

    /** Drops it. */
    enum Drop implements Forwarding {
        /** It came by a port where nothing is expected. */
        UNEXPECTED,

        /** No port that is up leads to its destination. */
        NO_PORT,

        /** It would go on to another switch, and there is no virtual channel for that. */
        NO_CHANNEL
    }
}

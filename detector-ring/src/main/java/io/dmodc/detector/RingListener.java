package io.dmodc.detector;

/**
 * Hears what a {@link RingDetector} has found out. Called inside {@code receive}, {@code tick} and {@code install}, each
 * fact once per incarnation; must not call the detector back.
 */
public interface RingListener {
    /**
     * An agent is held dead. Agent dead is not switch dead: what follows from it is the manager's decision.
     *
     * @param subjectSlot  who fell silent
     * @param incarnation  in which incarnation
     * @param observerSlot who noticed
     * @param silenceNanos how long the observer had heard nothing
     * @param hops         0: this node is the observer; 1: told by the observer itself; more: passed on; 255: told outside
     *     a broadcast and found true
     */
    void agentSilent(int subjectSlot, int incarnation, int observerSlot, long silenceNanos, int hops);

    /**
     * An agent is alive in an incarnation not known before: it has joined again or refuted its death.
     *
     * @param hops 1: told by the agent itself; more: passed on
     */
    void agentAlive(int slot, int incarnation, int hops);

    /**
     * This node has asked others for δ, and none of them answered: it hears nobody, or nobody hears it. It accuses
     * nobody and has stopped its heartbeats, so that its emitter gets another observer.
     *
     * @param isDeaf true: from now on; false: somebody has answered
     */
    void deaf(boolean isDeaf);

    /** This node raised its own incarnation to be believed alive; it must start above this number next time. */
    void ownIncarnation(int incarnation);

    /**
     * Tables older than (leader epoch, fabric epoch), compared in this order, must not be applied any more. Each pair is
     * higher than the one before.
     *
     * @param hops 1: told by the manager itself or by whoever began; more: passed on
     */
    void revoked(long leaderEpoch, long fabricEpoch, int hops);
}

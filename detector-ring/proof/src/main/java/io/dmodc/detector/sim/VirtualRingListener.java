package io.dmodc.detector.sim;

/**
 * Sees what the nodes of a {@link VirtualRing} find out, at the moment they do. Must not call the ring back.
 * What it does not want to see it leaves out.
 */
public interface VirtualRingListener {
    /** A node holds a subject dead that an observer has accused; hops 0: the node itself. */
    default void silent(long nowNanos, int node, int subject, int incarnation, int observer, int hops) {}

    /** A node holds a subject alive in a new incarnation. */
    default void alive(long nowNanos, int node, int subject, int incarnation, int hops) {}

    /** A node has raised its own incarnation. */
    default void ownIncarnation(long nowNanos, int node, int incarnation) {}

    /** A node hears nobody, or somebody again. */
    default void deaf(long nowNanos, int node, boolean isDeaf) {}

    /** A node honours a revocation from now on. */
    default void revoked(long nowNanos, int node, long leaderEpoch, long fabricEpoch, int hops) {}
}

package io.dmodc.detector;

/** How a node stands to its emitter, the live slot before it on the ring. */
public enum RingState {
    /** There is nobody to watch: no membership yet, or all others are dead. Both ring timers rest. */
    ALONE,
    /** NewObserver goes out every η until a heartbeat of this epoch comes: after re-connection, or in doubt. */
    ASKING,
    /** Heartbeats come. */
    WATCHING
}

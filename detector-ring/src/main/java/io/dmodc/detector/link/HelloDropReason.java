package io.dmodc.detector.link;

/** Why a hello was not acted on. */
public enum HelloDropReason {
    /** Not {@link LinkHello#LENGTH} bytes, or {@link TransitHello#LENGTH}. */
    LENGTH,
    /** Another protocol. */
    MAGIC,
    /** Another version. */
    VERSION,
    /** A field out of range. */
    FIELD,
    /** Another fabric's: somebody connected two. */
    CLUSTER,
    /** This switch's own: come back, or out of another port of it, where both ends of a cable are plugged into one switch. */
    OWN,
    /** Meant for another session: the cable was moved, or this end has just started anew. */
    DISCRIMINATOR,
    /** Of another session than the one known at the far end. */
    PEER,
    /** Overtaken by a later one. */
    STALE,
    /** The port has no carrier. */
    STOPPED
}

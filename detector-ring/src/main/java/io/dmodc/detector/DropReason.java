package io.dmodc.detector;

/** Why a datagram was not acted on. */
public enum DropReason {
    /** Not as long as a ring datagram of its type. */
    LENGTH,
    /** First bytes are another protocol's. */
    MAGIC,
    /** A format version this build does not speak. */
    VERSION,
    /** Not made with the ring's key: a forgery, a damaged datagram, or a member with another key. */
    MAC,
    /** A message type or a reserved value nobody sends. */
    TYPE,
    /** Another fabric. */
    CLUSTER,
    /** Another membership epoch. A heartbeat of the watched agent still counts as a sign of life. */
    EPOCH,
    /** A slot outside the membership, or a GUID that is not that slot's. */
    SLOT,
    /** Came from an address that is not the sending slot's. */
    SOURCE,
    /** Taken in before, or older than the last 64 of its sender: a replay, or a copy the network made. */
    REPLAY,
    /** The sender's incarnation is held dead or was replaced by a newer one; it was told so. */
    STALE,
    /** No membership is installed yet. */
    NO_MEMBERSHIP,
    /** The endpoint is paused. */
    PAUSED
}

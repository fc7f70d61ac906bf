package io.dmodc.detector.link;

/** What an end makes of its handshake. */
public enum HandshakeStatus {
    /** Nothing is decided: it has just begun, or the far end has just started anew. */
    PENDING,
    /** Both ends hear each other. */
    HEARD,
    /**
     * The cable carries nothing, or only one way, or the far end's agent is dead: nobody can tell these apart from one
     * end alone. Two ends that both say so, both agents alive, mean the cable.
     */
    LOST
}

package io.dmodc.detector.link;

/** How far the handshake over a cable is (RFC 5880, 6.2); the ordinal is the number on the wire less one. */
public enum LinkState {
    /** Nothing usable is heard, or the far end says that it hears nothing. */
    DOWN,
    /** The far end is heard; whether it hears this one is not known yet. */
    INIT,
    /** Both ends hear each other. */
    UP
}

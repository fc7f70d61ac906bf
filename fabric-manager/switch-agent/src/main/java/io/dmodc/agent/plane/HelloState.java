package io.dmodc.agent.plane;

/** What the hellos over the cable at a port say; a port without carrier has none. */
public enum HelloState {
    /** None are exchanged: the state of the port alone counts. */
    OFF,
    /** Nothing is decided yet. */
    PENDING,
    /** Both ends hear each other. */
    HEARD,
    /** This end is not heard, or hears nothing. */
    LOST
}

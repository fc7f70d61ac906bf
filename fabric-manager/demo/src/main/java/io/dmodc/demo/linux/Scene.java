package io.dmodc.demo.linux;

/** What can happen to the fabric in the demonstration on Linux, and is undone again; in the order in which it happens. */
public enum Scene {
    /** A cable loses its carrier at both ends. */
    CUT,
    /** A cable carries nothing, and its ports stay up. */
    SILENT,
    /** A cable carries one way only. */
    ONEWAY,
    /** A spine loses power, and its agent with it. */
    SWITCH,
    /** An agent is killed, and nothing moves. */
    AGENT,
    /** The manager is killed, and a cable cut meanwhile. */
    MANAGER
}

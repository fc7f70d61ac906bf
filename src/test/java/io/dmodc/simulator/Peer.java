package io.dmodc.simulator;

/** The agents' end of a session. */
interface Peer {
    /** Bytes of a manager's frame arrived. */
    void received(SimulatedSession session, byte[] frame);

    /** The connection ended and this end has noticed. */
    void ended(SimulatedSession session, String why);

    /** GUID it speaks for, for traces. */
    long guid();
}

package io.dmodc.detector.link;

/** Where the hellos of a port go; may lose them. */
public interface LinkOutbox {
    /**
     * Sends a hello over the cable at a port.
     *
     * @param hello reused for the next one: to be written out before this returns
     */
    void send(int port, LinkHello hello);
}

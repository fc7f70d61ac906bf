package io.dmodc.detector.link;

/** Told what a port makes of its cable. Called from within the port's own methods; must not call it back. */
public interface LinkListener {
    /** The handshake status of a port changed. */
    void heard(int port, HandshakeStatus now);

    /**
     * The far end, which was heard, has been silent for half the detection time. Who can find out by other means whether the cable carries
     * says so by {@link LinkLiveness#condemn}, later; who cannot does nothing.
     */
    default void doubted(int port) {}
}

package io.dmodc.detector.link;

/** Told what a port makes of its cable. Called from within the port's own methods; must not call it back. */
public interface LinkListener {
    /** The handshake status of a port changed. */
    void heard(int port, HandshakeStatus now);
}

package io.dmodc.southbound.tls;

/** Who may speak at the agents' door. */
public enum Authentication {
    /** Whoever shows a certificate of the authority: TLS both ways. */
    CERTIFICATE,
    /** Everybody who reaches the door: clear text, and any GUID is believed. */
    OFF
}

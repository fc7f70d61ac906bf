package io.dmodc.manager.core;

import java.util.Comparator;

/** A port of the fabric by names: switch GUID and port number. */
record PortKey(long guid, int port) {
    /** By unsigned GUID, then by number. */
    static final Comparator<PortKey> ORDER =
            Comparator.comparing(PortKey::guid, Long::compareUnsigned).thenComparingInt(PortKey::port);
}

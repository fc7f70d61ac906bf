package io.dmodc.routing.opensm;

import java.util.Comparator;

/**
 * The order in which OpenSM walks GUIDs: it sorts them as they lie in a packet, and runs on little-endian machines. So
 * the last byte counts most.
 */
public final class PacketOrder {
    /** Lower first; unsigned. */
    public static final Comparator<Long> GUIDS = Comparator.comparing(Long::reverseBytes, Long::compareUnsigned);

    private PacketOrder() {}
}

package io.dmodc.manager.southbound;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one IPv6 host can have all of.
 *
 * @param bits the first 64 of its addresses
 */
record Ipv6Network(long bits) {
    /** The network of an address; null: an IPv4 host has but one. */
    static @Nullable Ipv6Network of(InetAddress address) {
        return address instanceof Inet6Address
                ? new Ipv6Network(ByteBuffer.wrap(address.getAddress()).getLong())
                : null;
    }
}

package io.dmodc.southbound;

import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.Destination;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What a destination adds to the digest of all: tells whether two sides mean the same by every index, so that a difference is
 * never taken against other destinations than it was made from. The digest is the sum over all of them, modulo 2^64, so
 * exchanging one costs one subtraction and one addition.
 *
 * <p>It is {@link TableDigest#range} of these bytes from block 2 x index on: port GUID (8 bytes), LID (2), both little-endian,
 * IPv4 (4), IPv6 (16), MAC (6), zeros for what is not known, the name.
 */
public final class DestinationDigest {
    private static final int FIXED_BYTES = Long.BYTES
            + Short.BYTES
            + SouthboundProtocol.IPV4_BYTES
            + SouthboundProtocol.IPV6_BYTES
            + SouthboundProtocol.MAC_BYTES;

    private DestinationDigest() {}

    /** @param destination within the ranges of {@link ManagerCheck} */
    public static long of(Destination destination) {
        Addresses addresses = destination.getAddresses();
        byte[] name = destination.getName().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + name.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(destination.getPortGuid()).putShort((short) addresses.getLid());
        int at = bytes.position();
        addresses.getIpv4().copyTo(bytes);
        bytes.position(at += SouthboundProtocol.IPV4_BYTES);
        addresses.getIpv6().copyTo(bytes);
        bytes.position(at += SouthboundProtocol.IPV6_BYTES);
        addresses.getMac().copyTo(bytes);
        bytes.position(at + SouthboundProtocol.MAC_BYTES);
        bytes.put(name);
        return TableDigest.range(bytes.array(), 0, 2 * destination.getIndex(), bytes.capacity());
    }
}

package io.dmodc.southbound;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * 64-bit digest of the members of a ring, in ring order: tells whether an edited membership is the one that was meant.
 *
 * <p>It is the {@link TableDigest} of these bytes, member after member: GUID (8 bytes), incarnation (4) and port (2), all
 * little-endian, how many bytes the address has (1), the address. {@code docs/southbound-protocol.md} repeats it for
 * other languages.
 */
public final class MembershipDigest {
    private static final int MEMBER_BYTES_MAX = Long.BYTES + Integer.BYTES + Short.BYTES + 1 + 16;

    private final ByteBuffer bytes;

    /** @param memberCount how often {@link #add} will be called at most */
    public MembershipDigest(int memberCount) {
        bytes = ByteBuffer.allocate(memberCount * MEMBER_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Takes the next slot's member.
     *
     * @param address 4 or 16 bytes
     * @param port 1..65535
     */
    public MembershipDigest add(long guid, int incarnation, byte[] address, int port) {
        bytes.putLong(guid)
                .putInt(incarnation)
                .putShort((short) port)
                .put((byte) address.length)
                .put(address);
        return this;
    }

    /** Returns the digest of the members so far; 0 for none. */
    public long value() {
        byte[] present = new byte[bytes.position()];
        bytes.duplicate().flip().get(present);
        return TableDigest.of(present);
    }
}

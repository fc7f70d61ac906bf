package io.dmodc.detector.net;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * HMAC-SHA-256 over a datagram, its first 64 bits: what only a holder of the ring's key can calculate. A second key may be
 * accepted while the members are given another one.
 *
 * <p>The key of a datagram is the ring's, zeros up to 64 bytes, with the receiver's GUID XORed onto the last eight. So what
 * was sent to one member fits at no other, though it does not name it, and there is no block more to hash: HMAC's pads
 * are keys of 64 bytes anyway.
 *
 * <p>Written with a plain digest, because {@link javax.crypto.Mac} allocates in each call: H((K ^ opad) || H((K ^ ipad)
 * || text)), four blocks for a heartbeat. Nothing is allocated after construction. Confined to one thread.
 *
 * <p>Source: RFC 2104, section 2 (HMAC) and section 5 (truncation to not less than half the hash is advised there; 64
 * bits are what fits, and a forger has one guess a datagram, each counted).
 */
public final class DatagramMac {
    /** Bytes of the MAC at the end of a datagram. */
    static final int BYTES = 8;

    private static final int BLOCK_BYTES = 64;
    private static final int HASH_BYTES = 32;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    /** Where the receiver's GUID stands in the block that a key fills. */
    private static final int RECEIVER_AT = BLOCK_BYTES - Long.BYTES;

    private final MessageDigest sha256 = sha256();
    private final Pads sent;
    /** Of the key that is accepted besides; null: there is none. */
    private final @Nullable Pads accepted;

    private final byte[] padEnd = new byte[Long.BYTES];
    private final byte[] hash = new byte[HASH_BYTES];
    private final byte[] text = new byte[Datagram.LENGTH_MAX];

    /**
     * What HMAC makes of a key before it knows the text.
     *
     * @param keyed false: MACs are 0
     */
    private record Pads(boolean keyed, byte[] inner, byte[] outer) {
        static Pads of(byte[] key) {
            return new Pads(key.length > 0, pad(key, INNER), pad(key, OUTER));
        }
    }

    /**
     * Prepares the keys.
     *
     * @param key      that MACs are made with, at most 64 bytes; none: MACs are 0
     * @param accepted another one whose MACs fit as well; none: there is no other
     */
    DatagramMac(byte[] key, byte[] accepted) {
        sent = Pads.of(key);
        this.accepted = accepted.length == 0 ? null : Pads.of(accepted);
    }

    private static byte[] pad(byte[] key, byte with) {
        byte[] pad = new byte[BLOCK_BYTES];
        for (int i = 0; i < BLOCK_BYTES; i++) {
            pad[i] = (byte) (i < key.length ? key[i] ^ with : with);
        }
        return pad;
    }

    /**
     * Appends the MAC of the bytes before the position but the first few, at most {@link Datagram#LENGTH_MAX} with it, for the
     * receiver with this GUID.
     */
    void seal(ByteBuffer out, int skipped, long receiver) {
        out.putLong(of(sent, receiver, out, skipped, out.position() - skipped));
    }

    /**
     * True if the last eight of the remaining bytes are the MAC, under one of the keys and for this receiver, of those before them
     * but the first few. Takes the same time wherever they differ: two longs are compared at once.
     */
    boolean fits(ByteBuffer in, int skipped, long receiver) {
        int length = in.remaining() - BYTES;
        long found = in.getLong(in.position() + length);
        return of(sent, receiver, in, in.position() + skipped, length - skipped) == found
                || (accepted != null && of(accepted, receiver, in, in.position() + skipped, length - skipped) == found);
    }

    private long of(Pads pads, long receiver, ByteBuffer buffer, int start, int length) {
        if (!pads.keyed) {
            return 0;
        }
        buffer.get(start, text, 0, length);
        digest(pads.inner, receiver, text, length);
        digest(pads.outer, receiver, hash, HASH_BYTES);
        return first64Bits();
    }

    private void digest(byte[] pad, long receiver, byte[] data, int length) {
        for (int i = 0; i < Long.BYTES; i++) {
            padEnd[i] = (byte) (pad[RECEIVER_AT + i] ^ (receiver >>> (Byte.SIZE * (Long.BYTES - 1 - i))));
        }
        sha256.update(pad, 0, RECEIVER_AT);
        sha256.update(padEnd, 0, Long.BYTES);
        sha256.update(data, 0, length);
        try {
            sha256.digest(hash, 0, HASH_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("ring key: SHA-256 does not fit " + HASH_BYTES + " bytes", e);
        }
    }

    private long first64Bits() {
        long bits = 0;
        for (int i = 0; i < BYTES; i++) {
            bits = bits << 8 | (hash[i] & 0xff);
        }
        return bits;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("ring key: this Java has no SHA-256, which every Java must have", e);
        }
    }
}

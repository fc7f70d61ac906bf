package io.dmodc.topology;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * By which addresses packets reach a host port: what a switch must know to tell which destination a packet has. Any of
 * them may be missing. Flat, so that equal addresses are equal records; most hosts share {@link #NONE}.
 *
 * <p>As text they are a decimal LID, {@code 10.0.0.7}, {@code fd00::7} and {@code 02:00:00:00:00:07}; as bytes the last
 * three are in network order. Neither form has one for a missing address: there the text is empty, and so are the bytes.
 *
 * @param lid InfiniBand unicast address, 1..{@link #LID_MAX}; 0: none
 * @param ipv4 as in a packet, first byte highest; 0: none
 * @param ipv6High first eight bytes; an address of zeros: none
 * @param ipv6Low last eight bytes
 * @param mac 48 bits, first byte highest; 0: none
 */
public record HostAddresses(int lid, int ipv4, long ipv6High, long ipv6Low, long mac) {
    /** Highest unicast LID of a subnet. */
    public static final int LID_MAX = 0xbfff;

    public static final int IPV4_BYTES = 4;
    public static final int IPV6_BYTES = 16;
    public static final int MAC_BYTES = 6;

    /** Nothing is known. */
    public static final HostAddresses NONE = new HostAddresses(0, 0, 0, 0, 0);

    private static final long MAC_MAX = (1L << (8 * MAC_BYTES)) - 1;

    /** @throws IllegalArgumentException in one line, when LID or MAC are out of range */
    public HostAddresses {
        if (lid < 0 || lid > LID_MAX) {
            throw new IllegalArgumentException("lid " + lid + " outside 0.." + LID_MAX);
        }
        if (mac < 0 || mac > MAC_MAX) {
            throw new IllegalArgumentException("mac 0x" + Long.toHexString(mac) + " has more than 48 bits");
        }
    }

    /** A LID alone. */
    public static HostAddresses ofLid(int lid) {
        return lid == 0 ? NONE : new HostAddresses(lid, 0, 0, 0, 0);
    }

    /**
     * Of bytes in network order, as they travel.
     *
     * @param ipv4 4 bytes, or none
     * @param ipv6 16 bytes, or none
     * @param mac 6 bytes, or none
     * @throws IllegalArgumentException in one line, when the LID is out of range or one of the others has another length
     */
    public static HostAddresses ofBytes(int lid, byte[] ipv4, byte[] ipv6, byte[] mac) {
        if (lid == 0 && ipv4.length == 0 && ipv6.length == 0 && mac.length == 0) {
            return NONE;
        }
        ByteBuffer six = padded("IPv6", ipv6, IPV6_BYTES);
        int four = padded("IPv4", ipv4, IPV4_BYTES).getInt(Long.BYTES - IPV4_BYTES);
        return new HostAddresses(
                lid,
                four,
                six.getLong(0),
                six.getLong(Long.BYTES),
                padded("MAC", mac, MAC_BYTES).getLong(0));
    }

    /** Bytes behind zeros, eight or sixteen in all. */
    private static ByteBuffer padded(String kind, byte[] bytes, int expected) {
        if (bytes.length != 0 && bytes.length != expected) {
            throw new IllegalArgumentException(
                    kind + " address of " + bytes.length + " bytes; expected " + expected + ", or none");
        }
        ByteBuffer longs = ByteBuffer.allocate(Math.max(expected, Long.BYTES));
        return longs.put(longs.capacity() - bytes.length, bytes);
    }

    /**
     * Of texts, as people write them. Nothing is looked up: a name is no address.
     *
     * @param lid 0: none
     * @param ipv4 four decimal numbers; {@code null}: none
     * @param ipv6 {@code null}: none
     * @param mac six hexadecimal pairs with colons; {@code null}: none
     * @throws IllegalArgumentException in one line with the value and what was expected, also for an address of zeros
     */
    public static HostAddresses parse(int lid, @Nullable String ipv4, @Nullable String ipv6, @Nullable String mac) {
        if (ipv4 == null && ipv6 == null && mac == null) {
            return ofLid(lid);
        }
        long[] six = ipv6 == null ? new long[2] : AddressText.parseIpv6(ipv6);
        return new HostAddresses(
                lid,
                ipv4 == null ? 0 : AddressText.parseIpv4(ipv4),
                six[0],
                six[1],
                mac == null ? 0 : AddressText.parseMac(mac));
    }

    /** True when nothing is known. */
    public boolean isNone() {
        return equals(NONE);
    }

    public boolean hasIpv6() {
        return (ipv6High | ipv6Low) != 0;
    }

    /** Four numbers with dots; empty when there is none. */
    public String ipv4Text() {
        return ipv4 == 0 ? "" : AddressText.ipv4(ipv4);
    }

    /** As RFC 5952 says; empty when there is none. */
    public String ipv6Text() {
        return hasIpv6() ? AddressText.ipv6(ipv6High, ipv6Low) : "";
    }

    /** Six pairs with colons, lower-case; empty when there is none. */
    public String macText() {
        return mac == 0 ? "" : AddressText.mac(mac);
    }

    public byte[] ipv4Bytes() {
        return ipv4 == 0
                ? new byte[0]
                : ByteBuffer.allocate(IPV4_BYTES).putInt(ipv4).array();
    }

    public byte[] ipv6Bytes() {
        return hasIpv6()
                ? ByteBuffer.allocate(IPV6_BYTES)
                        .putLong(ipv6High)
                        .putLong(ipv6Low)
                        .array()
                : new byte[0];
    }

    public byte[] macBytes() {
        return mac == 0
                ? new byte[0]
                : ByteBuffer.allocate(MAC_BYTES)
                        .putShort((short) (mac >>> 32))
                        .putInt((int) mac)
                        .array();
    }

    /** What is known of it, in a line for people. */
    @Override
    public String toString() {
        String text = (lid == 0 ? "" : " lid " + lid)
                + (ipv4 == 0 ? "" : " ipv4 " + ipv4Text())
                + (hasIpv6() ? " ipv6 " + ipv6Text() : "")
                + (mac == 0 ? "" : " mac " + macText());
        return text.isEmpty() ? "no addresses" : text.substring(1);
    }
}

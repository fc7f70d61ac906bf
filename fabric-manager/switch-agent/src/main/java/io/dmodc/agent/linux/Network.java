package io.dmodc.agent.linux;

import io.dmodc.topology.HostAddresses;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses that begin with the same bits.
 *
 * @param ipv6 false: IPv4
 * @param high first 64 bits of an IPv6 address; 0 for IPv4
 * @param low last 64 bits of an IPv6 address; of IPv4 the lower 32 are the address
 * @param length how many bits
 */
public record Network(boolean ipv6, long high, long low, int length) {
    private static final Pattern TEXT = Pattern.compile("([^/]+)/(\\d{1,3})");
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    /**
     * Of text as {@code 10.100.0.0/16} or {@code fd00::/48}.
     *
     * @throws IllegalArgumentException in one line with the text and what was expected
     */
    public static Network parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw no(text);
        }
        boolean ipv6 = text.indexOf(':') >= 0;
        int length = Integer.parseInt(matcher.group(2));
        if (length > (ipv6 ? IPV6_BITS : IPV4_BITS)) {
            throw no(text);
        }
        Network network = of(matcher.group(1), ipv6, length, text);
        if (!network.hostBits().equals(BigInteger.ZERO)) {
            throw new IllegalArgumentException(
                    "network '" + text + "' has bits behind the first " + length + "; expected only zeros there");
        }
        return network;
    }

    private static Network of(String address, boolean ipv6, int length, String text) {
        if (length == 0) {
            if (address.equals(ipv6 ? "::" : "0.0.0.0")) {
                return new Network(ipv6, 0, 0, 0);
            }
            throw no(text);
        }
        try {
            HostAddresses read = HostAddresses.parse(0, ipv6 ? null : address, ipv6 ? address : null, null);
            return ipv6
                    ? new Network(true, read.ipv6High(), read.ipv6Low(), length)
                    : new Network(false, 0, Integer.toUnsignedLong(read.ipv4()), length);
        } catch (IllegalArgumentException e) {
            throw no(text);
        }
    }

    private static IllegalArgumentException no(String text) {
        return new IllegalArgumentException("'" + text
                + "' is no network; expected an address and a number of bits, as 10.100.0.0/16 or fd00::/48");
    }

    private BigInteger hostBits() {
        BigInteger all = new BigInteger(hex(), 16);
        int behind = (ipv6 ? IPV6_BITS : IPV4_BITS) - length;
        return all.and(BigInteger.ONE.shiftLeft(behind).subtract(BigInteger.ONE));
    }

    /** The address in hexadecimal, without colons: 8 digits or 32. */
    String hex() {
        return ipv6 ? String.format("%016x%016x", high, low) : String.format("%08x", low);
    }

    /** As {@code ip} writes it. */
    @Override
    public String toString() {
        if (length == 0) {
            return ipv6 ? "::/0" : "0.0.0.0/0";
        }
        HostAddresses address = new HostAddresses(0, (int) (ipv6 ? 0 : low), high, ipv6 ? low : 0, 0);
        return (ipv6 ? address.ipv6Text() : address.ipv4Text()) + "/" + length;
    }
}

package io.dmodc.agent.linux;

import io.dmodc.topology.HostAddresses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Address that a route of one host leads to. An IPv4 address is kept as the IPv6 address that stands for it (::ffff:a.b.c.d), so
 * that both are two words.
 */
public record RouteAddress(long high, long low) {
    static final RouteAddress[] NONE = {};

    private static final long MAPPED = 0xffffL << 32;
    private static final long MAPPED_MASK = 0xffff_ffffL << 32;
    private static final long FE80 = 0xfe80L << 48;
    private static final long FE80_MASK = 0xffc0L << 48;

    static RouteAddress ipv4(int address) {
        return new RouteAddress(0, MAPPED | Integer.toUnsignedLong(address));
    }

    /** Returns by which addresses a host is routed to: those that are one host's alone, so neither loopback, multicast nor link-local. */
    static RouteAddress[] of(HostAddresses addresses) {
        List<RouteAddress> routable = new ArrayList<>(2);
        if (isRoutable(addresses.ipv4())) {
            routable.add(ipv4(addresses.ipv4()));
        }
        RouteAddress six = new RouteAddress(addresses.ipv6High(), addresses.ipv6Low());
        if (six.isRoutableIpv6()) {
            routable.add(six);
        }
        return routable.toArray(NONE);
    }

    private static boolean isRoutable(int ipv4) {
        int first = ipv4 >>> 24;
        boolean linkLocal = ipv4 >>> 16 == (169 << 8 | 254);
        return first != 0 && first != 127 && first < 224 && !linkLocal;
    }

    private boolean isRoutableIpv6() {
        boolean lowest = high == 0; // ::, ::1, and IPv4 addresses in disguise
        boolean multicast = high >>> 56 == 0xff;
        return !lowest && !multicast && (high & FE80_MASK) != FE80;
    }

    /** Returns the address that a program wrote; null for a network, or what is no address. */
    static @Nullable RouteAddress parse(String text) {
        try {
            if (text.indexOf(':') >= 0) {
                HostAddresses it = HostAddresses.parse(0, null, text, null);
                return new RouteAddress(it.ipv6High(), it.ipv6Low());
            }
            return text.indexOf('.') < 0
                    ? null
                    : ipv4(HostAddresses.parse(0, text, null, null).ipv4());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    boolean isIpv4() {
        return high == 0 && (low & MAPPED_MASK) == MAPPED;
    }

    // Written out, as those that the JVM makes for a record are method handles of their own, and these are asked for
    // with each table.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RouteAddress it && it.high == high && it.low == low;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
    }

    /** As people and {@code ip} write it. */
    @Override
    public String toString() {
        return isIpv4()
                ? new HostAddresses(0, (int) low, 0, 0, 0).ipv4Text()
                : new HostAddresses(0, 0, high, low, 0).ipv6Text();
    }
}

package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.HostAddresses;
import java.nio.charset.StandardCharsets;

/** What a host may say of itself. */
final class HostIdentity {
    private static final int LOOPBACK = 127;
    private static final int MULTICAST_FIRST = 224;

    /** 169.254/16, of which the next hops of all routes are. */
    private static final int LINK_LOCAL = 0xa9fe;

    private HostIdentity() {}

    /** @throws IllegalArgumentException in one line that says what is wrong with it */
    static void check(HostPort host) {
        if (host.portGuid() == 0 || host.hostGuid() == 0) {
            throw new IllegalArgumentException("GUID 0 is no identity");
        }
        if (host.port() < 1 || host.port() > SouthboundProtocol.MAX_PORTS) {
            throw new IllegalArgumentException(
                    "port " + host.port() + " is outside 1.." + SouthboundProtocol.MAX_PORTS);
        }
        int bytes = host.name().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SouthboundProtocol.MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "name of " + bytes + " bytes; expected at most " + SouthboundProtocol.MAX_NAME_BYTES);
        }
        if (!BoundedText.printable(host.name()).equals(host.name())) {
            throw new IllegalArgumentException("name '" + BoundedText.printable(host.name())
                    + "' has a character that cannot be printed; expected a name for people");
        }
        checkAddresses(host.addresses());
    }

    private static void checkAddresses(HostAddresses addresses) {
        if (addresses.ipv4() != 0 && !isIpv4OfHost(addresses.ipv4())) {
            throw no(addresses.ipv4Text());
        }
        if (addresses.hasIpv6() && !isIpv6OfHost(addresses.ipv6High(), addresses.ipv6Low())) {
            throw no(addresses.ipv6Text());
        }
    }

    private static IllegalArgumentException no(String address) {
        return new IllegalArgumentException("address " + address
                + " is no host's in a fabric; expected a unicast address that is neither loopback nor link-local");
    }

    /** Not 0/8, 127/8, 169.254/16, 224/3. */
    private static boolean isIpv4OfHost(int address) {
        int first = address >>> 24;
        return first != 0 && first != LOOPBACK && first < MULTICAST_FIRST && address >>> 16 != LINK_LOCAL;
    }

    /** Not ::/64 (loopback and IPv4 in disguise), fe80::/10, ff00::/8. */
    private static boolean isIpv6OfHost(long high, long low) {
        boolean linkLocal = high >>> 54 == 0xfe80 >>> 6;
        boolean multicast = high >>> 56 == 0xff;
        return high != 0 && !linkLocal && !multicast && low != 0;
    }

    /** True for 48 bits that one interface can have. */
    static boolean isMac(long mac) {
        return mac != 0 && (mac >>> 40 & 1) == 0;
    }
}

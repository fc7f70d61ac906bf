package io.dmodc.agent.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether the kernel has a host's way to a network, read from its own tables below {@code /proc/net}: no program is started to find
 * out that all is well. Stateless.
 */
final class HostRouteFiles {
    private static final Path IPV4_ROUTES = Path.of("/proc/net/route");
    private static final Path IPV6_ROUTES = Path.of("/proc/net/ipv6_route");
    private static final Path IPV4_NEIGHBOURS = Path.of("/proc/net/arp");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** Complete and permanent, in the column of flags. */
    private static final String PERMANENT = "0x6";

    private static final int IPV4_BITS = 32;

    private HostRouteFiles() {}

    /** True when the route is there, and, of IPv4, the permanent neighbour it leads to. */
    static boolean has(Network network, String interfaceName, String mac) throws IOException {
        return network.ipv6()
                ? any(IPV6_ROUTES, columns -> isIpv6Route(columns, network, interfaceName))
                : any(IPV4_ROUTES, columns -> isIpv4Route(columns, network, interfaceName))
                        && any(IPV4_NEIGHBOURS, columns -> isNeighbour(columns, interfaceName, mac));
    }

    private interface Line {
        boolean is(String[] columns);
    }

    private static boolean any(Path file, Line line) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(each -> line.is(BLANKS.split(each.strip(), -1)));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Interface, destination, gateway, flags, references, use, metric, mask, ...; addresses as numbers of this machine. */
    static boolean isIpv4Route(String[] columns, Network network, String interfaceName) {
        int mask = network.length() == 0 ? 0 : -1 << (IPV4_BITS - network.length());
        return columns.length > 7
                && columns[0].equals(interfaceName)
                && columns[1].equals(native4((int) network.low()))
                && columns[2].equals(native4(HostWay.IPV4_NEXT_HOP_BITS))
                && columns[7].equals(native4(mask));
    }

    private static String native4(int address) {
        int as = ByteBuffer.allocate(Integer.BYTES)
                .putInt(address)
                .order(ByteOrder.nativeOrder())
                .getInt(0);
        return HexFormat.of().withUpperCase().toHexDigits(as);
    }

    /** Destination, length, source, length, next hop, metric, references, use, flags, interface. */
    static boolean isIpv6Route(String[] columns, Network network, String interfaceName) {
        return columns.length > 9
                && columns[0].equals(network.hex())
                && columns[1].equals(String.format("%02x", network.length()))
                && columns[4].equals(HostWay.IPV6_NEXT_HOP_HEX)
                && columns[9].equals(interfaceName);
    }

    /** Address, type of hardware, flags, MAC, mask, interface. */
    static boolean isNeighbour(String[] columns, String interfaceName, String mac) {
        return columns.length > 5
                && columns[0].equals(HostWay.IPV4_NEXT_HOP)
                && columns[2].equals(PERMANENT)
                && columns[3].equals(mac)
                && columns[5].equals(interfaceName);
    }
}

package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host's way to networks of the fabric: a route over its interface, to a next hop that stands for whoever is at the far end, with
 * the MAC address the far end said. Routes of others to the same network are left alone. Used by one thread, which waits for
 * {@code ip} when something is missing.
 */
final class HostWay {
    static final String IPV4_NEXT_HOP = "169.254.0.1";
    static final int IPV4_NEXT_HOP_BITS = 0xa9fe_0001;
    static final String IPV6_NEXT_HOP = "fe80::1";
    static final String IPV6_NEXT_HOP_HEX = "fe800000000000000000000000000001";

    /** Of an IPv6 route that names none; they have 32 bits. */
    private static final long IPV6_METRIC = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HostWay.class);

    private final String interfaceName;
    private final List<Network> networks;
    private final int routeProtocol;
    private final HostAddresses addresses;
    private final IpProgram ip = new IpProgram(List.of());

    /** What each route leads to; nothing before it was added. */
    private final Map<Network, String> macs = new HashMap<>();

    private String told = "";

    /** @param addresses of this host, from which it speaks where they are on it */
    HostWay(String interfaceName, List<Network> networks, int routeProtocol, HostAddresses addresses) {
        this.interfaceName = interfaceName;
        this.networks = List.copyOf(networks);
        this.routeProtocol = routeProtocol;
        this.addresses = addresses;
    }

    /**
     * Adds what is missing. What cannot be added is told once, and again when it is something else.
     *
     * @param farMac of the interface at the far end
     * @return false when something is missing still
     */
    boolean keep(String farMac) {
        String trouble = "";
        for (Network network : networks) {
            try {
                keep(network, farMac);
            } catch (PlaneException | IOException e) {
                trouble = String.valueOf(e.getMessage());
            }
        }
        tell(trouble);
        return trouble.isEmpty();
    }

    private void keep(Network network, String farMac) throws PlaneException, IOException {
        if (!farMac.equals(macs.get(network)) || !HostRouteFiles.has(network, interfaceName, farMac)) {
            add(network, farMac);
            macs.put(network, farMac);
        }
    }

    private void tell(String trouble) {
        if (trouble.equals(told) || Thread.currentThread().isInterrupted()) {
            return;
        }
        told = trouble;
        if (!trouble.isEmpty()) {
            LOG.warn("{}: no way to the fabric: {}", interfaceName, trouble);
        }
    }

    private void add(Network network, String farMac) throws PlaneException {
        checkForeign(network);
        String family = network.ipv6() ? "-6" : "-4";
        String via = network.ipv6() ? IPV6_NEXT_HOP : IPV4_NEXT_HOP;
        ip.text("ip", family, "neigh", "replace", via, "lladdr", farMac, "dev", interfaceName, "nud", "permanent");
        List<String> route = new ArrayList<>(List.of(
                "ip", family, "route", "replace", network.toString(), "via", via, "dev", interfaceName, "onlink"));
        route.addAll(List.of("proto", Integer.toString(routeProtocol)));
        String source = source(network.ipv6());
        if (source != null) {
            route.addAll(List.of("src", source));
        }
        ip.text(route.toArray(new String[0]));
        LOG.info("{}: {} is reached by {}{}", interfaceName, network, farMac, source == null ? "" : " from " + source);
    }

    /** A route to the same network that would have to go for ours. */
    private void checkForeign(Network network) throws PlaneException {
        String listed = ip.text(
                "ip",
                "-N",
                "-o",
                network.ipv6() ? "-6" : "-4",
                "route",
                "show",
                "table",
                "main",
                "exact",
                network.toString());
        for (String line : listed.lines().map(String::strip).toList()) {
            List<String> route = Arrays.asList(line.split("\\s+", -1));
            boolean own = Integer.toString(routeProtocol).equals(behind(route, "proto"))
                    && interfaceName.equals(behind(route, "dev"));
            String metric = behind(route, "metric");
            boolean inTheWay = metric == null || (network.ipv6() && Long.parseLong(metric) <= IPV6_METRIC);
            if (!own && inTheWay) {
                throw new PlaneException("there is a route already, '" + line
                        + "'; expected none, it stays (addresses of the fabric have a prefix of "
                        + (network.ipv6() ? "128" : "32") + " bits)");
            }
        }
    }

    private static @Nullable String behind(List<String> words, String key) {
        int at = words.indexOf(key);
        return at >= 0 && at + 1 < words.size() ? words.get(at + 1) : null;
    }

    /** The announced address, when it is on this host: not that of the management network. */
    private @Nullable String source(boolean ipv6) {
        byte[] bytes = ipv6 ? addresses.ipv6Bytes() : addresses.ipv4Bytes();
        try {
            return bytes.length > 0 && NetworkInterface.getByInetAddress(InetAddress.getByAddress(bytes)) != null
                    ? (ipv6 ? addresses.ipv6Text() : addresses.ipv4Text())
                    : null;
        } catch (IOException e) {
            return null;
        }
    }
}

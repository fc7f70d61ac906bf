package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the kernel holds, read with {@code ip}: routes of single hosts in the main table, and the neighbours of our ports.
 *
 * @param ours port of each route of ours; {@link RouteBook#STRAY} where that is none of our ports, or no packet goes by it, as somebody else's of a
 *     better metric comes before it
 * @param standing likewise of those that stand behind them
 * @param foreign whose it is, of addresses with a route of somebody else, or of a kind that we do not write
 * @param neighbours MAC addresses of the permanent neighbours that routes lead to
 */
record KernelRoutes(
        Map<RouteAddress, Integer> ours,
        Map<RouteAddress, Integer> standing,
        Map<RouteAddress, String> foreign,
        Map<NextHops.Key, String> neighbours) {
    /** What the kernel gives an IPv6 route that asks for no metric. */
    private static final int IPV6_METRIC = 1024;

    private static final String STANDING_METRIC = String.valueOf(RouteOp.STANDING_METRIC);

    static KernelRoutes none() {
        return new KernelRoutes(new HashMap<>(), new HashMap<>(), new HashMap<>(), new TreeMap<>());
    }

    /** @throws PlaneException in one line, when they cannot be read */
    static KernelRoutes read(IpProgram ip, LinuxSettings settings) throws PlaneException {
        KernelRoutes all = none();
        // Numbers, not names: what a protocol is called is for each machine to say.
        ip.run(out -> all.routes(out, settings), "ip", "-N", "-4", "route", "show", "table", "254");
        ip.run(out -> all.routes(out, settings), "ip", "-N", "-6", "route", "show", "table", "254");
        ip.run(out -> all.neighbours(out, settings), "ip", "neigh", "show", "nud", "permanent");
        return all;
    }

    KernelRoutes routes(InputStream out, LinuxSettings settings) throws IOException {
        Set<RouteAddress> preceded = new HashSet<>();
        IpLine.each(out, line -> take(IpLine.parse(line), settings, preceded));
        ours.replaceAll((address, port) -> preceded.contains(address) ? RouteBook.STRAY : port);
        return this;
    }

    private void take(IpLine route, LinuxSettings settings, Set<RouteAddress> preceded) {
        RouteAddress address = route.address();
        if (address == null) {
            return;
        }
        String protocol = route.value("proto", "unknown");
        String metric = route.value("metric", "0");
        int own = address.isIpv4() ? 0 : IPV6_METRIC;
        boolean usual = metric.equals(String.valueOf(own));
        boolean stands = metric.equals(STANDING_METRIC);
        if (protocol.equals(String.valueOf(settings.routeProtocol())) && (usual || stands)) {
            int port = settings.portOf(route.value("dev", ""));
            boolean plain = port > 0 && (address.isIpv4() ? NextHops.IPV4 : NextHops.IPV6).equals(route.value("via"));
            (stands ? standing : ours).put(address, plain ? port : RouteBook.STRAY);
        } else {
            if (metric.matches("\\d{1,4}") && Integer.parseInt(metric) < own) {
                preceded.add(address);
            }
            foreign.put(address, "a route of protocol " + protocol + (usual ? "" : " and metric " + metric));
        }
    }

    KernelRoutes neighbours(InputStream out, LinuxSettings settings) throws IOException {
        IpLine.each(out, line -> {
            IpLine neighbour = IpLine.parse(line);
            int port = settings.portOf(neighbour.value("dev", ""));
            String address = neighbour.first();
            if (port > 0 && (address.equals(NextHops.IPV4) || address.equals(NextHops.IPV6))) {
                neighbours.put(new NextHops.Key(port, address), neighbour.value("lladdr", ""));
            }
        });
        return this;
    }
}

package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.HostPlace;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.util.List;
import java.util.Locale;

/** Hosts without a process that announces them: their switch's agent has them listed, and their way to the fabric stands for ever. */
final class ListedHosts {
    /** Stands for whoever is at the far end. */
    private static final String NEXT_HOP = "169.254.0.1";

    private ListedHosts() {}

    /** Gives each host its route to a network, by the MAC address of the switch at its cable. */
    static void addRoutes(FabricPlan plan, String network) throws LinuxFailure {
        for (int d = 0; d < plan.hosts().size(); d++) {
            String way = "neighbour replace " + NEXT_HOP + " lladdr "
                    + plan.hostCable(d).mac(true) + " dev p1 nud permanent\n" + "route add " + network
                    + " via " + NEXT_HOP + " dev p1 onlink src "
                    + plan.hosts().get(d).address() + "\n";
            Commands.run(List.of("ip", "-n", plan.hosts().get(d).namespace(), "-batch", "-"), way);
        }
    }

    /** Returns the part of the settings of a switch's agent, YAML; empty for a switch without hosts. */
    static String settings(FabricPlan plan, SwitchPlace place) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < plan.hosts().size(); d++) {
            HostPlace host = plan.hosts().get(d);
            Cable cable = plan.hostCable(d);
            if (cable.first().namespace().equals(place.namespace())) {
                text.append(entry(cable.first().port(), host, cable.mac(false)));
            }
        }
        return settings(text.toString());
    }

    /** Returns the same of some entries. */
    static String settings(String entries) {
        return entries.isEmpty() ? "" : "plane:\n  hosts:\n" + entries;
    }

    /** Returns the line of a host at a port. */
    static String entry(int port, HostPlace host, String mac) {
        return String.format(
                Locale.ROOT,
                "    - {number: %d, host: %s, name: %s, ipv4: %s, mac: '%s'}%n",
                port,
                FabricPlan.guid(host.guid()),
                host.name(),
                host.address(),
                mac);
    }
}

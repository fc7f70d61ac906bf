package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.End;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Dmodc's tables of a whole fabric as routes, written once: what namespaces and probes are tried with when nobody decides. */
final class StaticRoutes {
    private static final String VIA = " via 169.254.0.1 dev p";

    private StaticRoutes() {}

    static void write(FabricView view, FabricPlan plan) throws LinuxFailure {
        Map<String, List<String>> lines = new HashMap<>();
        for (Cable cable : plan.cables()) {
            neighbour(lines, cable.first(), cable.mac(false));
            neighbour(lines, cable.second(), cable.mac(true));
        }
        plan.hosts()
                .forEach(host -> add(
                        lines,
                        host.namespace(),
                        "route add " + FabricPlan.HOST_NETWORK + VIA + "1 onlink src " + host.address()));
        LftSet tables = tables(view);
        for (int s = 0; s < view.switchCount(); s++) {
            for (int d = 0; d < view.nodeCount(); d++) {
                add(
                        lines,
                        plan.switches().get(s).namespace(),
                        "route add " + FabricPlan.address(d) + "/32" + VIA + tables.port(s, d) + " onlink");
            }
        }
        for (Map.Entry<String, List<String>> entry : lines.entrySet()) {
            Commands.run(List.of("ip", "-n", entry.getKey(), "-batch", "-"), NamespaceFabric.text(entry.getValue()));
        }
    }

    static LftSet tables(FabricView view) {
        return Objects.requireNonNull(Engines.named(Engines.DEFAULT, null)
                .route(view, Parallel.sequential())
                .tables());
    }

    private static void neighbour(Map<String, List<String>> lines, End end, String mac) {
        add(
                lines,
                end.namespace(),
                "neighbour replace 169.254.0.1 lladdr " + mac + " dev " + end.device() + " nud permanent");
    }

    private static void add(Map<String, List<String>> lines, String namespace, String line) {
        lines.computeIfAbsent(namespace, name -> new ArrayList<>()).add(line);
    }
}

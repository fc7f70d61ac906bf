package io.dmodc.routing.throughput;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Max-min fairness word by word: every flow by itself, its links by name, those of hosts too; the water rises to the
 * next link that is full, which is looked for anew each time.
 */
final class WaterFilling {
    /** A flow and the links it uses, each with a name. */
    record Flow(int from, int to, Set<String> links) {}

    final List<Flow> flows = new ArrayList<>();
    final Map<Flow, Fraction> rate = new LinkedHashMap<>();
    int unrouted;

    private final FabricView view;
    private final LftSet tables;

    WaterFilling(FabricView view, LftSet tables) {
        this.view = view;
        this.tables = tables;
    }

    void send(int from, int to) {
        Set<String> links = new HashSet<>();
        links.add("host " + from + " sends");
        int at = view.nodeSwitch(from);
        for (int hops = 0; ; hops++) {
            int port = tables.port(at, to);
            if (hops > view.switchCount() || port < 1 || port > view.portCount(at)) {
                unrouted++;
                return;
            }
            if (view.peerNode(at, port) == to) {
                links.add("host " + to + " receives");
                flows.add(new Flow(from, to, links));
                return;
            }
            if (view.peerSwitch(at, port) < 0) {
                unrouted++;
                return;
            }
            links.add("switch " + at + " port " + port);
            at = view.peerSwitch(at, port);
        }
    }

    /** How many flows use the switches' most used link. */
    int most() {
        Map<String, Integer> users = new HashMap<>();
        flows.forEach(flow -> flow.links.forEach(link -> users.merge(link, 1, Integer::sum)));
        return users.entrySet().stream()
                .filter(link -> link.getKey().startsWith("switch"))
                .mapToInt(Map.Entry::getValue)
                .max()
                .orElse(0);
    }

    /** @param demand of each flow */
    void fill(Fraction demand) {
        while (rate.size() < flows.size()) {
            Fraction level = demand;
            Map<String, Fraction> full = new HashMap<>();
            for (Flow flow : flows) {
                for (String link : flow.links) {
                    full.computeIfAbsent(link, this::fullAt);
                }
            }
            for (Fraction at : full.values()) {
                level = level.min(at);
            }
            for (Flow flow : flows) {
                Fraction reached = level;
                boolean stops = reached.equals(demand)
                        || flow.links.stream()
                                .anyMatch(
                                        link -> full.getOrDefault(link, demand).equals(reached));
                if (!rate.containsKey(flow) && stops) {
                    rate.put(flow, level);
                }
            }
        }
    }

    /** The level at which a link is full, if the flows that still rise on it all have that rate; far up if there are none. */
    private Fraction fullAt(String link) {
        Fraction left = Fraction.ONE;
        int rising = 0;
        for (Flow flow : flows) {
            if (flow.links.contains(link)) {
                rising += rate.containsKey(flow) ? 0 : 1;
                left = left.minus(rate.getOrDefault(flow, Fraction.ZERO));
            }
        }
        return rising == 0 ? Fraction.of(2, 1) : left.over(rising);
    }

    Fraction sent(int from) {
        return flows.stream().filter(flow -> flow.from == from).map(rate::get).reduce(Fraction.ZERO, Fraction::plus);
    }
}

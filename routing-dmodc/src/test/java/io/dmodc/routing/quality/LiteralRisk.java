package io.dmodc.routing.quality;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The definition of congestion risk word by word: every flow walked hop by hop, every source and destination in a set.
 */
final class LiteralRisk {
    /** A port of a switch. */
    record Place(int s, int port) {}

    /** One node sends to another. */
    record Flow(int from, int to) {}

    /** Who uses a port. */
    record Users(Set<Integer> sources, Set<Integer> destinations) {
        int risk() {
            return Math.min(sources.size(), destinations.size());
        }
    }

    private final FabricView view;
    private final LftSet tables;
    /** Nodes that take part. */
    final List<Integer> nodes = new ArrayList<>();

    LiteralRisk(FabricView view, LftSet tables) {
        this.view = view;
        this.tables = tables;
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node))) {
                nodes.add(node);
            }
        }
    }

    List<Flow> allToAll() {
        List<Flow> flows = new ArrayList<>();
        for (int from : nodes) {
            for (int to : nodes) {
                if (from != to) {
                    flows.add(new Flow(from, to));
                }
            }
        }
        return flows;
    }

    List<Flow> shift(int distance) {
        int[] order = new int[nodes.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = (i + distance) % order.length;
        }
        return permutation(order);
    }

    List<Flow> permutation(int[] order) {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < order.length; i++) {
            if (order[i] != i) {
                flows.add(new Flow(nodes.get(i), nodes.get(order[i])));
            }
        }
        return flows;
    }

    long unrouted(List<Flow> flows) {
        return flows.stream().filter(flow -> route(flow).isEmpty()).count();
    }

    Map<Place, Users> users(List<Flow> flows) {
        Map<Place, Users> users = new HashMap<>();
        for (Flow flow : flows) {
            for (Place place : route(flow)) {
                Users of = users.computeIfAbsent(place, p -> new Users(new HashSet<>(), new HashSet<>()));
                of.sources.add(flow.from);
                of.destinations.add(flow.to);
            }
        }
        return users;
    }

    /** What the flows meet on their ways. */
    FlowRisk met(List<Flow> flows, Map<Place, Users> users) {
        FlowRisk met = FlowRisk.NONE;
        for (Flow flow : flows) {
            int risk = route(flow).stream()
                    .mapToInt(place -> Objects.requireNonNull(users.get(place)).risk())
                    .max()
                    .orElse(0);
            met = risk == 0 ? met : met.plus(new FlowRisk(1, risk, risk > 2 ? 1 : 0));
        }
        return met;
    }

    /** The ports on the way, the one to the host included; empty if the packet does not arrive. */
    private List<Place> route(Flow flow) {
        List<Place> route = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        int at = view.nodeSwitch(flow.from);
        while (at >= 0 && seen.add(at)) {
            int port = tables.port(at, flow.to);
            if (port < 1 || port > view.portCount(at)) {
                return List.of();
            }
            route.add(new Place(at, port));
            if (view.peerNode(at, port) == flow.to) {
                return route;
            }
            at = view.peerSwitch(at, port);
        }
        return List.of();
    }

    /** The highest risk of the ports of a stage. */
    int risk(Map<Place, Users> users, PortStage stage) {
        return users.entrySet().stream()
                .filter(entry -> isOf(entry.getKey(), stage))
                .mapToInt(entry -> entry.getValue().risk())
                .max()
                .orElse(0);
    }

    private boolean isOf(Place place, PortStage stage) {
        int remote = view.peerSwitch(place.s, place.port);
        if (remote < 0) {
            return stage.direction() == PortStage.Direction.TO_HOST;
        }
        int from = view.rank(place.s);
        int to = view.rank(remote);
        boolean adjacent = from >= 0 && to >= 0 && Math.abs(from - to) == 1;
        return switch (stage.direction()) {
            case UP, DOWN -> adjacent && from == stage.fromRank() && to == stage.toRank();
            case ACROSS -> !adjacent;
            case TO_HOST -> false;
        };
    }

    /** How many ports a stage has. */
    int ports(PortStage stage) {
        if (stage.direction() == PortStage.Direction.TO_HOST) {
            return nodes.size();
        }
        int ports = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                ports += view.peerSwitch(s, port) >= 0 && isOf(new Place(s, port), stage) ? 1 : 0;
            }
        }
        return ports;
    }
}

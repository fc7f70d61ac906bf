package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The slow twin: Dmodc as one would explain it, from cables and ranks alone. Shares nothing with the engine, not even
 * the view's port groups.
 */
final class SlowDmodc {
    /** Which of the forms; the engine has names of its own for them. */
    enum Form {
        DMODC,
        STRICT,
        PLAIN
    }

    private enum Phase {
        CLIMBING,
        DESCENDING
    }

    private record State(int at, Phase phase) {}

    private final FabricView view;
    private final Form form;
    private final Map<Long, Integer> planes;
    /** By switch index; empty for switches that take no part. */
    private final List<SortedMap<Integer, List<Integer>>> groups = new ArrayList<>();

    private final List<Map<Integer, Integer>> cost = new ArrayList<>();
    private final List<Map<Integer, Integer>> downCost = new ArrayList<>();
    private final List<Long> divider = new ArrayList<>();

    /** With planes as they are found in this view, nothing known before. */
    SlowDmodc(FabricView view, Form form) {
        this(view, form, form == Form.DMODC ? new SlowPlanes(view).numbers() : Map.of());
    }

    /** @param planes numbers of switches above the leaves, by GUID */
    SlowDmodc(FabricView view, Form form, Map<Long, Integer> planes) {
        this.view = view;
        this.form = form;
        this.planes = planes;
        for (int s = 0; s < view.switchCount(); s++) {
            groups.add(groupPorts(s));
        }
        for (int s = 0; s < view.switchCount(); s++) {
            cost.add(takesPart(s) ? walk(new State(s, Phase.CLIMBING)) : Map.of());
            downCost.add(takesPart(s) ? walk(new State(s, Phase.DESCENDING)) : Map.of());
            divider.add(1L);
        }
        propagateDividers();
    }

    private boolean takesPart(int s) {
        return view.alive(s) && view.rank(s) != FabricView.UNRANKED;
    }

    /** Remote switch → ports, by number of the plane, then in GUID order of the remote switch. */
    private SortedMap<Integer, List<Integer>> groupPorts(int s) {
        SortedMap<Integer, List<Integer>> byRemote = new TreeMap<>(Comparator.comparing((Integer remote) ->
                        view.rank(remote) == 0 ? 0 : planes.getOrDefault(view.switchGuid(remote), 0))
                .thenComparing(view::switchGuid, Long::compareUnsigned));
        for (int port = 1; takesPart(s) && port <= view.portCount(s); port++) {
            int remote = view.peerSwitch(s, port);
            if (remote >= 0 && takesPart(remote)) {
                byRemote.computeIfAbsent(remote, r -> new ArrayList<>()).add(port);
            }
        }
        return byRemote;
    }

    /** Breadth first over (switch, phase): hops to every switch that can be reached. */
    private Map<Integer, Integer> walk(State start) {
        Map<State, Integer> hops = new HashMap<>();
        Deque<State> queue = new ArrayDeque<>();
        hops.put(start, 0);
        queue.add(start);
        while (!queue.isEmpty()) {
            State state = queue.remove();
            for (State next : steps(state)) {
                if (!hops.containsKey(next)) {
                    hops.put(next, hops.getOrDefault(state, 0) + 1);
                    queue.add(next);
                }
            }
        }
        Map<Integer, Integer> least = new HashMap<>();
        hops.forEach((state, count) -> least.merge(state.at, count, Math::min));
        return least;
    }

    private List<State> steps(State state) {
        List<State> steps = new ArrayList<>();
        for (int remote : groups.get(state.at).keySet()) {
            int climb = view.rank(remote) - view.rank(state.at);
            if (climb == -1) {
                steps.add(new State(remote, Phase.DESCENDING));
            }
            if (climb == 1 && state.phase == Phase.CLIMBING) {
                steps.add(new State(remote, Phase.CLIMBING));
            }
        }
        return steps;
    }

    /** Procedure 1, pushing upwards. */
    private void propagateDividers() {
        List<Integer> ascending = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            ascending.add(s);
        }
        ascending.sort(Comparator.comparing(view::rank));
        for (int s : ascending) {
            List<Integer> above = groups.get(s).keySet().stream()
                    .filter(remote -> view.rank(remote) == view.rank(s) + 1)
                    .toList();
            long product = divider.get(s) * above.size();
            above.forEach(remote -> divider.set(remote, Math.max(divider.get(remote), product)));
        }
    }

    /** C_{s,λ}, ordered: the ports of each candidate group. */
    private List<List<Integer>> candidates(int s, int target) {
        List<List<Integer>> candidates = new ArrayList<>();
        groups.get(s).forEach((remote, ports) -> {
            if (form != Form.PLAIN ? strictlyCloser(s, remote, target) : closer(s, remote, target)) {
                candidates.add(ports);
            }
        });
        return candidates;
    }

    private boolean closer(int s, int remote, int target) {
        return cost(remote, target) < cost(s, target);
    }

    private boolean strictlyCloser(int s, int remote, int target) {
        if (downCost.get(s).containsKey(target)) {
            return view.rank(remote) == view.rank(s) - 1 && downCost.get(remote).containsKey(target);
        }
        return cost.get(s).containsKey(target) && view.rank(remote) == view.rank(s) + 1 && closer(s, remote, target);
    }

    /** Hops, or a number above all others. */
    int cost(int s, int target) {
        return cost.get(s).getOrDefault(target, Integer.MAX_VALUE);
    }

    /** The table entry of node d, 255 where there is none. */
    int portToNode(int s, int d) {
        int home = view.nodeSwitch(d);
        if (home < 0 || !takesPart(s)) {
            return 255;
        }
        return home == s ? view.nodePort(d) : port(s, home, d);
    }

    /** The table entry of a switch, 0 for itself. */
    int portToSwitch(int s, int target) {
        if (s == target) {
            return 0;
        }
        return takesPart(s) ? port(s, target, view.nodeCount() + target) : 255;
    }

    /** Equations (3) and (4). */
    private int port(int s, int target, int d) {
        List<List<Integer>> c = candidates(s, target);
        if (c.isEmpty()) {
            return 255;
        }
        boolean descends = downCost.get(s).containsKey(target);
        long by = form == Form.DMODC && descends && c.size() > 1 ? descentDivider(s) : divider.get(s);
        List<Integer> group = c.get((int) (d / by % c.size()));
        return group.get((int) (d / (by * c.size()) % group.size()));
    }

    /** Π↓: the largest Π of all switches two cables below, whatever the target. */
    private long descentDivider(int s) {
        long largest = 1;
        for (int x : below(s)) {
            for (int y : below(x)) {
                largest = Math.max(largest, divider.get(y));
            }
        }
        return largest;
    }

    private List<Integer> below(int s) {
        return groups.get(s).keySet().stream()
                .filter(remote -> view.rank(remote) == view.rank(s) - 1)
                .toList();
    }

    /** Equation (2). */
    List<Integer> alternatives(int s, int d) {
        int home = view.nodeSwitch(d);
        if (home < 0 || !takesPart(s)) {
            return List.of();
        }
        return home == s
                ? List.of(view.nodePort(d))
                : candidates(s, home).stream().flatMap(List::stream).toList();
    }

    long divider(int s) {
        return divider.get(s);
    }
}

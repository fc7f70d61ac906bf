package io.dmodc.routing.explanation;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.explanation.RouteExplanation.Candidate;
import io.dmodc.routing.explanation.RouteExplanation.Formula;
import io.dmodc.routing.explanation.RouteExplanation.Way;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains the entries of one view's tables.
 *
 * <p>For {@code dmodc}, {@code dmodc-strict} and {@code dmodc-plain} an entry is computed anew, by itself, with all numbers of equations
 * (1) to (4); the whole fabric that {@code dmodk} routes has the entries of {@code dmodc-strict}. Other engines ({@code minhop}, {@code updn}) choose by what
 * they chose for other nodes before: of them it tells the ports that are nearest, and takes the entry as given.
 *
 * <p>Costs one finding of costs and dividers, as the first half of a full reroute; each further question O(ports), or O(links) of an
 * engine without formula. Immutable, safe to share between threads.
 */
public final class RouteExplainer {
    private final String engine;
    private final FabricView view;
    private final Parallel parallel;

    /** Null where the engine has no formula. */
    private final @Nullable CostsAndDividers costs;

    private RouteExplainer(String engine, FabricView view, Parallel parallel, @Nullable CostsAndDividers costs) {
        this.engine = engine;
        this.view = view;
        this.parallel = parallel;
        this.costs = costs;
    }

    /**
     * @param engine by which the tables were made, by its name
     * @param view that they were made for
     */
    public static RouteExplainer of(String engine, FabricView view, Parallel parallel) {
        return new RouteExplainer(engine, view, parallel, costs(engine, view, parallel));
    }

    private static @Nullable CostsAndDividers costs(String engine, FabricView view, Parallel parallel) {
        if (view.rankMax() > Dmodc.RANK_MAX) {
            return null;
        }
        return switch (engine) {
            case "dmodc" -> Dmodc.standard().costsAndDividers(view, parallel);
            case "dmodc-strict", "dmodk" -> Dmodc.strict().costsAndDividers(view, parallel);
            case "dmodc-plain" -> Dmodc.plain().costsAndDividers(view, parallel);
            default -> null;
        };
    }

    /** True if entries follow from a formula, so that {@link #explain(int, int)} can say them. */
    public boolean hasFormula() {
        return costs != null;
    }

    public String engine() {
        return engine;
    }

    public FabricView view() {
        return view;
    }

    /**
     * Explains what the formula says.
     *
     * @throws IllegalStateException if the engine has none
     */
    public RouteExplanation explain(int s, int node) {
        if (costs == null) {
            throw new IllegalStateException("engine " + engine + " has no formula; its entry must be given");
        }
        return explain(s, node, LftSet.NO_ROUTE);
    }

    /**
     * Explains an entry.
     *
     * @param entry what the table has; not looked at where a formula says it
     */
    public RouteExplanation explain(int s, int node, int entry) {
        int home = view.nodeSwitch(node);
        CostsAndDividers known = costs;
        if (home < 0) {
            return nowhere(s, node, home, Way.NO_HOST);
        }
        if (!view.alive(s) || (known != null && view.rank(s) < 0)) {
            return nowhere(s, node, home, Way.NO_TABLE);
        }
        if (home == s) {
            return new RouteExplanation(s, node, home, Way.HERE, 0, List.of(), null, view.nodePort(node));
        }
        return known == null ? nearest(s, node, home, entry) : byFormula(known, s, node, home);
    }

    /**
     * What the formula says when the cable at this port is lost: with the costs and dividers of the fabric without it.
     *
     * @return {@code null} where no cable to a switch is, or no formula
     */
    public @Nullable RouteExplanation afterLoss(int s, int port, int node) {
        if (costs == null || port < 1 || port > view.portCount(s) || view.peerSwitch(s, port) < 0) {
            return null;
        }
        FabricView without = view.without(new BitSet(), List.of(new PortPlace(view.switchGuid(s), port)));
        return of(engine, without, parallel).explain(s, node);
    }

    private static RouteExplanation nowhere(int s, int node, int home, Way way) {
        return new RouteExplanation(s, node, home, way, -1, List.of(), null, LftSet.NO_ROUTE);
    }

    private RouteExplanation byFormula(CostsAndDividers known, int s, int node, int home) {
        List<Candidate> candidates = grouped(view, s, known.alternatives(s, node));
        int cost = known.cost(s, view.targetOfSwitch(home));
        if (candidates.isEmpty()) {
            return nowhere(s, node, home, Way.NO_PATH);
        }
        int divider = known.divider(s, node, candidates.size());
        int group = node / divider % candidates.size();
        Candidate chosen = candidates.get(group);
        int place = (int)
                (node / ((long) divider * candidates.size()) % chosen.ports().size());
        return new RouteExplanation(
                s,
                node,
                home,
                way(s, chosen.remote()),
                cost == CostsAndDividers.UNREACHABLE ? -1 : cost,
                candidates,
                new Formula(divider, group, place),
                chosen.ports().get(place));
    }

    /** Ports come group by group. */
    static List<Candidate> grouped(FabricView view, int s, int[] ports) {
        List<Candidate> groups = new ArrayList<>();
        for (int from = 0, to = 0; from < ports.length; from = to) {
            int remote = view.peerSwitch(s, ports[from]);
            List<Integer> members = new ArrayList<>();
            for (to = from; to < ports.length && view.peerSwitch(s, ports[to]) == remote; to++) {
                members.add(ports[to]);
            }
            groups.add(new Candidate(remote, members));
        }
        return groups;
    }

    private RouteExplanation nearest(int s, int node, int home, int entry) {
        int[] hops = hopsTo(home);
        List<Candidate> candidates = new ArrayList<>();
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int remote = view.groupRemote(g);
            if (hops[remote] >= 0 && hops[remote] < hops[s]) {
                List<Integer> ports = new ArrayList<>();
                for (int i = 0; i < view.groupSize(g); i++) {
                    ports.add(view.groupPort(g, i));
                }
                candidates.add(new Candidate(remote, ports));
            }
        }
        boolean leads = entry >= 1 && entry <= view.portCount(s) && view.peerSwitch(s, entry) >= 0;
        Way way = leads ? way(s, view.peerSwitch(s, entry)) : Way.NO_PATH;
        return new RouteExplanation(s, node, home, way, hops[s], candidates, null, entry);
    }

    /** By switch, least cables to one, up and down at will; −1 where none lead there. */
    private int[] hopsTo(int home) {
        int[] hops = new int[view.switchCount()];
        Arrays.fill(hops, -1);
        int[] queue = new int[hops.length];
        int end = 0;
        hops[home] = 0;
        queue[end++] = home;
        for (int next = 0; next < end; next++) {
            int at = queue[next];
            for (int g = view.groupStart(at); g < view.groupEnd(at); g++) {
                int remote = view.groupRemote(g);
                if (hops[remote] < 0) {
                    hops[remote] = hops[at] + 1;
                    queue[end++] = remote;
                }
            }
        }
        return hops;
    }

    private Way way(int s, int remote) {
        return view.isUp(s, remote) ? Way.UP : view.isDown(s, remote) ? Way.DOWN : Way.ASIDE;
    }
}

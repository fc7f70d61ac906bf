package io.dmodc.routing.quality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The risk that all-to-all traffic has at least, whatever forwarding tables carry it.
 *
 * <p><b>Proof.</b> Of h nodes on one side of a cut, P pairs go to the n − h on the other over u ports of risk ≤ r: a port
 * carries pairs of S × D nodes, S ≤ r or D ≤ r, and S is made of whole switches, whose nodes all take the same way to a
 * destination; so u·max(g·(n − h), r·h) ≥ P, g the largest sum of whole switches' nodes ≤ r.
 *
 * <p>Hence r is at least the smaller of the least sum of whole switches' nodes ≥ P/(u·(n − h)), and P/(u·h) rounded up. For
 * a leaf of h nodes and u cables, all pairs routed: min(h, ⌈(n − h)/u⌉). P is h·(n − h), less all pairs without a route.
 * Each region of {@link Cuts} is looked at from both sides. Time: O(switches with nodes × (nodes per port out + most nodes
 * of a switch)) a layer.
 */
final class AllToAllLeast {
    private final ArrivingRoutes routes;

    AllToAllLeast(ArrivingRoutes routes) {
        this.routes = routes;
    }

    /** The highest of all cuts; 0 if no pair has a route. */
    int least() {
        int n = routes.nodeCount();
        int least = (long) n * (n - 1) > routes.unroutedPairs() ? 1 : 0;
        Cuts cuts = new Cuts(routes.channels, routes.source);
        for (int[] layer : cuts.region) {
            List<List<Integer>> inside = insides(layer, cuts.count());
            for (int region = 0; region < inside.size(); region++) {
                int[] hosts = hosts(inside.get(region));
                int h = Arrays.stream(hosts).sum();
                int there = region;
                least = Math.max(least, least(h, cuts.portsOut[region], () -> hosts));
                least = Math.max(least, least(n - h, cuts.portsIn[region], () -> outside(layer, there)));
            }
        }
        return least;
    }

    /** Switches with nodes of each region. */
    private List<List<Integer>> insides(int[] layer, int regions) {
        List<List<Integer>> insides = new ArrayList<>();
        for (int region = 0; region < regions; region++) {
            insides.add(new ArrayList<>(1));
        }
        for (int s : routes.source) {
            if (layer[s] >= 0) {
                insides.get(layer[s]).add(s);
            }
        }
        return insides;
    }

    private int[] hosts(List<Integer> switches) {
        return switches.stream().mapToInt(s -> routes.hosts[s]).toArray();
    }

    private int[] outside(int[] layer, int region) {
        return Arrays.stream(routes.source)
                .filter(s -> layer[s] != region)
                .map(s -> routes.hosts[s])
                .toArray();
    }

    /**
     * @param h nodes on the side of the sources
     * @param ports that lead to the other side
     * @param hosts how many of the nodes each switch there has
     */
    private int least(int h, int ports, Supplier<int[]> hosts) {
        long others = (long) routes.nodeCount() - h;
        long pairs = h * others - routes.unroutedPairs();
        if (pairs <= 0) {
            return 0;
        }
        int few = (int) share(pairs, ports * others);
        int most = (int) share(pairs, (long) ports * h);
        return few >= most ? most : Math.min(most, leastSum(hosts.get(), few));
    }

    private static long share(long pairs, long by) {
        return (pairs + by - 1) / by;
    }

    /** The least sum of some of the numbers that is {@code few} or more; all together are. */
    private static int leastSum(int[] numbers, int few) {
        int most = few + Arrays.stream(numbers).max().orElse(0);
        boolean[] sum = new boolean[most + 1];
        sum[0] = true;
        for (int number : numbers) {
            for (int at = most; at >= number; at--) {
                sum[at] |= sum[at - number];
            }
        }
        int least = few;
        while (!sum[least]) {
            least++;
        }
        return least;
    }
}

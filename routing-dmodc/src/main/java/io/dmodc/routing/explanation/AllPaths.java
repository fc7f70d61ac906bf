package io.dmodc.routing.explanation;

import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.explanation.RouteExplanation.Candidate;
import io.dmodc.topology.FabricView;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Every shortest legal path from a switch to a node: at each switch on the way all ports that lead closer (P_{s,d},
 * equation (2) of Gliksberg et al., strict candidates), of which a packet may take any.
 *
 * <p>Each port leads one hop closer, so no choice makes a circle, and a switch is met at one hop only. Paths differ
 * if a cable does: parallel cables make paths of their own. O(ports of the switches met).
 *
 * @param from switch the paths begin at
 * @param node index of the node
 * @param home switch of the node; −1 where the index has no host at present
 * @param hops cables between switches on each path; −1 where there is none
 * @param paths how many there are
 * @param steps the switches on the way, by hop, then by switch index; empty where there is no path
 */
public record AllPaths(int from, int node, int home, int hops, BigInteger paths, List<Step> steps) {
    /**
     * One switch on the way.
     *
     * @param hop cables from the first switch
     * @param candidates port groups that lead closer; none at the node's own switch
     * @param paths from here on
     */
    public record Step(int hop, int s, List<Candidate> candidates, BigInteger paths) {
        public Step {
            candidates = List.copyOf(candidates);
        }
    }

    public AllPaths {
        steps = List.copyOf(steps);
    }

    /**
     * Finds them.
     *
     * @param known strict costs of this view
     */
    public static AllPaths of(FabricView view, CostsAndDividers known, int from, int node) {
        int home = view.nodeSwitch(node);
        if (home < 0 || known.alternatives(from, node).length == 0) {
            return new AllPaths(from, node, home, -1, BigInteger.ZERO, List.of());
        }
        List<SortedSet<Integer>> met = new ArrayList<>();
        Map<Integer, List<Candidate>> candidates = new HashMap<>();
        SortedSet<Integer> next = new TreeSet<>(List.of(from));
        while (!next.isEmpty()) {
            met.add(next);
            next = new TreeSet<>();
            for (int s : met.get(met.size() - 1)) {
                List<Candidate> closer =
                        s == home ? List.of() : RouteExplainer.grouped(view, s, known.alternatives(s, node));
                candidates.put(s, closer);
                for (Candidate candidate : closer) {
                    next.add(candidate.remote());
                }
            }
        }
        return counted(from, node, home, met, candidates);
    }

    private static AllPaths counted(
            int from, int node, int home, List<SortedSet<Integer>> met, Map<Integer, List<Candidate>> candidates) {
        Map<Integer, BigInteger> paths = new HashMap<>(Map.of(home, BigInteger.ONE));
        List<Step> steps = new ArrayList<>();
        for (int hop = met.size() - 1; hop >= 0; hop--) {
            List<Step> ofHop = new ArrayList<>();
            for (int s : met.get(hop)) {
                List<Candidate> closer = candidates.getOrDefault(s, List.of());
                for (Candidate candidate : closer) {
                    BigInteger beyond = paths.getOrDefault(candidate.remote(), BigInteger.ZERO);
                    BigInteger here =
                            BigInteger.valueOf(candidate.ports().size()).multiply(beyond);
                    paths.merge(s, here, BigInteger::add);
                }
                ofHop.add(new Step(hop, s, closer, paths.getOrDefault(s, BigInteger.ZERO)));
            }
            steps.addAll(0, ofHop);
        }
        return new AllPaths(from, node, home, met.size() - 1, paths.getOrDefault(from, BigInteger.ZERO), steps);
    }
}

package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * What Dmodc knows of a view before it writes tables, and all it needs to answer for single destinations.
 *
 * <p>Immutable once handed out, safe to share between threads. Keeps the view alive.
 */
public final class CostsAndDividers {
    /** Cost where no legal path exists. */
    public static final int UNREACHABLE = CostLayers.UNREACHABLE;

    private final FabricView view;
    private final DmodcForm form;
    private final CostLayers costs;
    private final Dividers dividers;

    private CostsAndDividers(FabricView view, TargetColumns targetColumns, DmodcForm form) {
        this.view = view;
        this.form = form;
        this.costs = new CostLayers(view, targetColumns, form.order);
        this.dividers = new Dividers(view);
    }

    /** Finds all of a view. */
    static CostsAndDividers compute(FabricView view, TargetColumns targetColumns, DmodcForm form, Parallel parallel) {
        CostsAndDividers known = new CostsAndDividers(view, targetColumns, form);
        int[] all = DmodcRerouter.allSwitches(view);
        known.costs.update(view, all, parallel);
        known.dividers.update(view, all, known.costs);
        return known;
    }

    /**
     * Least hops from a switch to a target over up–down paths (c_{s,l}), or {@link #UNREACHABLE}.
     *
     * @param target 0..{@link FabricView#targetCount()}−1
     */
    public int cost(int s, int target) {
        return costs.cost(s, target);
    }

    /** How many consecutive destinations leave the switch through one port (Π_s). */
    public int divider(int s) {
        return dividers.of(s);
    }

    /**
     * By what the choice among the ports for a node is counted: Π_s, or Π↓_s of {@code dmodc} where a path only descends
     * and more than one port group leads there.
     *
     * @param groups how many port groups lead closer, #C
     */
    public int divider(int s, int node, int groups) {
        int home = view.nodeSwitch(node);
        boolean descends = home >= 0 && costs.routes(s) && costs.turn(s, view.targetOfSwitch(home)) == view.rank(s);
        return form.hasDescentDivider() && descends && groups > 1 ? dividers.descent(s) : dividers.of(s);
    }

    /**
     * All ports that lead closer to a node (P_{s,d}, equation (2)), the table's own among them.
     *
     * <p>In the order of equation (3): groups as the form orders them, ports ascending within. At the node's own
     * switch only the node's port. Empty where the table has no route.
     */
    public int[] alternatives(int s, int node) {
        int home = view.nodeSwitch(node);
        if (home < 0 || !costs.routes(s)) {
            return new int[0];
        }
        return home == s ? new int[] {view.nodePort(node)} : ports(s, view.targetOfSwitch(home));
    }

    private int[] ports(int s, int target) {
        int turn = costs.turn(s, target);
        int[] ports = new int[view.portCount(s)];
        int count = 0;
        for (int g : view.groups(s, form.order)) {
            if (isCandidate(g, s, turn, target)) {
                for (int i = 0; i < view.groupSize(g); i++) {
                    ports[count++] = view.groupPort(g, i);
                }
            }
        }
        return Arrays.copyOf(ports, count);
    }

    private boolean isCandidate(int g, int s, int turn, int target) {
        int remote = view.groupRemote(g);
        int limit = costs.routes(remote)
                ? form.rule.turnLimit(turn, view.rank(s), view.rank(remote), costs.rankMax())
                : CandidateRule.NONE;
        return limit != CandidateRule.NONE && costs.reaches(remote, limit, target);
    }
}

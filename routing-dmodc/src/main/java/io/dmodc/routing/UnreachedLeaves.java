package io.dmodc.routing;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells a complete routing from a partial one and names the leaves that make the difference: all dead ones, and of the
 * live ones a small set that every pair without a path has a member of. Greedy: most partners out of reach first, then
 * the lowest target index. O(leaves²) to look, O(leaves) more for each leaf named, O(upper targets × targets) for pairs
 * with a switch above the leaves.
 */
public final class UnreachedLeaves {
    /** Whether packets of a switch's hosts reach those of another. */
    @FunctionalInterface
    public interface Reach {
        /** Both are switch indices of live switches with hosts; each reaches itself. */
        boolean reaches(int from, int to);
    }

    private final Reach reach;
    private final List<Integer> live = new ArrayList<>();
    private final List<Integer> named = new ArrayList<>();

    private UnreachedLeaves(FabricView view, Reach reach) {
        this.reach = reach;
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            int s = view.targetSwitch(leaf);
            (view.alive(s) ? live : named).add(s);
        }
    }

    /** Why there is nothing to route between, if no leaf is alive. */
    public static Optional<String> noLeaf(FabricView view) {
        for (int leaf = 0; leaf < view.leafCount(); leaf++) {
            if (view.alive(view.targetSwitch(leaf))) {
                return Optional.empty();
            }
        }
        return Optional.of("none of " + view.leafCount() + " leaf switches is alive");
    }

    /** Complete or partial, where every live leaf reaches every other. */
    public static RoutingResult verdict(FabricView view, Tables tables) {
        UnreachedLeaves unreached = new UnreachedLeaves(view, (from, to) -> true);
        Collections.sort(unreached.named);
        return unreached.result(tables, 0, UpperPairs.NONE);
    }

    /** Complete or partial, by which leaves have a path to which; hosts elsewhere are not asked for. */
    public static RoutingResult verdictOfLeaves(FabricView view, Reach reach, Tables tables) {
        UnreachedLeaves unreached = new UnreachedLeaves(view, reach);
        long pairs = unreached.cover();
        Collections.sort(unreached.named);
        return unreached.result(tables, pairs, UpperPairs.NONE);
    }

    /** Complete or partial, by which switches with hosts have a path to which; parts that were never cabled together need none. */
    public static RoutingResult verdict(FabricView view, Reach reach, Tables tables) {
        UnreachedLeaves unreached =
                new UnreachedLeaves(view, (from, to) -> !view.belongTogether(from, to) || reach.reaches(from, to));
        long pairs = unreached.cover();
        Collections.sort(unreached.named);
        return unreached.result(tables, pairs, unreached.upperPairs(view));
    }

    private RoutingResult result(Tables tables, long pairs, UpperPairs upper) {
        return named.isEmpty() && upper.isEmpty()
                ? new RoutingResult.Complete(tables)
                : new RoutingResult.Partial(tables, named, pairs, upper);
    }

    private UpperPairs upperPairs(FabricView view) {
        Set<Integer> cutOff = new HashSet<>(named);
        UpperPairs.Counter pairs = new UpperPairs.Counter();
        for (int target = view.leafCount(); target < view.hostTargetCount(); target++) {
            int s = view.targetSwitch(target);
            for (int other = 0; view.alive(s) && other < view.hostTargetCount(); other++) {
                int far = view.targetSwitch(other);
                if (view.alive(far) && (other < view.leafCount() || other > target)) {
                    int missing = (reach.reaches(s, far) ? 0 : 1) + (reach.reaches(far, s) ? 0 : 1);
                    if (missing > 0) {
                        pairs.add(s, far, missing, cutOff.contains(far));
                    }
                }
            }
        }
        return pairs.result();
    }

    /** Names leaves until no pair is left; returns how many pairs there were. */
    private long cover() {
        int[] missing = new int[live.size()];
        long pairs = 0;
        for (int i = 0; i < missing.length; i++) {
            for (int other : live) {
                missing[i] += reach.reaches(live.get(i), other) ? 0 : 1;
            }
            pairs += missing[i];
        }
        for (int worst = highest(missing); worst >= 0; worst = highest(missing)) {
            named.add(live.get(worst));
            missing[worst] = 0;
            for (int i = 0; i < missing.length; i++) {
                missing[i] -= missing[i] > 0 && !reach.reaches(live.get(i), live.get(worst)) ? 1 : 0;
            }
        }
        return pairs;
    }

    /** Place of the highest positive number, the first of several; −1 if there is none. */
    private static int highest(int[] missing) {
        int highest = -1;
        for (int i = 0; i < missing.length; i++) {
            if (missing[i] > (highest < 0 ? 0 : missing[highest])) {
                highest = i;
            }
        }
        return highest;
    }
}

package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Costs c_{s,t} of all switches to all targets, kept as sets instead of numbers (Procedure 1, section 3.2).
 *
 * <p><b>Idea.</b> A legal path climbs from rank(s) to its turn rank k and descends to rank(t), in
 * {@code 2k − rank(s) − rank(t)} hops. So a cost is a lowest turn rank, and "which targets does s reach turning at rank
 * k or below" is one bit set, a layer. The minimum of Procedure 1 becomes OR, 64 targets at a time. The layer of turn
 * rank rank(s), the targets below s, is the OR of what the switches below have below them, and s itself; each further
 * layer is the OR of the same layer of the switches above.
 *
 * <p><b>Sides.</b> Layers depend on nothing but the neighbours on one side. Switches with the same neighbours below
 * (all cores of a plane), or above (all leaves of a pod), share one {@link Side} and its bits.
 *
 * <p><b>After a fault</b> only sides that are new, or behind which bits changed, are looked at, and of the latter only
 * the targets that changed. {@link #belowChanged} and {@link #aboveChanged} tell what came of it.
 *
 * <p><b>Threads.</b> Sides of one rank are found at once, with a barrier between ranks; {@link #update} itself is for
 * one thread. In between, safe to read from any thread.
 */
final class CostLayers {
    /** Cost where no legal path exists. */
    static final int UNREACHABLE = 255;

    private static final int[] NOBODY = {};

    private final TargetColumns targetColumns;
    private final int rankMax;
    private final int words;
    private final TargetSet all;

    private final Sides sides;
    private FabricView view;
    private final RankQueue climbing;
    private final RankQueue descending;
    private final TargetSet[] belowChanged;
    private final TargetSet[] aboveChanged;

    /** Knows nothing of any switch until the first {@link #update}. */
    CostLayers(FabricView view, TargetColumns targetColumns, GroupOrder order) {
        this.view = view;
        this.targetColumns = targetColumns;
        int switchCount = view.switchCount();
        rankMax = view.rankMax();
        words = (targetColumns.targetCount() + 63) / 64;
        all = TargetSet.all(words);
        sides = new Sides(view, targetColumns, order);
        climbing = new RankQueue(switchCount, Math.max(rankMax, 0));
        descending = new RankQueue(switchCount, Math.max(rankMax, 0));
        belowChanged = new TargetSet[switchCount];
        aboveChanged = new TargetSet[switchCount];
        Arrays.fill(belowChanged, TargetSet.NONE);
        Arrays.fill(aboveChanged, TargetSet.NONE);
    }

    /**
     * One sweep up and one down, a barrier per rank (Procedure 1).
     *
     * @param newView with the same switches, ranks and targets as the view before
     * @param switches those whose neighbours or liveness are not as in the last update; all of them the first time
     */
    void update(FabricView newView, int[] switches, Parallel parallel) {
        view = newView;
        forget();
        sides.update(newView, switches);
        for (int s : switches) {
            if (routes(s)) {
                climbing.add(s, view.rank(s));
                descending.add(s, view.rank(s));
            }
        }
        for (int rank = 0; rank <= rankMax; rank++) {
            climb(rank, parallel);
        }
        for (int rank = rankMax; rank >= 0; rank--) {
            descend(rank, parallel);
        }
    }

    private void forget() {
        for (int rank = 0; rank <= rankMax; rank++) {
            forget(climbing, rank);
            forget(descending, rank);
        }
        climbing.clear();
        descending.clear();
    }

    private void forget(RankQueue queue, int rank) {
        for (int i = 0; i < queue.count(rank); i++) {
            belowChanged[queue.get(rank, i)] = TargetSet.NONE;
            aboveChanged[queue.get(rank, i)] = TargetSet.NONE;
        }
    }

    private void climb(int rank, Parallel parallel) {
        look(climbing, rank, sides::below, this::findBelow, parallel);
        for (int i = 0; i < climbing.count(rank); i++) {
            int s = climbing.get(rank, i);
            belowChanged[s] = sides.changedBelow(s);
            if (!belowChanged[s].isEmpty() && !sides.allGiven()) {
                queueAround(s, rank);
            }
        }
    }

    private void queueAround(int s, int rank) {
        for (int remote : remotesAbove(s)) {
            climbing.add(remote, rank + 1);
        }
        queueBelow(s, rank);
    }

    private void queueBelow(int s, int rank) {
        for (int remote : remotesBelow(s)) {
            descending.add(remote, rank - 1);
        }
    }

    private void descend(int rank, Parallel parallel) {
        TargetSet changedAbove = changedOn(rank + 1);
        look(descending, rank, sides::above, side -> findAbove(side, rank, changedAbove), parallel);
        for (int i = 0; i < descending.count(rank); i++) {
            int s = descending.get(rank, i);
            aboveChanged[s] = sides.changedAbove(s);
            if (!aboveChanged[s].isEmpty() && !sides.allGiven()) {
                queueBelow(s, rank);
            }
        }
    }

    /** Finds the bits of each side of the queued switches once; of a leaf's at once, there is nothing to it. */
    private void look(
            RankQueue queue, int rank, IntFunction<@Nullable Side> sideOf, Consumer<Side> finder, Parallel parallel) {
        List<Side> due = new ArrayList<>();
        for (int i = 0; i < queue.count(rank); i++) {
            Side side = sideOf.apply(queue.get(rank, i));
            if (side != null && sides.isDue(side)) {
                if (side.remotes.length == 0) {
                    finder.accept(side);
                } else {
                    due.add(side);
                }
            }
        }
        WorkSplitter.forEach(due.size(), i -> finder.accept(due.get(i)), parallel);
    }

    /** First layer: the switch itself and what the switches below have below them. */
    private void findBelow(Side side) {
        if (side.isOwnAlone()) {
            sides.keepOwn(side);
            return;
        }
        long[] bits = new long[words];
        if (side.own >= 0) {
            bits[side.own >> 6] |= 1L << side.own;
        }
        for (int remote : side.remotes) {
            addBelow(known(sides.below(remote)), bits);
        }
        sides.keep(side, bits);
    }

    private static void addBelow(Side side, long[] bits) {
        if (side.isOwnAlone()) {
            bits[side.own >> 6] |= 1L << side.own;
            return;
        }
        LayerBits more = side.bits();
        for (int w = more.from; w < more.to; w++) {
            bits[w] |= more.words[more.at + w];
        }
    }

    /**
     * Further layers: what the switches above reach turning no higher.
     *
     * @param changedAbove targets for which any of these may have changed
     */
    private void findAbove(Side side, int rank, TargetSet changedAbove) {
        if (!side.isNew()) {
            findChangedAbove(side, rank, changedAbove);
            return;
        }
        long[] found = new long[(rankMax - rank) * words];
        for (int remote : side.remotes) {
            for (int layer = 0; layer < rankMax - rank; layer++) {
                LayerBits behind = bits(remote, rank + 1 + layer);
                int from = layerAt(remote, rank + 1 + layer);
                for (int w = 0; w < words; w++) {
                    found[layer * words + w] |= behind.words[from + w];
                }
            }
        }
        sides.keep(side, found);
    }

    /** Most targets are still reached by the first switch asked; the first layer is that of the switches' first layers alone. */
    private void findChangedAbove(Side side, int rank, TargetSet changedAbove) {
        boolean firstChanged = isBelowChangedAt(side.remotes);
        long[] found = new long[(rankMax - rank) * changedAbove.count()];
        for (int i = 0; i < found.length; i++) {
            int layer = i / changedAbove.count();
            int w = changedAbove.word(i % changedAbove.count());
            long asked = layer > 0 || firstChanged ? changedAbove.bits(i % changedAbove.count()) : 0;
            long known = side.bits().words[side.bits().at + layer * words + w];
            found[i] = (known & ~asked) | reached(side.remotes, rank + 1 + layer, w, asked);
        }
        sides.keep(side, changedAbove, found);
    }

    /** Which of some targets of a word any of the switches reaches turning at this rank or below. */
    private long reached(int[] remotes, int turn, int w, long targets) {
        long reached = 0;
        for (int i = 0; i < remotes.length && reached != targets; i++) {
            reached |= layer(remotes[i], turn)[layerAt(remotes[i], turn) + w] & targets;
        }
        return reached;
    }

    private boolean isBelowChangedAt(int[] remotes) {
        for (int remote : remotes) {
            if (!belowChanged[remote].isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Targets for which the update changed any layer of any switch of a rank, once all of these are found. */
    private TargetSet changedOn(int rank) {
        if (rank > rankMax || sides.allGiven()) {
            return rank > rankMax ? TargetSet.NONE : all;
        }
        long[] changed = new long[words];
        for (int i = 0; i < climbing.count(rank); i++) {
            belowChanged[climbing.get(rank, i)].addTo(changed);
        }
        for (int i = 0; i < descending.count(rank); i++) {
            aboveChanged[descending.get(rank, i)].addTo(changed);
        }
        return TargetSet.of(changed);
    }

    /** Targets for which the last update changed any layer of any of these switches. */
    TargetSet changedAt(int[] remotes) {
        long[] changed = new long[words];
        for (int remote : remotes) {
            belowChanged[remote].addTo(changed);
            aboveChanged[remote].addTo(changed);
        }
        return TargetSet.of(changed);
    }

    /** True if the last update changed a layer of one of these switches. */
    boolean isChangedAt(int[] remotes) {
        for (int remote : remotes) {
            if (!belowChanged[remote].isEmpty() || !aboveChanged[remote].isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Below s, for a switch that {@link #routes}. */
    @Nullable
    Side below(int s) {
        return sides.below(s);
    }

    /** Below a switch that {@link #routes}. */
    Side routedBelow(int s) {
        return known(sides.below(s));
    }

    /** Above s; null if there is no neighbour. */
    @Nullable
    Side above(int s) {
        return sides.above(s);
    }

    /** Ports to the neighbours above, or below a switch that {@link #routes}. */
    SidePorts ports(int s, boolean up) {
        return sides.ports(s, up);
    }

    /** Neighbours below s, each once, however many links lead there; read only. */
    int[] remotesBelow(int s) {
        return remotes(sides.below(s));
    }

    /** The same above. */
    int[] remotesAbove(int s) {
        return remotes(sides.above(s));
    }

    private static int[] remotes(@Nullable Side side) {
        return side == null ? NOBODY : side.remotes;
    }

    private static Side known(@Nullable Side side) {
        if (side == null) {
            throw new IllegalStateException("a neighbour that takes no part in routing");
        }
        return side;
    }

    /** True if the switch is alive and ranked: only such switches are on any path. */
    boolean routes(int s) {
        return sides.routes(s);
    }

    /** Longs of a layer; bit t of a layer is {@code t % 64} of long {@code t / 64}. */
    int words() {
        return words;
    }

    TargetSet allTargets() {
        return all;
    }

    int rankMax() {
        return rankMax;
    }

    /**
     * The layer of a switch that {@link #routes} begins at {@link #layerAt} of this array: read only.
     *
     * @param turn in rank(s)..rankMax
     */
    long[] layer(int s, int turn) {
        return bits(s, turn).words;
    }

    int layerAt(int s, int turn) {
        return bits(s, turn).at + further(s, turn) * words;
    }

    /** Layers before this one in the bits that have it. */
    private int further(int s, int turn) {
        return sides.above(s) == null ? 0 : Math.max(turn - view.rank(s) - 1, 0);
    }

    private LayerBits bits(int s, int turn) {
        Side side = turn == view.rank(s) ? null : sides.above(s);
        return known(side == null ? sides.below(s) : side).bits();
    }

    /** Targets for which the last update changed the first layer. */
    TargetSet belowChanged(int s) {
        return belowChanged[s];
    }

    /** Visits the switches with a layer that the last update changed. */
    void forEachChanged(IntConsumer visitor) {
        for (int rank = 0; rank <= rankMax; rank++) {
            for (int i = 0; i < climbing.count(rank); i++) {
                int s = climbing.get(rank, i);
                if (!belowChanged[s].isEmpty()) {
                    visitor.accept(s);
                }
            }
            for (int i = 0; i < descending.count(rank); i++) {
                int s = descending.get(rank, i);
                if (!aboveChanged[s].isEmpty() && belowChanged[s].isEmpty()) {
                    visitor.accept(s);
                }
            }
        }
    }

    /** True if the last update changed a layer of a live switch that is a target. */
    boolean isChangedAtTarget() {
        boolean[] changed = new boolean[1];
        forEachChanged(s -> changed[0] |= targetColumns.switchTarget[s] >= 0);
        return changed[0];
    }

    /** True if s reaches the target turning at this rank or below; {@code turn} is in rank(s)..rankMax. */
    boolean reaches(int s, int turn, int target) {
        return (layer(s, turn)[layerAt(s, turn) + (target >> 6)] >>> target & 1) != 0;
    }

    /** Lowest rank at which a path from s to the target turns; {@code rankMax + 1} if there is none. */
    int turn(int s, int target) {
        int turn = view.rank(s);
        while (turn <= rankMax && !reaches(s, turn, target)) {
            turn++;
        }
        return turn;
    }

    /** Hops of a shortest legal path, or {@link #UNREACHABLE}. */
    int cost(int s, int target) {
        int turn = routes(s) ? turn(s, target) : rankMax + 1;
        return turn > rankMax ? UNREACHABLE : 2 * turn - view.rank(s) - view.rank(targetColumns.targetSwitch[target]);
    }
}

package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NeighbourReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
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
 * the words that changed. {@link #belowChanged} and {@link #aboveChanged} tell what came of it.
 *
 * <p><b>Threads.</b> Sides of one rank are found at once, with a barrier between ranks; {@link #update} itself is for
 * one thread. In between, safe to read from any thread.
 */
final class CostLayers {
    /** Cost where no legal path exists. */
    static final int UNREACHABLE = 255;

    /** What switches with the same neighbours on one side have there. */
    static final class Side {
        /** A number that no other side has. */
        final int id;

        /** Switch indices, in the order of groups. */
        final int[] remotes;

        /** Target of the switch itself, or −1. Only below. */
        final int own;

        private final IntKey key;

        /** Switches that share it. */
        private int members;

        /** Update in which the bits were last looked at, and what they were before it. */
        private long stamp;

        private long[] bits = {};
        private long[] before = {};

        /** Targets for which the last update changed a layer. */
        private TargetSet changed = TargetSet.NONE;

        private Side(int id, IntKey key) {
            this.id = id;
            this.key = key;
            own = key.values[0];
            remotes = Arrays.copyOfRange(key.values, 1, key.count);
        }

        private boolean isNew() {
            return bits.length == 0;
        }

        private long[] bitsBefore(long update) {
            return stamp == update ? before : bits;
        }
    }

    private final TargetColumns targetColumns;
    private final int rankMax;
    private final int words;
    private final TargetSet all;

    private FabricView view;
    private long updates;

    private final @Nullable Side[] below;

    /** Null for switches that have no neighbour above: their layers are all the same. */
    private final @Nullable Side[] above;

    private final Interner<Side> sidesBelow = new Interner<>();
    private final Interner<Side> sidesAbove = new Interner<>();
    private final NeighbourReader neighbours;
    private final IntKey probe = new IntKey(1 + FabricView.PORT_MAX);
    private int nextId;

    private final RankQueue climbing;
    private final RankQueue descending;
    private final TargetSet[] belowChanged;
    private final TargetSet[] aboveChanged;
    private final @Nullable Side[] belowBefore;
    private final @Nullable Side[] aboveBefore;

    /** Switches given to the last update. */
    private int[] given = {};

    private final boolean[] moved;

    /** Knows nothing of any switch until the first {@link #update}. */
    CostLayers(FabricView view, TargetColumns targetColumns, GroupOrder order) {
        this.view = view;
        neighbours = new NeighbourReader(order);
        this.targetColumns = targetColumns;
        int switchCount = view.switchCount();
        rankMax = view.rankMax();
        words = (targetColumns.targetCount() + 63) / 64;
        all = TargetSet.all(words);
        below = new Side[switchCount];
        above = new Side[switchCount];
        belowBefore = new Side[switchCount];
        aboveBefore = new Side[switchCount];
        climbing = new RankQueue(switchCount, Math.max(rankMax, 0));
        descending = new RankQueue(switchCount, Math.max(rankMax, 0));
        moved = new boolean[switchCount];
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
        updates++;
        forget();
        given = switches;
        for (int s : switches) {
            moved[s] = true;
            belowBefore[s] = below[s];
            aboveBefore[s] = above[s];
            neighbours.readRemotes(view, s);
            below[s] = replace(below[s], find(sidesBelow, s, false), sidesBelow);
            above[s] = replace(above[s], find(sidesAbove, s, true), sidesAbove);
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
        for (int s : given) {
            moved[s] = false;
            belowBefore[s] = null;
            aboveBefore[s] = null;
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

    /** After the neighbours of s were read. */
    private @Nullable Side find(Interner<Side> sides, int s, boolean up) {
        int count = neighbours.count(up);
        if (!routes(s) || (up && count == 0)) {
            return null;
        }
        probe.values[0] = up ? -1 : targetColumns.switchTarget[s];
        System.arraycopy(neighbours.values(up), 0, probe.values, 1, count);
        probe.count = 1 + count;
        return sides.find(probe, key -> new Side(nextId++, key));
    }

    private static @Nullable Side replace(@Nullable Side old, @Nullable Side now, Interner<Side> sides) {
        if (now != null) {
            now.members++;
        }
        if (old != null && --old.members == 0) {
            sides.remove(old.key);
        }
        return now;
    }

    private void climb(int rank, Parallel parallel) {
        look(climbing, rank, below, this::findBelow, parallel);
        for (int i = 0; i < climbing.count(rank); i++) {
            int s = climbing.get(rank, i);
            belowChanged[s] = moved[s] ? difference(belowBefore[s], below[s]) : changed(below[s]);
            if (!belowChanged[s].isEmpty() && !all()) {
                queueAround(s, rank);
            }
        }
    }

    /** True if every switch is looked at anyway. */
    private boolean all() {
        return given.length == below.length;
    }

    private void queueAround(int s, int rank) {
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            if (view.isUp(s, remote)) {
                climbing.add(remote, rank + 1);
            } else if (view.isDown(s, remote)) {
                descending.add(remote, rank - 1);
            }
        }
    }

    private void descend(int rank, Parallel parallel) {
        look(descending, rank, above, side -> findAbove(side, rank), parallel);
        for (int i = 0; i < descending.count(rank); i++) {
            int s = descending.get(rank, i);
            aboveChanged[s] = moved[s] ? difference(aboveBefore[s], above[s]) : changed(above[s]);
            if (!aboveChanged[s].isEmpty() && !all()) {
                for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
                    if (view.isDown(s, view.groupRemote(g))) {
                        descending.add(view.groupRemote(g), rank - 1);
                    }
                }
            }
        }
    }

    private static TargetSet changed(@Nullable Side side) {
        return side == null ? TargetSet.NONE : side.changed;
    }

    private TargetSet difference(@Nullable Side old, @Nullable Side now) {
        if (old == null || now == null) {
            return old == now ? TargetSet.NONE : all;
        }
        return differing(old.bitsBefore(updates), now.bits);
    }

    /** Finds the bits of each side of the queued switches once; of a leaf's at once, there is nothing to it. */
    private void look(RankQueue queue, int rank, @Nullable Side[] sides, Consumer<Side> finder, Parallel parallel) {
        List<Side> due = new ArrayList<>();
        for (int i = 0; i < queue.count(rank); i++) {
            Side side = sides[queue.get(rank, i)];
            if (side != null && side.stamp != updates) {
                side.stamp = updates;
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
        long[] bits = new long[words];
        if (side.own >= 0) {
            bits[side.own >> 6] |= 1L << side.own;
        }
        for (int remote : side.remotes) {
            long[] from = bits(below[remote]);
            for (int w = 0; w < words; w++) {
                bits[w] |= from[w];
            }
        }
        keep(side, bits);
    }

    /** Further layers: what the switches above reach turning no higher. */
    private void findAbove(Side side, int rank) {
        int layers = rankMax - rank;
        TargetSet due = side.isNew() ? all : changedAt(side.remotes);
        long[] bits = side.isNew() ? new long[layers * words] : side.bits.clone();
        for (int turn = rank + 1; turn <= rankMax; turn++) {
            int at = (turn - rank - 1) * words;
            for (int i = 0; i < due.count(); i++) {
                bits[at + due.word(i)] = 0;
            }
            for (int remote : side.remotes) {
                long[] from = layer(remote, turn);
                int fromAt = layerAt(remote, turn);
                for (int i = 0; i < due.count(); i++) {
                    int w = due.word(i);
                    bits[at + w] |= from[fromAt + w];
                }
            }
        }
        keep(side, bits);
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

    private void keep(Side side, long[] bits) {
        side.changed = side.isNew() ? all : differing(side.bits, bits);
        side.before = side.bits;
        side.bits = bits;
    }

    /** Targets that differ in any of the layers; all of them if there were not as many layers. */
    private TargetSet differing(long[] old, long[] now) {
        if (old.length != now.length) {
            return all;
        }
        int first = Arrays.mismatch(old, now);
        if (first < 0) {
            return TargetSet.NONE;
        }
        long[] changed = new long[words];
        for (int i = first; i < now.length; i++) {
            changed[i % words] |= old[i] ^ now[i];
        }
        return TargetSet.of(changed);
    }

    /** Below s, for a switch that {@link #routes}. */
    @Nullable
    Side below(int s) {
        return below[s];
    }

    /** Above s; null if there is no neighbour. */
    @Nullable
    Side above(int s) {
        return above[s];
    }

    /** The layer of the targets below, of all switches with this side: read only. */
    static long[] bitsBelow(Side below) {
        return below.bits;
    }

    private static long[] bits(@Nullable Side side) {
        if (side == null) {
            throw new IllegalStateException("a neighbour that takes no part in routing");
        }
        return side.bits;
    }

    /** True if the switch is alive and ranked: only such switches are on any path. */
    boolean routes(int s) {
        return view.alive(s) && view.rank(s) >= 0;
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
        Side side = turn == view.rank(s) || above[s] == null ? below[s] : above[s];
        return bits(side);
    }

    int layerAt(int s, int turn) {
        return turn == view.rank(s) || above[s] == null ? 0 : (turn - view.rank(s) - 1) * words;
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

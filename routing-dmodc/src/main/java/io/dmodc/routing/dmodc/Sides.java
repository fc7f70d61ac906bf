package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NeighbourReader;
import org.jspecify.annotations.Nullable;

/**
 * The sides of all switches, each once, and what an update changes at them: switches get others when their neighbours
 * change, and sides get other bits. For one thread while it is updated; in between safe to read from any.
 */
final class Sides {
    private final TargetColumns targetColumns;
    private final TargetSet all;

    /** Longs of a layer. */
    private final int layerWords;

    private final long[][] ownBits = new long[Long.SIZE][0];
    private final @Nullable Side[] below;

    /** Null for switches that have no neighbour above: their layers are all the same. */
    private final @Nullable Side[] above;

    private final @Nullable SidePorts[] portsBelow;
    private final @Nullable SidePorts[] portsAbove;

    private final Interner<SidePorts> portListsBelow = new Interner<>();
    private final Interner<SidePorts> portListsAbove = new Interner<>();
    private final Interner<Side> sidesBelow = new Interner<>();
    private final Interner<Side> sidesAbove = new Interner<>();
    private final NeighbourReader neighbours;
    private final IntKey probe = new IntKey(1 + FabricView.PORT_MAX);
    private int nextId;

    private FabricView view;
    private long updates;

    /** Switches given to the last update, and the sides they had before it. */
    private int[] given = {};

    private final boolean[] isGiven;
    private final @Nullable Side[] belowBefore;
    private final @Nullable Side[] aboveBefore;

    /** No switch has one until the first {@link #update}. */
    Sides(FabricView view, TargetColumns targetColumns, GroupOrder order) {
        this.view = view;
        this.targetColumns = targetColumns;
        layerWords = (targetColumns.targetCount() + 63) / 64;
        all = TargetSet.all(layerWords);
        neighbours = new NeighbourReader(order);
        int switchCount = view.switchCount();
        below = new Side[switchCount];
        above = new Side[switchCount];
        portsBelow = new SidePorts[switchCount];
        portsAbove = new SidePorts[switchCount];
        isGiven = new boolean[switchCount];
        belowBefore = new Side[switchCount];
        aboveBefore = new Side[switchCount];
    }

    /** @param switches those whose neighbours or liveness are not as in the last update; all of them the first time */
    void update(FabricView newView, int[] switches) {
        view = newView;
        updates++;
        for (int s : given) {
            isGiven[s] = false;
            belowBefore[s] = null;
            aboveBefore[s] = null;
        }
        given = switches;
        for (int s : switches) {
            isGiven[s] = true;
            belowBefore[s] = below[s];
            aboveBefore[s] = above[s];
            neighbours.read(view, s);
            below[s] = Shared.replace(below[s], isOwnAlone(s) ? ownAlone(s) : find(sidesBelow, s, false), sidesBelow);
            above[s] = Shared.replace(above[s], find(sidesAbove, s, true), sidesAbove);
            portsBelow[s] = Shared.replace(portsBelow[s], findPorts(portListsBelow, s, false), portListsBelow);
            portsAbove[s] = Shared.replace(portsAbove[s], findPorts(portListsAbove, s, true), portListsAbove);
        }
    }

    /** After the neighbours of s were read: true if it routes, and is a target with nobody below. */
    private boolean isOwnAlone(int s) {
        return routes(s) && targetColumns.switchTarget[s] >= 0 && neighbours.count(false) == 0;
    }

    /** No two switches share it, and what it has never changes. */
    private Side ownAlone(int s) {
        Side old = below[s];
        if (old != null && old.isOwnAlone()) {
            return old;
        }
        probe.values[0] = targetColumns.switchTarget[s];
        probe.count = 1;
        return new Side(nextId++, probe.copy());
    }

    /** After the neighbours of s were read. */
    private @Nullable Side find(Interner<Side> sides, int s, boolean up) {
        int count = neighbours.count(up);
        if (!routes(s) || (up && count == 0)) {
            return null;
        }
        probe.values[0] = up ? -1 : targetColumns.switchTarget[s];
        System.arraycopy(neighbours.remotes(up), 0, probe.values, 1, count);
        probe.count = 1 + count;
        return sides.find(probe, key -> new Side(nextId++, key));
    }

    /** After the neighbours of s were read. */
    private @Nullable SidePorts findPorts(Interner<SidePorts> lists, int s, boolean up) {
        if (!routes(s)) {
            return null;
        }
        probe.count = neighbours.portCount(up);
        System.arraycopy(neighbours.ports(up), 0, probe.values, 0, probe.count);
        return lists.find(probe, key -> new SidePorts(nextId++, key));
    }

    /** True if the switch is alive and ranked: only such switches are on any path. */
    boolean routes(int s) {
        return view.alive(s) && view.rank(s) >= 0;
    }

    /** Ports to what is above, or below a switch that {@link #routes}. */
    SidePorts ports(int s, boolean up) {
        SidePorts ports = up ? portsAbove[s] : portsBelow[s];
        if (ports == null) {
            throw new IllegalStateException("a switch that takes no part in routing");
        }
        return ports;
    }

    /** True if every switch was given to the last update. */
    boolean allGiven() {
        return given.length == below.length;
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

    /** True the first time that it is asked for this side in an update. */
    boolean isDue(Side side) {
        boolean due = side.stamp != updates;
        side.stamp = updates;
        return due;
    }

    /** Targets for which the layers below s are not what they were before the last update, once its bits are found. */
    TargetSet changedBelow(int s) {
        return isGiven[s] ? difference(belowBefore[s], below[s]) : changed(below[s]);
    }

    /** The same of the layers above. */
    TargetSet changedAbove(int s) {
        return isGiven[s] ? difference(aboveBefore[s], above[s]) : changed(above[s]);
    }

    private static TargetSet changed(@Nullable Side side) {
        return side == null ? TargetSet.NONE : side.changed;
    }

    private TargetSet difference(@Nullable Side old, @Nullable Side now) {
        if (old == null || now == null) {
            return old == now ? TargetSet.NONE : all;
        }
        return differing(old.bitsBefore(updates), now.bits());
    }

    /** Gives a side bits anew. */
    void keep(Side side, long[] bits) {
        LayerBits now = new LayerBits(bits);
        side.keep(now, differing(side.bits(), now));
    }

    /**
     * Gives a side that is not new other bits for some targets.
     *
     * @param found its words for them, layer by layer
     */
    void keep(Side side, TargetSet targets, long[] found) {
        LayerBits now = side.bits().with(targets, found, layerWords);
        side.keep(now, differing(side.bits(), now));
    }

    /** Gives a side below that has no neighbours the bit of its own target. */
    void keepOwn(Side side) {
        LayerBits now = side.isNew() ? LayerBits.of(side.own, layerWords, ownBits) : side.bits();
        side.keep(now, differing(side.bits(), now));
    }

    /** Targets that differ in any of the layers; all of them if there were not as many layers. */
    private TargetSet differing(LayerBits old, LayerBits now) {
        return old.length == now.length ? now.differing(old, layerWords) : all;
    }
}

package io.dmodc.routing.rebalance;

/**
 * Finds the port to which an entry is best moved, by what all channels and shifts weigh afterwards. One worker's scratch.
 *
 * <p>The way from here and the one from another port that leads closer have as many hops, and what lies behind the switch where
 * they join does not change. What leaving the old way saves is found once for all ports, up to each hop; a new way is given
 * up as soon as it costs more than all of that.
 */
final class MoveSearch {
    private final ShiftLoads loads;
    private final AllToAllLimit allToAll;
    private final DestinationTree tree;

    /** The old way, and what is saved on its first hops: {@code saved[i]} on i of them. */
    private final int[] old;

    private final long[] saved;

    private int port;
    private long weightChange;

    MoveSearch(ShiftLoads loads, AllToAllLimit allToAll) {
        this.loads = loads;
        this.allToAll = allToAll;
        tree = new DestinationTree(loads);
        old = new int[2 * loads.view.rankMax() + 1];
        saved = new long[old.length + 1];
    }

    /** The switches on the way to the node that {@link #follow} was told. */
    DestinationTree tree() {
        return tree;
    }

    void follow(int d) {
        tree.follow(d);
    }

    /**
     * Looks for the move of an entry that saves most, the first of equal ones.
     *
     * @param s a switch of the tree
     * @param candidates ports that lead closer
     * @return false if none saves anything
     */
    boolean find(int s, int d, byte[] candidates) {
        int hops = leave(s, d);
        weightChange = 0;
        for (byte candidate : candidates) {
            int channel = loads.channel[s << 8 | (candidate & 0xff)];
            long change = channel == old[0] ? 0 : change(s, d, channel, hops);
            if (change < weightChange) {
                weightChange = change;
                port = candidate & 0xff;
            }
        }
        return weightChange < 0;
    }

    private int leave(int s, int d) {
        int hops = 0;
        for (int at = s; at != loads.home[d]; at = loads.peer[old[hops++]]) {
            old[hops] = loads.channel(at, d);
            saved[hops + 1] = saved[hops] + loads.leaving(old[hops], tree, s);
        }
        return hops;
    }

    /** What a move makes all weigh more; 0 if it is not allowed, or surely no better than the best so far. */
    private long change(int s, int d, int first, int hops) {
        long cost = 0;
        int now = first;
        boolean newDestination = true;
        for (int i = 0; i < hops; i++) {
            cost += loads.joining(now, tree, s, weightChange + saved[hops] - cost);
            if (cost - saved[hops] >= weightChange || !allToAll.allows(now, newDestination)) {
                return 0;
            }
            int next = loads.peer[now];
            if (next == loads.peer[old[i]]) {
                return cost - saved[i + 1];
            }
            newDestination = !tree.passes(next);
            now = loads.channel(next, d);
        }
        throw new IllegalStateException("the ways of node " + d + " from switch " + s + " do not join");
    }

    /** What the move found saves. */
    long saves() {
        return -weightChange;
    }

    /** Makes the move found. */
    void move(int s, int d) {
        allToAll.count(tree, d, -1);
        loads.move(tree, s, d, port);
        tree.follow(d);
        allToAll.count(tree, d, 1);
    }
}

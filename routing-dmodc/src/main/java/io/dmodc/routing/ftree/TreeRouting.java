package io.dmodc.routing.ftree;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Leads all switches of one tree to one destination after the other, and counts what each cable carries so that the next
 * one takes another.
 *
 * <p><b>Idea.</b> From the destination's switch climb to the root by the least used port at each step: that is the way
 * down for all who come over that root, and it is counted. From each switch on the way, descend by all its groups: what
 * is below comes up here, each taking the least used cable of its group. What no root of that way has below it comes
 * by the other groups up, which are followed last and not counted. A switch that has a way keeps it unless a shorter one comes.
 * Leaves with fewer hosts than others have dummies that are counted and lead nowhere, so that the n-th host of every leaf
 * goes over the same root.
 *
 * <p><b>Layout.</b> Counters by view group and by port place; one port and one hop count a switch for the destination at
 * hand, copied into rows when it is done. <b>Cost.</b> O(links) a destination, one after the other: each depends on the
 * counters all before it left. Recursion is as deep as the tree, up and down, and one more for each cable sideways.
 *
 * <p><b>Sources.</b> (1) Zahavi, Johnson, Kerbyson, Lang: Optimized InfiniBand fat-tree routing for shift all-to-all
 * communication patterns, 2010. (2) OpenSM 3.3.23 for order, counters and ties.
 */
final class TreeRouting {
    /** Longest way there is; OpenSM keeps hops in a byte. */
    private static final int HOPS_MAX = 254;

    private static final int NO_SWITCH = -1;

    private final FabricView view;
    private final LeafHosts hosts;
    private final Tree tree;

    /** Destinations that use a group or a port to come down, and switches led up by it; ports by {@link #place}. */
    private final int[] groupDown;

    private final int[] groupUp;
    private final int[] portDown;
    private final int[] portUp;
    private final int[] portBase;

    /** For the destination at hand. */
    private final int[] port;

    private final int[] hops;
    private boolean dummy;

    TreeRouting(FabricView view, LeafHosts hosts, Tree tree) {
        this.view = view;
        this.hosts = hosts;
        this.tree = tree;
        int groups = view.groupLimit();
        groupDown = new int[groups];
        groupUp = new int[groups];
        portBase = new int[view.switchCount() + 1];
        for (int s = 0; s < view.switchCount(); s++) {
            portBase[s + 1] = portBase[s] + view.portCount(s) + 1;
        }
        portDown = new int[portBase[view.switchCount()]];
        portUp = new int[portBase[view.switchCount()]];
        port = new int[view.switchCount()];
        hops = new int[view.switchCount()];
    }

    /** Routes to all nodes of the tree, once; to aggregation nodes after all hosts. Rows are switches, columns node indices. */
    void toNodes(byte[][] rows) {
        int most = 0;
        for (int leaf : tree.leaves) {
            most = Math.max(most, hosts.count(leaf));
        }
        for (int leaf : tree.leaves) {
            for (int i = hosts.start[leaf]; i < hosts.start[leaf + 1]; i++) {
                int node = hosts.nodes[i];
                begin(leaf, view.nodePort(node), 1);
                climb(leaf, NO_SWITCH, true);
                copy(rows, node);
            }
            dummy = true;
            for (int missing = most - hosts.count(leaf); missing > 0; missing--) {
                begin(leaf, LftSet.NO_ROUTE, 1);
                climb(leaf, NO_SWITCH, true);
            }
            dummy = false;
        }
        for (int node : hosts.aggregation) {
            int home = view.nodeSwitch(node);
            if (tree.ranks.of(home) >= 0) {
                begin(home, view.nodePort(node), 1);
                climb(home, NO_SWITCH, true);
                copy(rows, node);
            }
        }
    }

    /** Routes to all switches of the tree, after the nodes. Columns are switch indices. */
    void toSwitches(byte[][] rows) {
        for (int s : tree.part.switches()) {
            begin(s, 0, 0);
            climb(s, NO_SWITCH, false);
            copy(rows, s);
        }
    }

    private void begin(int s, int ownPort, int ownHops) {
        Arrays.fill(port, LftSet.NO_ROUTE);
        Arrays.fill(hops, HOPS_MAX + 1);
        port[s] = ownPort;
        hops[s] = ownHops;
    }

    private void copy(byte[][] rows, int column) {
        for (int s : tree.part.switches()) {
            rows[s][column] = (byte) port[s];
        }
    }

    /**
     * Leads to {@code s} what is below it and above it.
     *
     * @param from the switch below that the climb came from, or {@link #NO_SWITCH}
     * @param main whether this is the way down that counts
     * @return whether the way leads a leaf here
     */
    private boolean climb(int s, int from, boolean main) {
        boolean led = descend(s, from);
        if (tree.ranks.of(s) == 0) {
            return led;
        }
        tree.up.sort(s, groupDown, tree.farNumber);
        int next = tree.up.start[s];
        int first = tree.up.groups[next];
        if (main) {
            led |= climbMain(s, first);
            next++;
        }
        for (; next < tree.up.start[s + 1]; next++) {
            led |= climbAside(s, tree.up.groups[next]);
        }
        boolean sideways = tree.sideways.count(s) > 0 && climbSideways(s, first);
        return led || sideways;
    }

    private boolean climbMain(int s, int g) {
        int through = leastUsed(s, g, portDown);
        groupDown[g]++;
        portDown[place(s, through)]++;
        if (wants(view.groupRemote(g), s)) {
            lead(s, through);
        }
        return climb(view.groupRemote(g), s, true);
    }

    private boolean climbAside(int s, int g) {
        int remote = view.groupRemote(g);
        if (!wants(remote, s)) {
            return false;
        }
        lead(s, leastUsed(s, g, portDown));
        return climb(remote, s, false);
    }

    /** A way sideways that leads a leaf is counted at its port, and, as OpenSM has it, at the first group up. */
    private boolean climbSideways(int s, int firstUp) {
        tree.sideways.sort(s, groupDown, tree.farNumber);
        boolean led = false;
        for (int i = tree.sideways.start[s]; i < tree.sideways.start[s + 1]; i++) {
            int through = leastUsed(s, tree.sideways.groups[i], portDown);
            if (climbAside(s, tree.sideways.groups[i])) {
                groupDown[firstUp]++;
                portDown[place(s, through)]++;
                led = true;
            }
        }
        return led;
    }

    /** Leads to {@code s} what is below it, and what is beside it and not led shorter; true if a leaf is. */
    private boolean descend(int s, int from) {
        boolean led = hosts.isLeaf(s);
        if (tree.down.count(s) == 0 && !led) {
            return false;
        }
        tree.down.sort(s, groupUp, tree.farNumber);
        tree.sideways.sort(s, groupUp, tree.farNumber);
        for (int i = tree.down.start[s]; i < tree.down.start[s + 1]; i++) {
            led |= descendBy(s, tree.down.groups[i], from);
        }
        for (int i = tree.sideways.start[s]; i < tree.sideways.start[s + 1] && !dummy; i++) {
            led |= descendBy(s, tree.sideways.groups[i], from);
        }
        return led;
    }

    private boolean descendBy(int s, int g, int from) {
        int remote = view.groupRemote(g);
        if (remote == from || hops[s] + 1 >= hops[remote]) {
            return false;
        }
        int through = leastUsed(s, g, portUp);
        lead(s, through);
        boolean led = descend(remote, NO_SWITCH);
        if (led) {
            groupUp[g]++;
            portUp[place(s, through)]++;
        }
        return led;
    }

    /** True if a switch has no way yet, or a longer one than over {@code s}. */
    private boolean wants(int remote, int s) {
        return port[remote] == LftSet.NO_ROUTE || hops[s] + 1 < hops[remote];
    }

    /** Leads the switch at the far end of a port here. */
    private void lead(int s, int through) {
        int remote = view.peerSwitch(s, through);
        port[remote] = view.peerPort(s, through);
        hops[remote] = hops[s] + 1;
    }

    /** The least used port of a group, the lowest number of several. */
    private int leastUsed(int s, int g, int[] used) {
        int best = view.groupPort(g, 0);
        for (int i = 1; i < view.groupSize(g); i++) {
            int other = view.groupPort(g, i);
            if (used[place(s, other)] < used[place(s, best)]) {
                best = other;
            }
        }
        return best;
    }

    private int place(int s, int portNumber) {
        return portBase[s] + portNumber;
    }
}

package io.dmodc.routing.vtftr.traffic;

import io.dmodc.routing.throughput.FlowRoutes;
import io.dmodc.routing.throughput.RouteShares;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.vtftr.InputClass;
import io.dmodc.routing.vtftr.Turn;
import io.dmodc.routing.vtftr.VcMap;
import io.dmodc.topology.FabricView;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Flows of a grid under VTFTR, exactly: where a root draws one of k spares, each carries a k-th of the flow.
 *
 * <p>That is the expectation of what packets do if every draw is as likely as any other and independent of the load: roots do
 * not look at how full a spare is. A flow of which some spare loses its part counts as one that does not arrive.
 *
 * <p>A channel is a port of a switch, {@code base(s) + port − 1}, its virtual channels together. A flow is of {@link #whole}
 * parts, the least common multiple of all divisions that occur, so that loads stay integers. Not safe for threads.
 */
public final class TurnRoutes implements FlowRoutes {
    private final TurnForwarding switches;
    private final FabricView view;
    private final int[] base;
    private final int whole;

    /** Channels and shares of the flow that is followed. */
    private int[] channel = new int[64];

    private int[] parts = new int[64];
    private int size;

    /** Divisions of flows seen so far, as one number they all divide; while {@link #whole} is not known. */
    private BigInteger divisions = BigInteger.ONE;

    private long unroutedPairs;

    private int destination;
    private int node;

    /**
     * Follows all flows once, to find how they are divided.
     *
     * @throws IllegalArgumentException in one line, if so many different numbers of spares occur that loads do not fit
     */
    public TurnRoutes(TurnForwarding switches) {
        this.switches = switches;
        view = switches.view();
        base = new int[view.switchCount() + 1];
        for (int s = 0; s < view.switchCount(); s++) {
            base[s + 1] = base[s] + view.portCount(s);
        }
        whole = whole(new Endpoints(view));
    }

    private int whole(Endpoints nodes) {
        int[] homes = IntStream.range(0, nodes.count()).map(nodes::home).toArray();
        int[] hosts = new int[view.switchCount()];
        IntStream.of(homes).forEach(home -> hosts[home]++);
        int[] sources = IntStream.of(homes).distinct().toArray();
        for (int i = 0; i < nodes.count(); i++) {
            for (int source : sources) {
                if (!follow(source, nodes.node(i), 0)) {
                    unroutedPairs += hosts[source];
                }
            }
        }
        if (divisions.bitLength() >= Integer.SIZE) {
            throw new IllegalArgumentException("flows are divided among spares in so many ways that they"
                    + " have only parts of 2^-" + divisions.bitLength() + " in common; expected at least 2^-"
                    + (Integer.SIZE - 1) + " for exact loads");
        }
        return divisions.intValueExact();
    }

    @Override
    public int channelCount() {
        return base[view.switchCount()];
    }

    @Override
    public int whole() {
        return whole;
    }

    /** Ordered pairs of nodes whose packets do not all arrive. */
    public long unroutedPairs() {
        return unroutedPairs;
    }

    @Override
    public boolean add(int s, int toNode, RouteShares into) {
        if (!follow(s, toNode, whole)) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            into.add(channel[i], parts[i]);
        }
        return true;
    }

    /** @param flow parts of the whole flow; 0 to find out how it is divided */
    private boolean follow(int s, int toNode, int flow) {
        node = toNode;
        destination = switches.leafOfNode(toNode);
        size = 0;
        return destination >= 0 && switches.leafOf(s) >= 0 && leave(s, InputClass.HOST, 0, flow, 1);
    }

    private boolean leave(int s, InputClass from, int vc, int flow, long division) {
        int leaf = switches.leafOf(s);
        Turn turn = switches.turn(from, leaf, destination);
        if (turn == Turn.DELIVER) {
            return arrive(s, flow, division);
        }
        int next = turn == Turn.NONE ? VcMap.DROP : VcMap.next(from, vc, turn);
        int up = next == VcMap.DROP ? 0 : switches.rootPort(leaf, turn, destination, node);
        if (up == 0) {
            return false;
        }
        put(s, up, flow);
        int root = view.peerSwitch(s, up);
        int came = view.peerPort(s, up);
        int choices = switches.choices(root, came, destination);
        boolean all = choices > 0;
        for (int i = 0; i < choices && all; i++) {
            int down = switches.choice(root, came, destination, i);
            put(root, down, flow / choices);
            InputClass by = turn == Turn.ROW ? InputClass.ROW : InputClass.COLUMN;
            all = leave(view.peerSwitch(root, down), by, next, flow / choices, division * choices);
        }
        return all;
    }

    private boolean arrive(int s, int flow, long division) {
        if (flow == 0 && division > 1) {
            BigInteger other = BigInteger.valueOf(division);
            divisions = divisions.divide(divisions.gcd(other)).multiply(other);
        }
        return s == view.nodeSwitch(node);
    }

    private void put(int s, int port, int share) {
        if (size == channel.length) {
            channel = Arrays.copyOf(channel, 2 * size);
            parts = Arrays.copyOf(parts, 2 * size);
        }
        channel[size] = base[s] + port - 1;
        parts[size++] = share;
    }
}

package io.dmodc.routing.throughput;

import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The flows of a pattern, those of one way put together.
 *
 * <p>In a permutation group i is what position i sends. In uniform traffic nodes of one switch take the same way to a
 * destination: group {@code i × nodes + d} is what the i-th switch with nodes sends to position d.
 *
 * <p><b>Units.</b> A flow's rate is given as if its source sent nothing else: {@link #perSource} flows of rate r are a
 * source that sends r. A channel then bears {@link #capacity} of them.
 */
final class FlowGroups {
    /** Beyond this uniform traffic does not fit into memory: about 60 bytes each on long routes. */
    static final int GROUP_MAX = 1 << 24;

    final RouteShares shares;
    /** Flows of a group; 0 for those whose packets do not arrive. */
    final int[] members;
    /** Groups whose packets do not arrive. */
    final BitSet unrouted = new BitSet();
    /** Flows that one source has. */
    final int perSource;
    /** What a channel carries: flows of rate 1, each counted in parts. */
    final long capacity;

    /** Switches with nodes, ascending. */
    final int[] source;

    private final FlowRoutes routes;
    private long unroutedFlows;

    FlowGroups(Endpoints nodes, TrafficPattern pattern, FlowRoutes routes) {
        this.routes = routes;
        int n = nodes.count();
        source = IntStream.range(0, n).map(nodes::home).sorted().distinct().toArray();
        long groups = pattern.isUniform() ? (long) source.length * n : n;
        if (groups > GROUP_MAX) {
            throw new IllegalArgumentException("pattern '" + pattern.name() + "' of " + n + " nodes at " + source.length
                    + " switches is " + groups + " flows; expected at most " + GROUP_MAX);
        }
        perSource = pattern.isUniform() ? Math.max(1, n - 1) : 1;
        capacity = (long) perSource * routes.whole();
        shares = new RouteShares((int) groups);
        members = new int[(int) groups];
        if (pattern.isUniform()) {
            addUniform(nodes);
        } else {
            IntStream.range(0, n).forEach(i -> add(nodes.home(i), nodes.node(pattern.destination(i)), 1));
        }
    }

    private void addUniform(Endpoints nodes) {
        int[] hosts = new int[source.length == 0 ? 0 : source[source.length - 1] + 1];
        IntStream.range(0, nodes.count()).forEach(i -> hosts[nodes.home(i)]++);
        for (int s : source) {
            for (int d = 0; d < nodes.count(); d++) {
                add(s, nodes.node(d), nodes.home(d) == s ? hosts[s] - 1 : hosts[s]);
            }
        }
    }

    private void add(int s, int node, int flows) {
        int group = shares.groups();
        if (routes.add(s, node, shares)) {
            members[group] = flows;
        } else {
            unrouted.set(group);
            unroutedFlows += flows;
        }
        shares.endGroup();
    }

    /** Flows whose packets do not arrive. */
    long unroutedFlows() {
        return unroutedFlows;
    }

    /** What each channel bears if all sources send at rate 1, as {@link #capacity} counts. */
    long[] loads() {
        long[] load = new long[routes.channelCount()];
        for (int group = 0; group < members.length; group++) {
            for (int i = shares.start(group); i < shares.start(group + 1); i++) {
                load[shares.channel(i)] += (long) members[group] * shares.parts(i);
            }
        }
        return load;
    }
}

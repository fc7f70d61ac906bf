package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;
import java.util.Arrays;
import java.util.BitSet;

/**
 * How many nodes send, and how many are sent to, through each channel when every node of some sends to every other of
 * some.
 *
 * <p>Exact, without walking each of the n² flows: nodes of one switch take the same way to a destination. One sweep by
 * destination follows the tree of routes towards it, each switch once, and counts one destination for every channel of
 * the tree. One sweep by source switch follows its routes to all nodes and, where a channel is met for the first time,
 * counts all nodes of the switch as sources. O(nodes × switches with nodes × hops) time; per piece at work 8 bytes a
 * channel and one bit for each of its source switches and channel.
 */
final class AllToAll {
    /** Most pieces a sweep is cut into; each has counters of its own. */
    private static final int PIECES = 64;

    /** Destinations that the source switches of a piece visit in turn: their entries then are still in the cache. */
    private static final int BLOCK = 64;

    private final ArrivingRoutes routes;

    /** Nodes that are sent to, by index. */
    private final int[] receivers;

    /** Nodes that send, by switch, and the switches that have some. */
    private final int[] senders;

    private final int[] senderSwitches;
    private final int[] sources;
    private final int[] destinations;
    private final Progress progress;
    private int done;

    /** All nodes that take part. */
    AllToAll(ArrivingRoutes routes, Parallel parallel, Progress progress) {
        this(routes, routes.node, routes.hosts, routes.source, parallel, progress);
    }

    /**
     * Some of the nodes that take part.
     *
     * @param receivers node indices
     * @param senders how many by switch
     * @param senderSwitches those that have some
     */
    AllToAll(
            ArrivingRoutes routes,
            int[] receivers,
            int[] senders,
            int[] senderSwitches,
            Parallel parallel,
            Progress progress) {
        this.routes = routes;
        this.receivers = receivers;
        this.senders = senders;
        this.senderSwitches = senderSwitches;
        this.progress = progress;
        sources = new int[routes.channels.count()];
        destinations = new int[routes.channels.count()];
        inPieces(receivers.length, parallel, this::countDestinations);
        inPieces(senderSwitches.length, parallel, this::countSources);
    }

    int sources(int channel) {
        return sources[channel];
    }

    int destinations(int channel) {
        return destinations[channel];
    }

    /** Highest risk of the channels {@code from .. to}. */
    int risk(int from, int to) {
        int risk = 0;
        for (int channel = from; channel < to; channel++) {
            risk = Math.max(risk, Math.min(sources[channel], destinations[channel]));
        }
        return risk;
    }

    /** What the flows meet: the way from each switch with nodes to each node is followed once more. */
    FlowRisk flows(Parallel parallel) {
        FlowRisk[] met = {FlowRisk.NONE};
        inPieces(routes.source.length, parallel, (from, to) -> {
            FlowRisk of = flows(from, to);
            synchronized (met) {
                met[0] = met[0].plus(of);
            }
        });
        return met[0];
    }

    private FlowRisk flows(int from, int to) {
        long flows = 0;
        long riskSum = 0;
        long shared = 0;
        for (int block = 0; block < routes.nodeCount(); block += BLOCK) {
            int end = Math.min(routes.nodeCount(), block + BLOCK);
            for (int i = from; i < to; i++) {
                int s = routes.source[i];
                for (int position = block; position < end; position++) {
                    int d = routes.node[position];
                    if (routes.arrives(s, d)) {
                        int senders = routes.hosts[s] - (routes.home[d] == s ? 1 : 0);
                        int risk = riskMet(s, d);
                        flows += senders;
                        riskSum += (long) senders * risk;
                        shared += risk >= FlowRisk.SHARED ? senders : 0;
                    }
                }
            }
        }
        return new FlowRisk(flows, riskSum, shared);
    }

    private int riskMet(int s, int d) {
        int home = routes.home[d];
        int risk = 1;
        int at = s;
        while (at != home) {
            int channel = routes.channel(at, d);
            risk = Math.max(risk, Math.min(sources[channel], destinations[channel]));
            at = routes.channels.peer[channel];
        }
        return risk;
    }

    private interface Sweep {
        void over(int from, int to);
    }

    private static int pieces(int count) {
        return Math.min(PIECES, count);
    }

    private static void inPieces(int count, Parallel parallel, Sweep sweep) {
        int pieces = pieces(count);
        parallel.forEach(
                pieces,
                piece ->
                        sweep.over((int) ((long) count * piece / pieces), (int) ((long) count * (piece + 1) / pieces)));
    }

    private void countDestinations(int from, int to) {
        int[] counted = new int[destinations.length];
        int[] seenFor = new int[routes.hosts.length];
        Arrays.fill(seenFor, -1);
        for (int i = from; i < to; i++) {
            int d = receivers[i];
            int home = routes.home[d];
            for (int s : senderSwitches) {
                int at = routes.arrives(s, d) ? s : home;
                while (at != home && seenFor[at] != d) {
                    seenFor[at] = d;
                    int channel = routes.channel(at, d);
                    counted[channel]++;
                    at = routes.channels.peer[channel];
                }
            }
        }
        add(counted, destinations);
    }

    private void countSources(int from, int to) {
        int[] counted = new int[sources.length];
        BitSet[] met = new BitSet[to - from];
        Arrays.setAll(met, i -> new BitSet(counted.length));
        for (int block = 0; block < receivers.length; block += BLOCK) {
            for (int i = from; i < to; i++) {
                countSource(senderSwitches[i], block, met[i - from], counted);
            }
        }
        add(counted, sources);
    }

    private void countSource(int s, int block, BitSet met, int[] counted) {
        int end = Math.min(receivers.length, block + BLOCK);
        for (int i = block; i < end; i++) {
            int d = receivers[i];
            int home = routes.home[d];
            int at = routes.arrives(s, d) ? s : home;
            while (at != home) {
                int channel = routes.channel(at, d);
                if (!met.get(channel)) {
                    met.set(channel);
                    counted[channel] += senders[s];
                }
                at = routes.channels.peer[channel];
            }
        }
    }

    private synchronized void add(int[] counted, int[] into) {
        for (int channel = 0; channel < into.length; channel++) {
            into[channel] += counted[channel];
        }
        progress.reached(++done, pieces(receivers.length) + pieces(senderSwitches.length));
    }
}

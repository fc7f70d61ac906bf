package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;
import java.util.Arrays;

/**
 * How many nodes send, and how many are sent to, through each channel when every node sends to every other.
 *
 * <p>Exact, without walking each of the n² flows: nodes of one switch take the same way to a destination. One sweep by
 * destination follows the tree of routes towards it, each switch once, and counts one destination for every channel of
 * the tree. One sweep by source switch follows its routes to all nodes and, where a channel is met for the first time,
 * counts all nodes of the switch as sources. O(nodes × switches with nodes × hops) time, 4 bytes per channel and piece.
 */
final class AllToAll {
    /** Most pieces a sweep is cut into; each has counters of its own. */
    private static final int PIECES = 64;

    private final Routes routes;
    private final int[] sources;
    private final int[] destinations;

    AllToAll(Routes routes, Parallel parallel) {
        this.routes = routes;
        sources = new int[routes.channels.count()];
        destinations = new int[routes.channels.count()];
        inPieces(routes.nodeCount(), parallel, this::countDestinations);
        inPieces(routes.source.length, parallel, this::countSources);
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

    private interface Sweep {
        void over(int from, int to);
    }

    private static void inPieces(int count, Parallel parallel, Sweep sweep) {
        int pieces = Math.min(PIECES, count);
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
            int d = routes.node[i];
            int home = routes.home[d];
            for (int s : routes.source) {
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
        int[] metFrom = new int[sources.length];
        Arrays.fill(metFrom, -1);
        for (int i = from; i < to; i++) {
            int s = routes.source[i];
            for (int d : routes.node) {
                int home = routes.home[d];
                int at = routes.arrives(s, d) ? s : home;
                while (at != home) {
                    int channel = routes.channel(at, d);
                    if (metFrom[channel] != s) {
                        metFrom[channel] = s;
                        counted[channel] += routes.hosts[s];
                    }
                    at = routes.channels.peer[channel];
                }
            }
        }
        add(counted, sources);
    }

    private synchronized void add(int[] counted, int[] into) {
        for (int channel = 0; channel < into.length; channel++) {
            into[channel] += counted[channel];
        }
    }
}

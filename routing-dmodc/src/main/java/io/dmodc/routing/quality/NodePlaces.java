package io.dmodc.routing.quality;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The nodes that take part, and the switches they are at. Nodes whose host is cabled to a live switch have, in index
 * order, a position 0..n−1; the others take no part. Immutable.
 */
final class NodePlaces {
    final Channels channels;

    /** Node index of a position. */
    final int[] node;

    /** Switch of a node index, −1 for a node that takes no part. */
    final int[] home;

    /** Live switches with nodes, and how many each switch has. */
    final int[] source;

    final int[] hosts;

    /**
     * The sources, those together that have the same neighbours behind the same ports: where two of them have the same
     * entry, their packets meet at once.
     */
    final int[][] families;

    NodePlaces(FabricView view) {
        channels = new Channels(view);
        home = new int[view.nodeCount()];
        hosts = new int[view.switchCount()];
        for (int d = 0; d < home.length; d++) {
            int s = view.isHost(d) ? view.nodeSwitch(d) : -1;
            home[d] = s >= 0 && view.alive(s) ? s : -1;
            if (home[d] >= 0) {
                hosts[s]++;
            }
        }
        node = IntStream.range(0, home.length).filter(d -> home[d] >= 0).toArray();
        source = IntStream.range(0, hosts.length).filter(s -> hosts[s] > 0).toArray();
        families = families(view);
    }

    private int[][] families(FabricView view) {
        Map<List<Integer>, List<Integer>> byPeers = new LinkedHashMap<>();
        for (int s : source) {
            Integer[] peers = new Integer[view.portCount(s)];
            Arrays.setAll(peers, i -> view.peerSwitch(s, i + 1));
            byPeers.computeIfAbsent(Arrays.asList(peers), key -> new ArrayList<>())
                    .add(s);
        }
        return byPeers.values().stream()
                .map(switches -> switches.stream().mapToInt(s -> s).toArray())
                .toArray(int[][]::new);
    }
}

package io.dmodc.routing.quality;

import io.dmodc.topology.DisjointSets;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Regions of switches, and how many live ports lead out of each and into it.
 *
 * <p>In layer 0 each live switch with nodes is a region. In layer r (0 &lt; r &lt; highest rank) a region is a connected
 * component of the links among switches of ranks 0..r: a pod of a fat-tree. Whatever the fabric looks like, a region is
 * only a set of switches, and its bound holds; the layers decide how tight it is. Memory: 4 bytes per (layer, switch).
 */
final class Cuts {
    /** Layer, then switch: its region, −1 for none. Regions of all layers have one row of numbers. */
    final int[][] region;

    final int[] portsOut;
    final int[] portsIn;

    /**
     * @param channels the live ports between switches
     * @param source live switches with nodes
     */
    Cuts(Channels channels, int[] source) {
        FabricView view = channels.view;
        List<int[]> layers = new ArrayList<>();
        int[] alone = new int[view.switchCount()];
        Arrays.fill(alone, -1);
        int count = 0;
        for (int s : source) {
            alone[s] = count++;
        }
        layers.add(alone);
        for (int rank = 1; rank < view.rankMax(); rank++) {
            int[] layer = new int[view.switchCount()];
            count = components(channels, rank, count, layer);
            layers.add(layer);
        }
        region = layers.toArray(int[][]::new);
        portsOut = new int[count];
        portsIn = new int[count];
        for (int channel = 0; channel < channels.count(); channel++) {
            countPorts(channels.place[channel] >> 8, channels.peer[channel]);
        }
    }

    int count() {
        return portsOut.length;
    }

    private void countPorts(int s, int remote) {
        for (int[] layer : region) {
            if (layer[s] != layer[remote]) {
                if (layer[s] >= 0) {
                    portsOut[layer[s]]++;
                }
                if (layer[remote] >= 0) {
                    portsIn[layer[remote]]++;
                }
            }
        }
    }

    /**
     * Writes the regions of the layer of one rank.
     *
     * @return the first number that is free afterwards
     */
    private static int components(Channels channels, int rank, int first, int[] layer) {
        DisjointSets joined = new DisjointSets(layer.length);
        for (int channel = 0; channel < channels.count(); channel++) {
            int s = channels.place[channel] >> 8;
            int remote = channels.peer[channel];
            if (isBelow(channels.view, s, rank) && isBelow(channels.view, remote, rank)) {
                joined.join(s, remote);
            }
        }
        int next = first;
        for (int s = 0; s < layer.length; s++) {
            int lowest = joined.lowest(s);
            layer[s] = !isBelow(channels.view, s, rank) ? -1 : lowest == s ? next++ : layer[lowest];
        }
        return next;
    }

    private static boolean isBelow(FabricView view, int s, int rank) {
        return view.alive(s) && view.rank(s) >= 0 && view.rank(s) <= rank;
    }
}

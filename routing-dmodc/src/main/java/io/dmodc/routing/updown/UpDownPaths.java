package io.dmodc.routing.updown;

import io.dmodc.routing.minhop.HopSearch;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.PortMasks;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Breadth-first search from the target that never climbs after a step down.
 *
 * <p>Two sweeps. First only climbing from the target: who is met has a path that only descends to it. Then descending
 * from all those, nearest first: who is met now must climb before it descends. A switch of the first kind uses only its
 * descending paths, so a packet that came down to it goes on down, whatever the cabling; where links join neighbouring
 * ranks only, that is also its shortest way. O(groups) a target.
 */
final class UpDownPaths implements HopSearch {
    private final FabricView view;
    private final RootRanks ranks;

    UpDownPaths(FabricView view, RootRanks ranks) {
        this.view = view;
        this.ranks = ranks;
    }

    @Override
    public void search(int target, byte[] hops, PortMasks masks, long[] portSets) {
        Arrays.fill(hops, (byte) MinHopTables.NO_PATH);
        int[] queue = new int[hops.length];
        int descending = climb(target, hops, queue);
        boolean[] descends = new boolean[hops.length];
        for (int i = 0; i < descending; i++) {
            descends[queue[i]] = true;
        }
        descend(hops, queue, descending);
        for (int s = 0; s < hops.length; s++) {
            if (hops[s] != (byte) MinHopTables.NO_PATH) {
                addPorts(s, hops, descends, masks, portSets);
            }
        }
    }

    /** Returns how many switches were met, in ascending order of hops in the queue. */
    private int climb(int target, byte[] hops, int[] queue) {
        int end = 0;
        hops[target] = 0;
        queue[end++] = target;
        for (int next = 0; next < end; next++) {
            end = meet(queue[next], true, hops, queue, end);
        }
        return end;
    }

    /** Merges two queues in order of hops: those met climbing, and those met now behind them. */
    private void descend(byte[] hops, int[] queue, int descending) {
        int first = 0;
        int second = descending;
        int end = descending;
        while (first < descending || second < end) {
            boolean takeFirst =
                    second == end || (first < descending && hops(hops, queue[first]) <= hops(hops, queue[second]));
            end = meet(takeFirst ? queue[first++] : queue[second++], false, hops, queue, end);
        }
    }

    private static int hops(byte[] hops, int s) {
        return hops[s] & 0xff;
    }

    private int meet(int s, boolean climbing, byte[] hops, int[] queue, int end) {
        int beyond = hops(hops, s) + 1;
        int next = end;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int remote = view.groupRemote(g);
            if (hops(hops, remote) == MinHopTables.NO_PATH
                    && beyond < MinHopTables.NO_PATH
                    && ranks.climbs(s, remote) == climbing) {
                hops[remote] = (byte) beyond;
                queue[next++] = remote;
            }
        }
        return next;
    }

    private void addPorts(int s, byte[] hops, boolean[] descends, PortMasks masks, long[] portSets) {
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int remote = view.groupRemote(g);
            if (hops(hops, remote) + 1 == hops(hops, s)
                    && ranks.climbs(remote, s) == descends[s]
                    && (descends[remote] || !descends[s])) {
                masks.add(g, s, portSets);
            }
        }
    }
}

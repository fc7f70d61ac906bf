package io.dmodc.routing.minhop;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Breadth-first search from the target over all live links, without asking for directions (memo, section 4.2): O(groups)
 * a target. A port is in the set if what is behind it is one hop nearer.
 */
final class ShortestPaths implements HopSearch {
    private final FabricView view;

    ShortestPaths(FabricView view) {
        this.view = view;
    }

    @Override
    public void search(int target, byte[] hops, PortMasks masks, long[] portSets) {
        Arrays.fill(hops, (byte) MinHopTables.NO_PATH);
        int[] queue = new int[hops.length];
        int end = 0;
        queue[end++] = target;
        hops[target] = 0;
        for (int next = 0; next < end; next++) {
            int s = queue[next];
            int beyond = (hops[s] & 0xff) + 1;
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                int remote = view.groupRemote(g);
                int known = hops[remote] & 0xff;
                if (known == MinHopTables.NO_PATH && beyond < MinHopTables.NO_PATH) {
                    hops[remote] = (byte) beyond;
                    queue[end++] = remote;
                } else if (known + 1 == beyond - 1) {
                    masks.add(g, s, portSets);
                }
            }
        }
    }
}

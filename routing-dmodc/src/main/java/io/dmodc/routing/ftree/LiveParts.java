package io.dmodc.routing.ftree;

import io.dmodc.routing.opensm.PacketOrder;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The parts of a fabric between which no live link is, as far as hosts are in them: each is what an OpenSM on one of its
 * hosts would see.
 */
final class LiveParts {
    private LiveParts() {}

    /**
     * One part.
     *
     * @param switches indices of its live switches, in {@link PacketOrder}
     * @param nodes how many nodes are cabled to them
     */
    record Part(int[] switches, int nodes) {}

    /** All parts with nodes, most nodes first; of as many, the one with the first GUID in {@link PacketOrder}. */
    static List<Part> of(FabricView view, LeafHosts hosts) {
        boolean[] seen = new boolean[view.switchCount()];
        List<Part> parts = new ArrayList<>();
        for (int s : inPacketOrder(view, IntStream.range(0, seen.length).filter(view::alive))) {
            if (!seen[s]) {
                int[] switches = inPacketOrder(view, IntStream.of(linkedTo(view, s, seen)));
                int nodes = IntStream.of(switches).map(hosts::count).sum();
                if (nodes > 0) {
                    parts.add(new Part(switches, nodes));
                }
            }
        }
        parts.sort(Comparator.comparingInt(part -> -part.nodes));
        return parts;
    }

    private static int[] linkedTo(FabricView view, int first, boolean[] seen) {
        int[] queue = new int[view.switchCount()];
        int end = 0;
        queue[end++] = first;
        seen[first] = true;
        for (int next = 0; next < end; next++) {
            for (int g = view.groupStart(queue[next]); g < view.groupEnd(queue[next]); g++) {
                int remote = view.groupRemote(g);
                if (!seen[remote]) {
                    seen[remote] = true;
                    queue[end++] = remote;
                }
            }
        }
        return IntStream.of(queue).limit(end).toArray();
    }

    private static int[] inPacketOrder(FabricView view, IntStream switches) {
        return switches.boxed()
                .sorted(Comparator.comparing(view::switchGuid, PacketOrder.GUIDS))
                .mapToInt(s -> s)
                .toArray();
    }
}

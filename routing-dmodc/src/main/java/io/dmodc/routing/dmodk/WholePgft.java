package io.dmodc.routing.dmodk;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Optional;

/** Compares a view with the whole PGFT of a shape in canonical numbering, port by port. */
final class WholePgft {
    private final PgftShape shape;

    WholePgft(PgftShape shape) {
        this.shape = shape;
    }

    /** The first thing that is not as the shape has it, in words. */
    Optional<String> firstDifference(FabricView view) {
        if (view.switchCount() != shape.switchCount()) {
            return Optional.of(view.switchCount() + " switches, expected " + shape.switchCount());
        }
        if (view.nodeCount() != shape.nodeCount()) {
            return Optional.of(view.nodeCount() + " nodes, expected " + shape.nodeCount());
        }
        int base = 0;
        for (int level = 1; level <= shape.levels(); level++) {
            int parentBase = base + shape.switchCount(level);
            for (int i = 0; i < shape.switchCount(level); i++) {
                Optional<String> difference = switchDifference(view, level, base + i, i, parentBase);
                if (difference.isPresent()) {
                    return difference;
                }
            }
            base = parentBase;
        }
        return nodeDifference(view);
    }

    private Optional<String> switchDifference(FabricView view, int level, int s, int i, int parentBase) {
        String who = "switch " + view.switchName(s) + " " + Guid.format(view.switchGuid(s)) + " ";
        if (!view.alive(s)) {
            return Optional.of(who + "is dead");
        }
        if (view.rank(s) != level - 1) {
            return Optional.of(who + "has rank " + view.rank(s) + ", expected " + (level - 1));
        }
        if (view.portCount(s) != shape.portCount(level)) {
            return Optional.of(who + "has " + view.portCount(s) + " ports, expected " + shape.portCount(level));
        }
        return level == shape.levels() ? Optional.empty() : uplinkDifference(view, level, s, i, parentBase, who);
    }

    /** Every cable has a lower end, so looking up from each switch sees all of them. */
    private Optional<String> uplinkDifference(FabricView view, int level, int s, int i, int parentBase, String who) {
        int chosen = 1;
        for (int k = 1; k <= level; k++) {
            chosen *= shape.w(k);
        }
        int w = shape.w(level + 1);
        int m = shape.m(level + 1);
        int child = i / chosen % m;
        for (int q = 0; q < w * shape.p(level + 1); q++) {
            int port = 1 + shape.downPortCount(level) + q;
            int parent = parentBase + i % chosen + chosen * (q % w + w * (i / chosen / m));
            int parentPort = 1 + child + q / w * m;
            if (view.peerSwitch(s, port) != parent || view.peerPort(s, port) != parentPort) {
                return Optional.of(who + "port " + port + " does not lead to switch " + view.switchName(parent)
                        + " port " + parentPort);
            }
        }
        return Optional.empty();
    }

    private Optional<String> nodeDifference(FabricView view) {
        for (int node = 0; node < view.nodeCount(); node++) {
            int leaf = node / shape.m(1);
            int port = 1 + node % shape.m(1);
            if (view.nodeSwitch(node) != leaf || view.nodePort(node) != port) {
                return Optional.of("node " + node + " is not at switch " + view.switchName(leaf) + " port " + port);
            }
        }
        return Optional.empty();
    }
}

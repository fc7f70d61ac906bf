package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.northbound.answer.DownCables.DownHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are there, and those that should be, by index.
 *
 * @param next index of the last one listed, when there are more
 */
public record NodesAnswer(
        long epoch, List<NodeAnswer> nodes, @Nullable Integer next) {
    /**
     * One node.
     *
     * @param index the destination index, the same for ever
     * @param guid of its port
     * @param port of the switch it is cabled to, or was when it was last up
     * @param state {@code up} or {@code down}
     */
    public record NodeAnswer(
            int index, String guid, String name, String switchGuid, String switchName, int port, String state) {}

    /** Reads them off a view. */
    public static NodesAnswer of(@Nullable FabricView view, DownCables down) {
        if (view == null) {
            return new NodesAnswer(0, List.of(), null);
        }
        List<NodeAnswer> nodes = new ArrayList<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0) {
                nodes.add(node(view, node, down.host(view.nodeGuid(node)) != null));
            }
        }
        for (DownHost host : down.hosts()) {
            boolean listed = host.index() >= 0 && host.index() < view.nodeCount() && view.nodeSwitch(host.index()) >= 0;
            if (!listed) {
                nodes.add(node(host));
            }
        }
        nodes.sort(Comparator.comparingInt(NodeAnswer::index));
        return new NodesAnswer(view.epoch(), nodes, null);
    }

    private static NodeAnswer node(DownHost host) {
        return new NodeAnswer(
                host.index(),
                Guid.format(host.host().portGuid()),
                host.host().name(),
                Guid.format(host.switchGuid()),
                host.switchName(),
                host.port(),
                "down");
    }

    /** Some of these, with indices above {@code after}. */
    public NodesAnswer where(Predicate<NodeAnswer> wanted, long after, int limit) {
        Page<NodeAnswer> page =
                Page.of(nodes.stream().filter(node -> node.index > after).filter(wanted), limit);
        NodeAnswer last = page.last();
        return new NodesAnswer(epoch, page.rows(), last == null ? null : last.index);
    }

    private static NodeAnswer node(FabricView view, int node, boolean down) {
        int s = view.nodeSwitch(node);
        return new NodeAnswer(
                node,
                Guid.format(view.nodeGuid(node)),
                name(view, node),
                Guid.format(view.switchGuid(s)),
                view.switchName(s),
                view.nodePort(node),
                down ? "down" : "up");
    }

    static String name(FabricView view, int node) {
        Host host = view.host(node);
        return host == null ? "node index " + node : host.name();
    }
}

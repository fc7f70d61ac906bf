package io.dmodc.manager.northbound.answer;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes cabled at present, by index.
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
     * @param port of the switch it is cabled to
     */
    public record NodeAnswer(int index, String guid, String name, String switchGuid, String switchName, int port) {}

    /** Reads them off a view; on any thread. */
    public static NodesAnswer of(@Nullable FabricView view) {
        if (view == null) {
            return new NodesAnswer(0, List.of(), null);
        }
        return new NodesAnswer(
                view.epoch(),
                IntStream.range(0, view.nodeCount())
                        .filter(node -> view.nodeSwitch(node) >= 0)
                        .mapToObj(node -> node(view, node))
                        .toList(),
                null);
    }

    /** Some of these, with indices above {@code after}. */
    public NodesAnswer where(Predicate<NodeAnswer> wanted, long after, int limit) {
        Page<NodeAnswer> page =
                Page.of(nodes.stream().filter(node -> node.index > after).filter(wanted), limit);
        NodeAnswer last = page.last();
        return new NodesAnswer(epoch, page.rows(), last == null ? null : last.index);
    }

    private static NodeAnswer node(FabricView view, int node) {
        int s = view.nodeSwitch(node);
        return new NodeAnswer(
                node,
                Guid.format(view.nodeGuid(node)),
                name(view, node),
                Guid.format(view.switchGuid(s)),
                view.switchName(s),
                view.nodePort(node));
    }

    static String name(FabricView view, int node) {
        Host host = view.host(node);
        return host == null ? "node index " + node : host.name();
    }
}

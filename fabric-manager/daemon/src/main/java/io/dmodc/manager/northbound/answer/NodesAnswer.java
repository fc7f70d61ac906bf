package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.northbound.answer.DownCables.DownHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
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
     * @param lid by which packets reach it, as by the three that follow; {@code null}: not known
     */
    public record NodeAnswer(
            int index,
            String guid,
            String name,
            String switchGuid,
            String switchName,
            int port,
            String state,
            @Nullable Integer lid,
            @Nullable String ipv4,
            @Nullable String ipv6,
            @Nullable String mac) {
        private static NodeAnswer of(
                int index,
                long guid,
                String name,
                long switchGuid,
                String switchName,
                int port,
                boolean down,
                HostAddresses addresses) {
            return new NodeAnswer(
                    index,
                    Guid.format(guid),
                    name,
                    Guid.format(switchGuid),
                    switchName,
                    port,
                    down ? "down" : "up",
                    addresses.lid() == 0 ? null : addresses.lid(),
                    known(addresses.ipv4Text()),
                    known(addresses.ipv6Text()),
                    known(addresses.macText()));
        }

        private static @Nullable String known(String address) {
            return address.isEmpty() ? null : address;
        }
    }

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
        return NodeAnswer.of(
                host.index(),
                host.host().portGuid(),
                host.host().name(),
                host.switchGuid(),
                host.switchName(),
                host.port(),
                true,
                host.host().addresses());
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
        Host host = view.host(node);
        return NodeAnswer.of(
                node,
                view.nodeGuid(node),
                name(view, node),
                view.switchGuid(s),
                view.switchName(s),
                view.nodePort(node),
                down,
                host == null ? HostAddresses.NONE : host.addresses());
    }

    static String name(FabricView view, int node) {
        Host host = view.host(node);
        return host == null ? "node index " + node : host.name();
    }
}

package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeTypes;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the types of the nodes that send and of those that are sent to. */
final class TypePair {
    private static final String ALL = "all";

    @Option(
            names = "--from",
            paramLabel = "TYPE",
            description = "only traffic from nodes of this type (--node-types), to all others or to those of --to")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TYPE", description = "only traffic to nodes of this type")
    private @Nullable String to;

    boolean asked() {
        return from != null || to != null;
    }

    String fromName() {
        return from == null ? ALL : from;
    }

    String toName() {
        return to == null ? ALL : to;
    }

    /**
     * Indices of the nodes that send.
     *
     * @throws IllegalArgumentException in one line, if no host is of that type
     */
    BitSet from(Fabric fabric) {
        return of("--from", from, fabric);
    }

    /**
     * Indices of the nodes that are sent to.
     *
     * @throws IllegalArgumentException in one line, if no host is of that type
     */
    BitSet to(Fabric fabric) {
        return of("--to", to, fabric);
    }

    private static BitSet of(String option, @Nullable String type, Fabric fabric) {
        NodeTypes types = fabric.nodes().types();
        FabricView view = fabric.view();
        BitSet nodes = new BitSet();
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.isHost(node) ? view.host(node) : null;
            if (host != null && (type == null || types.name(types.of(host)).equals(type))) {
                nodes.set(node);
            }
        }
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(option + " " + (type == null ? ALL : type)
                    + ": no host is of this type; --node-types has " + String.join(", ", types.names()));
        }
        return nodes;
    }
}

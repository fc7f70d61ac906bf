package io.dmodc.manager.core;

import io.dmodc.manager.core.Effect.NamedDestination;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What switches are to be told of the destinations in their tables: those of which the last one told is not true any more.
 *
 * <p>An index whose host is away stands for it still, as its host may come back; it stands for another one when that has got it.
 * Cost: nothing for a view with the same hosts, else one comparison a node.
 */
final class DestinationNews {
    private @Nullable FabricView last;
    private @Nullable Host[] told = {};

    /** Tells what is new in a view whose tables are about to be sent. */
    void tell(FabricView view, List<Effect> effects) {
        if (last != null && view.sharesHosts(last)) {
            return;
        }
        last = view;
        told = Arrays.copyOf(told, Math.max(told.length, view.nodeCount()));
        List<NamedDestination> news = new ArrayList<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (host != null && !saysTheSame(host, told[node])) {
                told[node] = host;
                news.add(new NamedDestination(node, host));
            }
        }
        if (!news.isEmpty()) {
            effects.add(new Effect.NameDestinations(view.epoch(), news));
        }
    }

    /** At which of its ports the adapter is cabled tells a switch nothing. */
    private static boolean saysTheSame(Host host, @Nullable Host before) {
        return before != null
                && host.portGuid() == before.portGuid()
                && host.name().equals(before.name())
                && host.addresses().equals(before.addresses());
    }
}

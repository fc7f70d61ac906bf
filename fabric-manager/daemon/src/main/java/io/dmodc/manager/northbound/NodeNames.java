package io.dmodc.manager.northbound;

import io.dmodc.manager.northbound.answer.DownCables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Finds the node that people mean by an index, a GUID or a name. */
final class NodeNames {
    private static final int INDEX_DIGITS_MAX = 9;

    private NodeNames() {}

    /**
     * Finds it, also when it is down and was not seen since the manager started, so that an answer can say so; O(nodes).
     * All digits are an index, {@code 0x…} is the GUID of a port or of an adapter, anything else a name.
     *
     * @throws RequestRefused when there is none, or more than one
     */
    static int find(FabricView view, DownCables down, String text) {
        if (text.matches("\\d{1," + INDEX_DIGITS_MAX + "}")) {
            int index = Integer.parseInt(text);
            if (index >= view.nodeCount() || (view.nodeSwitch(index) < 0 && !down.isDown(index))) {
                throw RequestRefused.notFound("no node with index " + index);
            }
            return index;
        }
        if (text.startsWith("0x") || text.startsWith("0X")) {
            long guid = Parameters.guid(text);
            return only(view, down, text, host -> host.portGuid() == guid || host.hostGuid() == guid);
        }
        return only(view, down, text, host -> host.name().equals(text));
    }

    private static int only(FabricView view, DownCables down, String text, Predicate<Host> wanted) {
        SortedSet<Integer> found = new TreeSet<>(down.indices(wanted));
        found.removeIf(index -> index >= view.nodeCount());
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (view.nodeSwitch(node) >= 0 && host != null && wanted.test(host)) {
                found.add(node);
            }
        }
        if (found.isEmpty()) {
            throw RequestRefused.notFound("no node '" + text + "'; an index, 0x… GUID or name is expected");
        }
        if (found.size() > 1) {
            throw RequestRefused.badRequest(found.size() + " nodes are meant by '" + text + "', the first has index "
                    + found.first() + ": give the index or the port GUID");
        }
        return found.first();
    }
}

package io.dmodc.manager.northbound;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.function.IntPredicate;

/** Finds the node that people mean by an index, a GUID or a name. */
final class NodeNames {
    private static final int INDEX_DIGITS_MAX = 9;

    private NodeNames() {}

    /**
     * Finds it; O(nodes). All digits are an index, {@code 0x…} is the GUID of a port or of an adapter, anything else a
     * name.
     *
     * @throws RequestRefused when there is none, or more than one
     */
    static int find(FabricView view, String text) {
        if (text.matches("\\d{1," + INDEX_DIGITS_MAX + "}")) {
            int index = Integer.parseInt(text);
            if (index >= view.nodeCount() || view.nodeSwitch(index) < 0) {
                throw RequestRefused.notFound("no node with index " + index);
            }
            return index;
        }
        if (text.startsWith("0x")) {
            long guid = Parameters.guid(text);
            return only(view, text, node -> {
                Host host = view.host(node);
                return view.nodeGuid(node) == guid || (host != null && host.hostGuid() == guid);
            });
        }
        return only(view, text, node -> {
            Host host = view.host(node);
            return host != null && host.name().equals(text);
        });
    }

    private static int only(FabricView view, String text, IntPredicate wanted) {
        int found = -1;
        int count = 0;
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0 && wanted.test(node)) {
                found = count == 0 ? node : found;
                count++;
            }
        }
        if (count == 0) {
            throw RequestRefused.notFound("no node '" + text + "'; an index, 0x… GUID or name is expected");
        }
        if (count > 1) {
            throw RequestRefused.badRequest(count + " nodes are meant by '" + text + "', the first has index " + found
                    + ": give the index or the port GUID");
        }
        return found;
    }
}

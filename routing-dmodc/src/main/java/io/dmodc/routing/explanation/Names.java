package io.dmodc.routing.explanation;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;

/** What people call the parts of a view. */
final class Names {
    private Names() {}

    /** Its name, or its GUID when it has none. */
    static String ofSwitch(FabricView view, int s) {
        return view.switchName(s).isBlank() ? Guid.format(view.switchGuid(s)) : view.switchName(s);
    }

    static String ofNode(FabricView view, int node) {
        Host host = view.host(node);
        return host == null ? "node index " + node : host.name();
    }

    /** What a port leads to; empty where nothing is. */
    static String behind(FabricView view, int s, int port) {
        if (port < 1 || port > view.portCount(s)) {
            return "";
        }
        int remote = view.peerSwitch(s, port);
        int node = view.peerNode(s, port);
        return remote >= 0
                ? ofSwitch(view, remote) + " port " + view.peerPort(s, port)
                : node >= 0 ? ofNode(view, node) : "";
    }
}

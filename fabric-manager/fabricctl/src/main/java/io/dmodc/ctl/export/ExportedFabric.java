package io.dmodc.ctl.export;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.ibnet.LidMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What is exported.
 *
 * @param view live links, and every host where it is cabled; aggregation nodes are told by ibnetdiscover text alone
 * @param lids addresses the source gave; may be empty
 * @param rates width and speed of links, as far as the source told
 * @param downHosts port GUIDs of hosts whose cable or port is down; copied
 */
public record ExportedFabric(FabricView view, LidMap lids, LinkRates rates, Set<Long> downHosts) {
    public ExportedFabric {
        downHosts = Set.copyOf(downHosts);
    }

    /**
     * One cable, seen from a switch; between two switches from the one with the lower GUID.
     *
     * @param s switch index
     * @param far switch index of the far end, −1 if that is a host
     * @param node node index of the far end, −1 if that is a switch
     * @param farPort port number of the far end, on a host that of its adapter
     */
    record Cable(int s, int port, int far, int node, int farPort) {
        boolean toHost() {
            return node >= 0;
        }
    }

    /** Every cable once: by switch GUID, then by port. */
    List<Cable> cables() {
        List<Cable> cables = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int far = view.peerSwitch(s, port);
                int node = view.peerNode(s, port);
                if (far > s) {
                    cables.add(new Cable(s, port, far, -1, view.peerPort(s, port)));
                } else if (node >= 0 && view.isHost(node)) {
                    cables.add(new Cable(s, port, -1, node, host(node).hostPort()));
                }
            }
        }
        return cables;
    }

    /** Node indices that have a host. */
    List<Integer> nodes() {
        List<Integer> nodes = new ArrayList<>(view.nodeCount());
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.isHost(node)) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    Host host(int node) {
        return Objects.requireNonNull(view.host(node), () -> "node " + node + " has no host");
    }

    /** {@code up} or {@code down}. */
    String switchState(int s) {
        return view.alive(s) ? "up" : "down";
    }

    /** {@code up} or {@code down}: a host on a switch that is down has lost its network, too. */
    String hostState(int node) {
        boolean down = downHosts.contains(view.nodeGuid(node)) || !view.alive(view.nodeSwitch(node));
        return down ? "down" : "up";
    }

    /** The name, or where there is none the GUID. */
    String switchTitle(int s) {
        return view.switchName(s).isBlank() ? Guid.format(view.switchGuid(s)) : view.switchName(s);
    }

    /** The name, or where there is none the port GUID. */
    String hostTitle(int node) {
        return host(node).name().isBlank()
                ? Guid.format(view.nodeGuid(node))
                : host(node).name();
    }
}

package io.dmodc.routing.minhop.store;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.BitSet;

/**
 * What is kept: the live switches of a view with their cables, the roots, the min-hop tables between them and the
 * routes to the nodes.
 *
 * <p>Switches are numbered in GUID order without the dead ones; nodes have their node indices. Immutable once made.
 */
public final class StoredState {
    /** Marks a port without a link to a live switch. */
    static final int NOBODY = -1;

    final String engine;
    final long[] switchGuid;

    /** By switch and port − 1: switch and port at the far end; {@link #NOBODY} and 0 where there is none. */
    final int[][] peerSwitch;

    final byte[][] peerPort;

    /** By node index, 0 and {@link #NOBODY} where there is no node on a live switch. */
    final long[] nodePortGuid;

    final long[] nodeHostGuid;
    final int[] nodeSwitch;
    final byte[] nodePort;

    final BitSet roots;

    /** By target and switch. */
    final byte[][] hops;

    /** By target; {@code words} longs a switch, bit port − 1. */
    final long[][] ports;

    final int words;

    /** Routes by switch and node index. */
    final byte[][] routes;

    StoredState(String engine, int switches, int nodes, int words) {
        this.engine = engine;
        this.words = words;
        switchGuid = new long[switches];
        peerSwitch = new int[switches][];
        peerPort = new byte[switches][];
        nodePortGuid = new long[nodes];
        nodeHostGuid = new long[nodes];
        nodeSwitch = new int[nodes];
        nodePort = new byte[nodes];
        roots = new BitSet();
        hops = new byte[switches][];
        ports = new long[switches][];
        routes = new byte[switches][];
    }

    /**
     * Takes a copy of what is to be kept.
     *
     * @param roots switch indices of the view
     * @param minHops with all live switches as targets
     * @param tables towards nodes
     */
    static StoredState of(String engine, FabricView view, BitSet roots, MinHopTables minHops, LftSet tables) {
        LiveSwitches live = new LiveSwitches(view);
        StoredState kept = new StoredState(engine, live.count(), view.nodeCount(), words(view));
        for (int i = 0; i < live.count(); i++) {
            int s = live.indexInView(i);
            kept.switchGuid[i] = view.switchGuid(s);
            kept.roots.set(i, roots.get(s));
            kept.copyPorts(view, live, i);
            kept.copyMinHops(live, minHops, i);
            kept.routes[i] = new byte[view.nodeCount()];
            tables.copyRow(s, kept.routes[i]);
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            kept.copyNode(view, live, node);
        }
        return kept;
    }

    private static int words(FabricView view) {
        int ports = 1;
        for (int s = 0; s < view.switchCount(); s++) {
            ports = Math.max(ports, view.portCount(s));
        }
        return (ports + 63) >> 6;
    }

    private void copyPorts(FabricView view, LiveSwitches live, int i) {
        int s = live.indexInView(i);
        peerSwitch[i] = new int[view.portCount(s)];
        peerPort[i] = new byte[view.portCount(s)];
        for (int port = 1; port <= peerSwitch[i].length; port++) {
            int peer = view.peerSwitch(s, port);
            peerSwitch[i][port - 1] = peer < 0 ? NOBODY : live.number(peer);
            peerPort[i][port - 1] = (byte) view.peerPort(s, port);
        }
    }

    private void copyMinHops(LiveSwitches live, MinHopTables minHops, int target) {
        hops[target] = new byte[live.count()];
        ports[target] = new long[live.count() * words];
        int[] found = new int[FabricView.PORT_MAX];
        for (int i = 0; i < live.count(); i++) {
            hops[target][i] = (byte) minHops.hops(live.indexInView(i), live.indexInView(target));
            int count = minHops.ports(live.indexInView(i), live.indexInView(target), found);
            for (int k = 0; k < count; k++) {
                int bit = found[k] - 1;
                ports[target][i * words + (bit >> 6)] |= 1L << bit;
            }
        }
    }

    private void copyNode(FabricView view, LiveSwitches live, int node) {
        Host host = view.host(node);
        int s = view.nodeSwitch(node);
        boolean there = host != null && s >= 0 && view.alive(s);
        nodePortGuid[node] = there ? view.nodeGuid(node) : 0;
        nodeHostGuid[node] = host != null && there ? host.hostGuid() : 0;
        nodeSwitch[node] = there ? live.number(s) : NOBODY;
        nodePort[node] = (byte) (there ? view.nodePort(node) : 0);
    }
}

package io.dmodc.routing.cycles;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Up–down tables without their choice of the way up: where an entry leads up, any port up whose far end can reach the
 * destination is taken at random; where it leads down it is followed.
 *
 * <p>On a whole fat-tree that is routing over a random nearest common ancestor, as BookSim2's {@code nca} does. Tables
 * must never turn from down to up; ranks then grow until an entry leads down, so no packet goes round. Memory: one byte
 * and one bit per (switch, node).
 */
public final class RandomUpRouting implements PacketRouting {
    private final TableRouting tables;
    private final int[][] upPorts;
    private final int[][] upPeers;
    /** {@code isUp[s][port]}: leads a rank up. */
    private final boolean[][] isUp;
    /** Words of bits: a packet at the switch arrives at the node. */
    private final long[][] arrives;

    /**
     * Takes tables.
     *
     * @param tables towards nodes, of the size of the view
     * @param vcs how many virtual channels there are
     * @throws IllegalArgumentException if the tables have another size than the view
     */
    public RandomUpRouting(FabricView view, LftSet tables, int vcs) {
        this.tables = new TableRouting(view, tables, vcs);
        int switches = view.switchCount();
        upPorts = new int[switches][];
        upPeers = new int[switches][];
        isUp = new boolean[switches][FabricView.PORT_MAX + 2];
        arrives = new long[switches][(view.nodeCount() + 63) / 64];
        for (int s = 0; s < switches; s++) {
            readUp(view, s);
        }
        for (int s = 0; s < switches; s++) {
            for (int d = 0; d < view.nodeCount(); d++) {
                if (view.nodeSwitch(d) >= 0 && follow(view, s, d)) {
                    arrives[s][d >> 6] |= 1L << d;
                }
            }
        }
    }

    private void readUp(FabricView view, int s) {
        int[] ports = new int[view.portCount(s)];
        int count = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            int to = view.peerSwitch(s, port);
            if (to >= 0 && view.isUp(s, to)) {
                isUp[s][port] = true;
                ports[count++] = port;
            }
        }
        upPorts[s] = Arrays.copyOf(ports, count);
        upPeers[s] =
                Arrays.stream(upPorts[s]).map(port -> view.peerSwitch(s, port)).toArray();
    }

    private boolean follow(FabricView view, int s, int d) {
        int at = s;
        for (int hops = 0; hops <= view.switchCount() && at >= 0; hops++) {
            int port = tables.port(at, d);
            if (at == view.nodeSwitch(d)) {
                return port == view.nodePort(d);
            }
            at = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
        }
        return false;
    }

    @Override
    public int injectionVcs() {
        return tables.injectionVcs();
    }

    @Override
    public int route(int s, int inputPort, int vc, int node, int random) {
        int port = tables.port(s, node);
        return isUp[s][port]
                ? PacketRouting.answer(upPort(s, node, port, random), tables.injectionVcs())
                : tables.route(s, inputPort, vc, node, random);
    }

    private int upPort(int s, int node, int port, int random) {
        int[] peers = upPeers[s];
        int fit = 0;
        for (int peer : peers) {
            fit += (int) ((arrives[peer][node >> 6] >>> node) & 1);
        }
        if (fit == 0) {
            return port;
        }
        int chosen = (int) (((random & 0xffff_ffffL) * fit) >>> 32);
        int i = -1;
        do {
            i++;
            chosen -= (int) ((arrives[peers[i]][node >> 6] >>> node) & 1);
        } while (chosen >= 0);
        return upPorts[s][i];
    }
}

package io.dmodc.routing.vtftr.traffic;

import io.dmodc.routing.throughput.FlowRoutes;
import io.dmodc.routing.throughput.RouteShares;
import io.dmodc.routing.vtftr.InputClass;
import io.dmodc.routing.vtftr.Turn;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.routing.vtftr.VcMap;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import io.dmodc.topology.grid.GridPlace.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The slow twin of {@link TurnForwarding} and {@link TurnRoutes}: goes from switch to switch by what tables answer and what
 * cables the view has, and keeps nothing. For lines of at most six leaves, so that no root has more than five choices.
 */
final class LiteralTurns implements FlowRoutes {
    /** A packet meets at most four roots; 60 is divided by 1..5. */
    static final int WHOLE = 60 * 60 * 60 * 60;

    private static final int PORTS = 256;

    /** What a switch does with a packet: the ports it may take, each as likely, and the class it keeps there. */
    record Step(List<Integer> ports, int vcClass) {}

    private final FabricView view;
    private final TurnTables tables;

    LiteralTurns(FabricView view, TurnTables tables) {
        this.view = view;
        this.tables = tables;
    }

    @Override
    public int channelCount() {
        return view.switchCount() * PORTS;
    }

    @Override
    public int whole() {
        return WHOLE;
    }

    @Override
    public boolean add(int s, int node, RouteShares into) {
        Map<Integer, Integer> shares = new TreeMap<>();
        boolean all = follow(s, firstHostPort(s), 0, node, WHOLE, shares);
        if (all) {
            shares.forEach(into::add);
        }
        return all;
    }

    int firstHostPort(int s) {
        return IntStream.rangeClosed(1, view.portCount(s))
                .filter(port -> view.peerNode(s, port) >= 0)
                .findFirst()
                .orElseThrow();
    }

    private boolean follow(int s, int inputPort, int vcClass, int node, int flow, Map<Integer, Integer> shares) {
        Step step = step(s, inputPort, vcClass, node);
        boolean all = !step.ports.isEmpty();
        for (int port : step.ports) {
            int next = view.peerSwitch(s, port);
            if (next < 0) {
                return view.peerNode(s, port) == node;
            }
            int share = flow / step.ports.size();
            shares.merge(s * PORTS + port, share, Integer::sum);
            all &= follow(next, view.peerPort(s, port), step.vcClass, node, share, shares);
        }
        return all;
    }

    /** No ports: the packet is dropped. */
    Step step(int s, int inputPort, int vcClass, int node) {
        GridPlace at = tables.state().grid().place(s);
        GridPlace to = tables.state().grid().place(view.nodeSwitch(node));
        int destination = to.row() * tables.state().columns() + to.column();
        return at.kind() == Kind.LEAF
                ? atLeaf(s, at, inputPort, vcClass, destination, node)
                : new Step(atRoot(s, at, inputPort, destination), vcClass);
    }

    private Step atLeaf(int s, GridPlace at, int inputPort, int vcClass, int destination, int node) {
        int peer = view.peerSwitch(s, inputPort);
        InputClass from = peer < 0
                ? InputClass.HOST
                : tables.state().grid().place(peer).kind() == Kind.ROW_ROOT ? InputClass.ROW : InputClass.COLUMN;
        int leaf = at.row() * tables.state().columns() + at.column();
        Turn turn = tables.turn(from, leaf, destination);
        if (turn == Turn.DELIVER) {
            return new Step(List.of(view.nodePort(node)), vcClass);
        }
        int next = turn == Turn.NONE ? VcMap.DROP : VcMap.next(from, vcClass, turn);
        if (next == VcMap.DROP) {
            return new Step(List.of(), 0);
        }
        List<Integer> ports = new ArrayList<>();
        BitSet roots = tables.roots(leaf, turn, destination);
        for (int k = roots.nextSetBit(0); k >= 0; k = roots.nextSetBit(k + 1)) {
            int root = turn == Turn.ROW
                    ? tables.state().grid().rowRoot(at.row(), k)
                    : tables.state().grid().columnRoot(at.column(), k);
            IntStream.rangeClosed(1, view.portCount(s))
                    .filter(port -> view.peerSwitch(s, port) == root)
                    .forEach(ports::add);
        }
        int host = (int) IntStream.range(0, node)
                .filter(other -> view.nodeSwitch(other) == view.nodeSwitch(node))
                .count();
        int line = turn == Turn.ROW
                ? destination % tables.state().columns()
                : destination / tables.state().columns();
        return new Step(ports.isEmpty() ? ports : List.of(ports.get((host + line) % ports.size())), next);
    }

    private List<Integer> atRoot(int s, GridPlace at, int inputPort, int destination) {
        boolean row = at.kind() == Kind.ROW_ROOT;
        int primary = row ? tables.rowPrimary(at.row(), destination) : tables.columnPrimary(at.column(), destination);
        if (primary >= 0 && portTo(s, row, primary) > 0) {
            return List.of(portTo(s, row, primary));
        }
        BitSet spares = row ? tables.rowSpares(at.row(), destination) : tables.columnSpares(at.column(), destination);
        List<Integer> live = spares.stream()
                .map(place -> portTo(s, row, place))
                .filter(port -> port > 0)
                .boxed()
                .toList();
        List<Integer> others = live.stream().filter(port -> port != inputPort).toList();
        return others.isEmpty() ? live : others;
    }

    private int portTo(int s, boolean row, int place) {
        return IntStream.rangeClosed(1, view.portCount(s))
                .filter(port -> view.peerSwitch(s, port) >= 0)
                .filter(port -> {
                    GridPlace far = tables.state().grid().place(view.peerSwitch(s, port));
                    return (row ? far.column() : far.row()) == place;
                })
                .findFirst()
                .orElse(0);
    }
}
